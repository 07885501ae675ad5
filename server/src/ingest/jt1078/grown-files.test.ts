// Files that a registrar still writes when it lists them first: their rest can be fetched, too.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '../../test/clip.ts';
import { type TestRegistrar, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { verify } from '../../test/video.ts';

const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

const ask = (bus: RegistrarBus, from: number, to: number) =>
  world.ask(bus, bus.cameras.door1, from, to);
const fragments = async (bus: RegistrarBus) =>
  (await world.fragments(bus)).map(({ from, to, status }) => [from, to, status]);
/** Lets the server list the recorded cameras unasked. */
const lookAt = (bus: RegistrarBus, registrar: TestRegistrar) => {
  const before = registrar.queries.length;
  return vi.waitFor(async () => {
    if (registrar.queries.length === before) world.server.clock.advance(5000);
    await world.look(bus);
    expect(registrar.queries.slice(before)).toEqual([1, 2]);
  }, WAIT);
};

describe('a file that was listed while it was written', () => {
  it('and was uploaded: the rest is a fragment of its own, and so is the rest of that', async () => {
    const { bus, registrar, write } = await world.listing([
      { from: 10, to: 20, size: clip.length },
    ]);
    await ask(bus, 12, 19);
    const first = await registrar.nextUpload();
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    registrar.end(first);
    await world.ended(bus, 'fetch_segment', ['done']);
    write([{ from: 10, to: 40, size: 3 * clip.length }]);
    // The rest is not of this time.
    await ask(bus, 11, 18);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    expect(await fragments(bus)).toEqual([[10, 20, 'LOADING']]);
    await ask(bus, 25, 35);
    const rest = await registrar.nextUpload();
    expect(rest).toMatchObject({ from: 20, to: 40 });
    expect((await world.requests(bus))[0]).toMatchObject({ total: 1, here: 0, percent: 0 });
    // It is as long as the terminal says.
    expect(await registrar.send(rest, clip)).toMatch(/^451/);
    registrar.end(rest);
    await world.ended(bus, 'fetch_segment', ['done', 'done']);
    write([{ from: 10, to: 50 }]);
    await ask(bus, 41, 45);
    expect(await registrar.nextUpload()).toMatchObject({ from: 40, to: 50 });
    const uploads = await world.server.deps.database.db
      .selectFrom('uploads')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .orderBy('created_at')
      .execute();
    await verify(world.server, uploads[0]?.id ?? '');
    expect((await fragments(bus))[0]).toEqual([10, 20, 'LOADED']);
  });

  it('and waits for its upload gets its end, and is asked for as it is listed now', async () => {
    const whole = { from: 0, to: 10, size: clip.length };
    const { bus, registrar, write } = await world.listing([
      whole,
      { from: 10, to: 20, size: 1000 },
    ]);
    await ask(bus, 0, 20);
    const first = await registrar.nextUpload();
    await world.ended(bus, 'fetch_range', ['done']);
    write([whole, { from: 10, to: 40, size: clip.length }]);
    await ask(bus, 25, 35);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    expect((await world.requests(bus))[0]).toMatchObject({ total: 1, here: 0, percent: 0 });
    expect(await fragments(bus)).toEqual([
      [0, 10, 'DOWNLOADING_FROM_TASK'],
      [10, 40, 'DOWNLOADING_FROM_TASK'],
    ]);
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    registrar.end(first);
    const grown = await registrar.nextUpload();
    expect(grown).toMatchObject({ from: 10, to: 40 });
    expect(await registrar.send(grown, clip)).toMatch(/^226/);
  });

  it('and was cancelled stays so when it is listed again, and is asked for with a later range', async () => {
    const { bus, registrar, write } = await world.listing([{ from: 10, to: 20 }]);
    const [request] = await ask(bus, 12, 19);
    await registrar.nextUpload();
    await world.call('POST', `/api/segments/set-downloading/cancel/${request?.id}`);
    await world.ended(bus, 'stop_fetch', ['done']);
    write([{ from: 10, to: 40, size: clip.length }]);
    await lookAt(bus, registrar);
    await vi.waitFor(
      async () => expect(await fragments(bus)).toEqual([[10, 40, 'DOWNLOAD_FAIL']]),
      WAIT,
    );
    await world.ended(bus, 'fetch_segment', ['cancelled']);
    await ask(bus, 25, 35);
    const grown = await registrar.nextUpload();
    expect(grown).toMatchObject({ from: 10, to: 40 });
    expect(await registrar.send(grown, clip)).toMatch(/^226/);
  });
});
