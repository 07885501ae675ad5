// Uploads that run when their process ends: the next process learns from the terminal how they end.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '../../test/clip.ts';
import { filesOf, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { createUploads } from './uploads.ts';

const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

/** A terminal uploads the first part of the first of two files, and its process ends. @returns the next process */
const cutShort = async () => {
  const { bus, registrar } = await world.asked({ files: filesOf(clip) });
  const first = await registrar.nextUpload();
  await vi.waitFor(async () => {
    const { db } = world.server.deps.database;
    const accepted = db.selectFrom('unit_commands').select('id').where('unit_id', '=', bus.unitId);
    expect(await accepted.where('accepted_at', 'is not', null).execute()).not.toEqual([]);
  }, WAIT);
  expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
  registrar.terminal.link.close();
  const { deps } = world.server;
  const ask = vi.fn<Terminals['ask']>(async () => undefined);
  const uploads = createUploads(
    { ...deps, config: { ...deps.config, ftpPort: world.ftpPort } },
    { ask, has: () => true },
  );
  const serve = () => uploads.serve(bus.unitId, () => false);
  const end = (result: number) => uploads.ended(bus.unitId, first.serial, result);
  return { bus, first, ask, serve, end, send: (bytes: Buffer) => registrar.send(first, bytes) };
};

describe('an upload that ran when its process ended', () => {
  it('fails by the result of its terminal, and the next file is asked for', async () => {
    const { bus, ask, serve, end } = await cutShort();
    await serve();
    expect(ask).not.toHaveBeenCalled();
    expect(end(1)).toBe(true);
    await serve();
    expect(await world.fragments(bus)).toMatchObject([
      { fail_reason: 'unit_failed', fail_detail: '0x1206: 1, failed' },
      { fail_reason: null },
    ]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('fails by a result that comes before the process has looked', async () => {
    const { bus, ask, serve, end } = await cutShort();
    expect(end(1)).toBe(true);
    await serve();
    expect(await world.fragments(bus)).toMatchObject([{ fail_reason: 'unit_failed' }, {}]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('does not fail by a result of long ago, which was of another upload', async () => {
    const { bus, ask, serve, end } = await cutShort();
    end(1);
    world.server.clock.advance(21_000);
    await serve();
    expect(await world.fragments(bus)).toMatchObject([{ fail_reason: null }, {}]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('is not done by a success that is said before its bytes are there', async () => {
    const { bus, serve, end } = await cutShort();
    await serve();
    // Perhaps of the file before it.
    end(0);
    await serve();
    await world.ended(bus, 'fetch_segment', [null, null]);
    world.server.clock.advance(21_000);
    await serve();
    expect(await world.fragments(bus)).toMatchObject([
      { fail_reason: 'unit_failed', fail_detail: '0x1206: 0, file incomplete' },
      { fail_reason: null },
    ]);
  });

  it('is done by a success once its bytes are there', async () => {
    const { bus, serve, end, send } = await cutShort();
    await serve();
    expect(await send(clip)).toMatch(/^226/);
    end(0);
    await serve();
    await world.ended(bus, 'fetch_segment', ['done', null]);
  });
});
