// Terminals that restart in mid-upload: their data connection breaks, and they sign in again soon.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '../../test/clip.ts';
import { filesOf, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

const setUpload = ({ unitId }: RegistrarBus, change: ReturnType<typeof sql>) =>
  sql`update uploads set ${change} where unit_id = ${unitId}`.execute(
    world.server.deps.database.db,
  );

/** A terminal restarts after the first 1000 bytes of the first of two files, and signs in six seconds later. */
const restart = async (settings: { uploads?: 'wifi' } = {}, change?: ReturnType<typeof sql>) => {
  const { bus, registrar } = await world.asked({ files: filesOf(clip) }, settings);
  const first = await registrar.nextUpload();
  await vi.waitFor(async () => {
    const { db } = world.server.deps.database;
    const accepted = db.selectFrom('unit_commands').select('id').where('unit_id', '=', bus.unitId);
    expect(await accepted.where('accepted_at', 'is not', null).execute()).not.toEqual([]);
  }, WAIT);
  world.server.clock.advance(1000);
  expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
  registrar.terminal.link.close();
  if (change !== undefined) await setUpload(bus, change);
  world.server.clock.advance(6000);
  const back = await world.registrar(bus, { files: filesOf(clip) });
  // It goes on by itself, if it can.
  world.server.clock.advance(9000);
  await world.stopNothing(bus);
  expect([back.waiting(), back.cancelled]).toEqual([0, []]);
  world.server.clock.advance(2000);
  return { bus, first, back };
};

describe('a terminal that has restarted in mid-upload', () => {
  it('is asked for the next file at once, and for the rest of that one after it', async () => {
    const { bus, first, back } = await restart();
    await world.look();
    const second = await back.nextUpload();
    expect(second).toMatchObject({ from: 10, to: 20 });
    expect(back.cancelled).toEqual([first.serial]);
    expect(await world.fragments(bus)).toMatchObject([
      {
        ...{ status: 'LOADING', fail_reason: 'unit_failed' },
        fail_detail: '0x9206: signed in again, upload stopped',
      },
      { fail_reason: null },
    ]);
    expect(await back.send(second, clip)).toMatch(/^226/);
    back.end(second);
    const rest = await back.nextUpload();
    expect(rest).toMatchObject({ from: 0, to: 10 });
    const { db } = world.server.deps.database;
    const kept = db.selectFrom('uploads').select('received_bytes').where('finished_at', 'is', null);
    expect(await kept.where('unit_id', '=', bus.unitId).execute()).toEqual([
      { received_bytes: 1000 },
    ]);
  });

  it('is asked for the same file, of which much has come, and no attempt has failed', async () => {
    const { bus, back } = await restart({}, sql`received_bytes = ${2 * 2 ** 20}`);
    await world.look();
    expect(await back.nextUpload()).toMatchObject({ from: 0, to: 10 });
    expect(await world.fragments(bus)).toMatchObject([{ fail_reason: null }, {}]);
  });

  it('is left alone while its data connection is open', async () => {
    const open = sql`lock_holder = gen_random_uuid(), lock_until = now() + interval '1 hour'`;
    const { bus, back } = await restart({}, open);
    await world.look();
    await world.stopNothing(bus);
    expect(back.waiting()).toBe(0);
    await setUpload(bus, sql`lock_holder = null, lock_until = null`);
    await world.look();
    expect(await back.nextUpload()).toMatchObject({ from: 10, to: 20 });
  });

  it('is left alone when it uploads by Wi-Fi only, and may have left the depot', async () => {
    const much = sql`received_bytes = ${2 * 2 ** 20}`;
    const { bus, back } = await restart({ uploads: 'wifi' }, much);
    await world.look();
    await world.stopNothing(bus);
    expect(back.waiting()).toBe(0);
  });
});
