// A record that a phone sends again counts once, also across restarts and while the server cannot store.
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockUnit, whileLocked } from '../../test/blocked.ts';
import { openFarDatabase } from '../../test/database-link.ts';
import {
  ask,
  askByJson,
  at,
  createOsmandWorld,
  OSMAND_DAY_MS,
  PORTS,
  positionAt,
  STORED,
  senderOf,
  startTestOsmand,
  storedOf,
} from '../../test/osmand.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createOsmandWorld);

it('is stored once, however often, by whichever port and form, also after a restart', async () => {
  const bus = await world.freshBus();
  const { id } = bus;
  const another = await world.startAnother();
  for (const url of [world.own, world.product, world.own, another.product, another.own]) {
    expect(await ask(url, { id, ...at(0), in: 2, door: 1 })).toEqual(STORED);
    const two = { id, ...at(1) };
    expect(await askByJson(url, [two, { id, ...at(0), in: 2 }, two])).toEqual(STORED);
  }
  expect(await storedOf(world, bus)).toEqual({
    ...{ seconds: [0, 1], events: [[0, 1, 'entered', 2]], hours: { entered: 2, exited: 0 } },
  });
});

it('is stored once when it comes many times at once', async () => {
  const bus = await world.freshBus();
  const fields = { id: bus.id, ...at(0), in: 1 };
  const url = [world.own, world.product];
  const answers = await Promise.all(
    [...Array(12).keys()].map((n) => ask(url[n % 2] ?? '', fields)),
  );
  // A unit that sends too much at once is asked to come again.
  expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(await ask(world.own, fields)).toEqual(STORED);
  expect(await storedOf(world, bus)).toMatchObject({ seconds: [0], hours: { entered: 1 } });
});

it('of a phone that sends much at once holds up no other', async () => {
  const [busy, other] = [await world.freshBus(), await world.freshBus()];
  const { db } = world.server.deps.database;
  const sendMuch = () =>
    Promise.all([...Array(9).keys()].map((n) => ask(world.own, { id: busy.id, ...at(n) })));
  const [answers] = await whileLocked(db, lockUnit(busy.unitId), [sendMuch], async () =>
    expect(await ask(world.own, { id: other.id, ...at(0) })).toEqual(STORED),
  );
  expect(answers).toEqual(Array(9).fill(STORED));
});

it('is stored once, whatever ms of a second its time has', async () => {
  const bus = await world.freshBus();
  const seconds = Array.from({ length: 120 }, (_, n) => n / 2 + (n % 3 === 0 ? 0.249 : 0));
  const list = seconds.map((second) => ({ id: bus.id, ...at(second) }));
  for (const some of [list.slice(0, 70), list, list.toReversed()]) {
    expect(await askByJson(world.own, some)).toEqual(STORED);
  }
  expect(await ask(world.product, { id: bus.id, ...at(60.001) })).toEqual(STORED);
  expect((await storedOf(world, bus)).seconds).toEqual([...seconds, 60.001]);
});

it('are two counts if they are of two moments of a second', async () => {
  const bus = await world.freshBus();
  const count = (ms: number) => ({ id: bus.id, timestamp: OSMAND_DAY_MS + ms, in: 1 });
  for (const ms of [100, 101, 100]) expect(await ask(world.own, count(ms))).toEqual(STORED);
  expect(await storedOf(world, bus)).toMatchObject({
    events: [
      [0.1, 1, 'entered', 1],
      [0.101, 1, 'entered', 1],
    ],
    hours: { entered: 2 },
  });
});

it('with other content replaces nothing, and is said not to be sent again', async () => {
  const bus = await world.freshBus();
  await ask(world.own, { id: bus.id, ...at(0), in: 1 });
  const refused = { index: 0, field: 'timestamp', message: 'was sent before with other content' };
  for (const other of [{ lat: 10 }, { in: 2 }]) {
    const answer = await ask(world.own, { id: bus.id, ...at(0), in: 1, ...other });
    expect(answer).toEqual({ status: 200, body: { refused: [refused] } });
  }
  expect(await storedOf(world, bus)).toMatchObject({
    seconds: [0],
    events: [[0, 1, 'entered', 1]],
  });
});

it('of a time to come is kept aside once, without the id', async () => {
  const bus = await world.freshBus();
  const day = 86_400;
  for (const _ of [1, 2]) {
    expect(await ask(world.own, { id: bus.id, ...at(40 * day), in: 2, note: '\0' })).toEqual(
      STORED,
    );
  }
  const { rows } = await sql<{ raw: string }>`
    select raw::text as raw from aside_records where unit_id = ${bus.unitId}`.execute(
    world.server.deps.database.db,
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]?.raw).toContain('37.6');
  expect(rows[0]?.raw).not.toContain(bus.id);
  expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
});

it('of a time to come is to be sent again while 100,000 of its unit wait aside', async () => {
  const bus = await world.freshBus();
  const { db } = world.server.deps.database;
  const toCome = (second: number) => ask(world.own, { id: bus.id, ...at(second), in: 2 });
  const day = 86_400;
  expect(await toCome(40 * day)).toEqual(STORED);
  await sql`insert into aside_records (unit_id, stream_id, in_test, received_at, seq, record, raw)
    select unit_id, stream_id, in_test, received_at, n, record, raw
    from (select * from aside_records where unit_id = ${bus.unitId} limit 1) as kept,
      generate_series(1, 100000) as n`.execute(db);
  expect(await toCome(41 * day)).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  await sql`delete from aside_records where unit_id = ${bus.unitId} and seq < 1000`.execute(db);
  expect(await toCome(41 * day)).toEqual(STORED);
});

describe('while the server cannot store', () => {
  it.each(PORTS)(
    'a full disk is answered with 503 at the port %s, and the next attempt is stored',
    async (port) => {
      const bus = await world.freshBus();
      const fields = { id: bus.id, ...at(0), in: 1 };
      world.server.disk.set({ totalBytes: 100, freeBytes: 1 });
      expect(await ask(world[port], fields)).toMatchObject({
        status: 503,
        body: { error: 'unavailable' },
      });
      expect(await askByJson(world[port], { ...fields })).toMatchObject({ status: 503 });
      world.server.disk.set({ totalBytes: 100, freeBytes: 50 });
      expect(await ask(world[port], fields)).toEqual(STORED);
      expect(await storedOf(world, bus)).toMatchObject({ seconds: [0], hours: { entered: 1 } });
    },
  );

  it.each(['query', 'json'] as const)(
    'a sender tries again, also where its id is not known yet (%s)',
    async (form) => {
      const bus = await world.freshBus();
      const { db } = world.server.deps.database;
      const people = { timeMs: OSMAND_DAY_MS, door: 1, entered: 2, exited: 0 };
      let failures = 0;
      const sender = senderOf(world.own, bus.id, form, () => {
        failures += 1;
        world.server.disk.set({ totalBytes: 100, freeBytes: 50 });
      });
      world.server.disk.set({ totalBytes: 100, freeBytes: 1 });
      await sender.send([positionAt(0), people]);
      expect(failures).toBe(1);
      const adopt = (id: string) =>
        db.updateTable('units').set({ protocol_id: id }).where('id', '=', bus.unitId).execute();
      const known: Promise<unknown>[] = [];
      const early = senderOf(world.own, `${bus.id}-new`, form, () => {
        known.push(adopt(`${bus.id}-new`));
        world.server.clock.advance(UNIT_KNOWN_MS);
      });
      await early.send([positionAt(1)]);
      expect(known.length).toBeGreaterThan(0);
      await Promise.all(known);
      const nobody = senderOf(world.own, 'stranger', form);
      await expect(nobody.send([people])).rejects.toThrow('belongs to no unit');
      expect(await storedOf(world, bus)).toMatchObject({ seconds: [0, 1], hours: { entered: 2 } });
    },
  );

  it.each(PORTS)(
    'a database that is away is answered with 503 at the port %s, and the next attempt is stored',
    async (port) => {
      const bus = await world.freshBus();
      const { far, database } = await openFarDatabase(world.server.deps.database.url);
      const osmand = await startTestOsmand({ ...world.server.deps, database });
      onTestFinished(() => osmand.stop());
      await far.close();
      const fields = { id: bus.id, ...at(0), in: 2 };
      const away = { status: 503, body: { error: 'unavailable' } };
      expect(await ask(osmand[port], fields)).toMatchObject(away);
      expect(await askByJson(osmand[port], fields)).toMatchObject(away);
      expect(await ask(world[port], fields)).toEqual(STORED);
      expect(await storedOf(world, bus)).toMatchObject({ seconds: [0], hours: { entered: 2 } });
    },
  );
});
