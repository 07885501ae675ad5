// A platform of ours is the upstream: what one server stores, another one stores, too.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgtsListener } from '../ingest/egts/listener.ts';
import { adoptEgts } from '../test/egts.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { listPositions } from '../test/positions.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import {
  createUpstreamWorld,
  DAY_MS,
  people,
  position,
  type UpstreamWorld,
} from '../test/upstream-world.ts';

let world: UpstreamWorld;
let region: TestServer;
let regionFleet: TestFleet;
let listener: ReturnType<typeof createEgtsListener>;

beforeAll(async () => {
  world = await createUpstreamWorld();
  region = await createTestServer([], { HOST: '127.0.0.1' });
  region.clock.set(DAY_MS + 3_600_000);
  regionFleet = await insertTestFleet(region.deps.database.db, 'Europe/Moscow');
  await adoptEgts(region.deps.database.db, regionFleet.firstBus.unitId, 133_552);
  listener = createEgtsListener(region.deps, 0);
  await listener.start();
});
afterAll(async () => {
  await world.close();
  await listener.stop();
  await region.close();
});

const peopleOf = async ({ deps }: TestServer, unitId: number) =>
  (
    await sql<{ at: number }>`
      select floor(extract(epoch from time))::int as at, door,
        sum(count) filter (where direction = 'entered') as entered,
        sum(count) filter (where direction = 'exited') as exited
      from passenger_events where unit_id = ${unitId} and door <= 8
      group by 1, 2 order by 1, 2`.execute(deps.database.db)
  ).rows;

describe('a server that passes records on to another one', () => {
  it('leaves there the positions and people that it has itself', async () => {
    const bus = await world.freshBus();
    const upstream = await world.makeUpstream({
      ...{ port: listener.openPort(), numbers: new Map([[bus, 133_552]]) },
      signIn: 'dispatcher',
    });
    const records = Array.from({ length: 300 }, (_, n) => [
      position(n * 3, n * 7),
      people(n * 3 + 1, n * 7 + (n % 3), { count: 1 + (n % 5), door: 1 + (n % 4) }),
      people(n * 3 + 2, n * 7 + (n % 3) + 0.5, { direction: 'exited', passenger: 'child' }),
    ]).flat();
    for (let from = 0; from < records.length; from += 90) {
      await world.send(bus, records.slice(from, from + 90));
    }
    const stop = world.startProcess({ answerMs: 5000 });
    await world.until(async () => (await world.waiting(upstream)).rows === 0);
    await stop();
    const there = regionFleet.firstBus.unitId;
    const { db } = world.server.deps.database;
    expect(await listPositions(region.deps.database.db, there, 0, Date.UTC(2100))).toEqual(
      await listPositions(db, bus.unitId, 0, Date.UTC(2100)),
    );
    expect(await peopleOf(region, there)).toEqual(await peopleOf(world.server, bus.unitId));
    expect(await world.refusalsOf(upstream)).toEqual([]);
  });

  it('is told of a number that nobody has there, and sends the others', async () => {
    const [known, unknown] = [await world.freshBus(), await world.freshBus()];
    await adoptEgts(region.deps.database.db, regionFleet.secondBus.unitId, 77);
    const numbers = new Map([
      [known, 77],
      [unknown, 78],
    ]);
    const upstream = await world.makeUpstream({ port: listener.openPort(), numbers });
    const stop = world.startProcess({ answerMs: 5000 });
    for (const [seq, bus] of [unknown, known, unknown].entries()) {
      await world.send(bus, [position(seq)]);
    }
    await world.until(async () => (await world.unregistered(upstream)).rows === 2);
    await world.until(async () => (await world.waiting(upstream)).rows === 0);
    await stop();
    expect(await world.refusalsOf(upstream)).toEqual([]);
    expect((await world.stateOf(upstream)).confirmed).toBe(1);
  });
});
