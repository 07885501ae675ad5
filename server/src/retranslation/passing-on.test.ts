// Records arrive at an upstream over a real socket as they are stored.
import { describe, expect, it } from 'vitest';
import { adoptEgts } from '../test/egts.ts';
import { SIGN_IN } from '../test/egts-upstream.ts';
import { listPositions } from '../test/positions.ts';
import { KNOWN_MS } from '../test/test-deps.ts';
import { DAY_MS, people, position, secondsOf, useUpstreams } from '../test/upstream-world.ts';

const upstreams = useUpstreams();
const { world } = upstreams;

/** Seconds of the day of what was confirmed of an object, in order of arrival. */
const secondsOfObject = (object: number): number[] =>
  secondsOf(upstreams.far.confirmed.filter((one) => one.object === object));

describe('a bus with a number at an upstream', () => {
  it('arrives there with its positions and people as they are stored', async () => {
    const { db } = world.server.deps.database;
    const bus = await world.freshBus();
    await world.makeUpstream({
      port: upstreams.far.port,
      numbers: new Map([[bus, 4_294_967_295]]),
    });
    await world.send(bus, [
      { ...position(0), satellites: 14, hdop: 0.8 },
      { ...position(1), latitude: -33.868_821, longitude: -151.209_295, course: 12, speed_kmh: 0 },
      people(2, 1, { count: 3 }),
      people(3, 1, { passenger: 'child', count: 2 }),
      people(4, 1, { door: 2, direction: 'exited' }),
      people(5, 30, { door: 12 }),
    ]);
    await world.send(bus, [position(6, 40)]);
    await world.until(() => upstreams.far.confirmed.length === 4);
    const stored = await listPositions(db, bus.unitId, 0, Date.UTC(2100));
    const arrived = upstreams.far.confirmed.filter(({ place }) => place !== null);
    expect(arrived.map(({ timeMs, place }) => [timeMs, place])).toEqual(
      stored.map(({ timeMs, latitude, longitude }) => [timeMs, { latitude, longitude }]),
    );
    expect(arrived.map(({ speedKmh, course }) => [speedKmh, course])).toEqual([
      [31.4, 270],
      [0, 12],
      [31.4, 270],
    ]);
    expect(arrived[0]).toMatchObject({ object: 4_294_967_295, satellites: 14, hdop: 0.8 });
    const counted = upstreams.far.confirmed.filter((one) => one.people.length > 0);
    expect(counted.map(({ timeMs, people: seen }) => [(timeMs - DAY_MS) / 1000, seen])).toEqual([
      [
        1,
        [
          [1, 1, 5, 0],
          [1, 2, 0, 1],
        ],
      ],
      [30, [[2, 4, 1, 0]]],
    ]);
  });

  it('sends what comes late and out of order, too', async () => {
    const bus = await world.freshBus();
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(100)]);
    await world.until(() => secondsOfObject(1).length === 1);
    await world.send(bus, [position(3), position(2), people(4, 2)]);
    await world.send(bus, [position(101)]);
    await world.until(() => secondsOfObject(1).length === 4);
    expect(secondsOfObject(1).sort((a, b) => a - b)).toEqual([2, 3, 100, 101]);
  });

  it('arrives at once although the clock of the process that stored it is ahead', async () => {
    const bus = await world.freshBus();
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]) });
    const nowMs = world.server.clock.nowMs();
    world.server.clock.set(nowMs + 3_600_000);
    await world.send(bus, [position(0)]);
    world.server.clock.set(nowMs);
    await world.until(() => secondsOfObject(1).length === 1);
  });

  it('sends people of one second that come in two batches as two counts', async () => {
    const bus = await world.freshBus();
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(0), people(1, 5.1)]);
    await world.send(bus, [people(2, 5.7)]);
    await world.until(() => secondsOfObject(1).length === 3);
    expect(upstreams.far.confirmed.flatMap((one) => one.people)).toEqual([
      [1, 1, 1, 0],
      [3, 1, 1, 0],
    ]);
  });

  it('sends a thousand positions of one batch in packets of at most 64 records', async () => {
    const bus = await world.freshBus();
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]) });
    const sizes: number[] = [];
    upstreams.far.reply = (records) => {
      sizes.push(records.length);
      return {};
    };
    await world.send(
      bus,
      Array.from({ length: 1000 }, (_, seq) => position(seq)),
    );
    await world.until(() => new Set(secondsOfObject(1)).size === 1000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  });

  it('is known by the number of its unit of EGTS when it has no other', async () => {
    const [own, other] = [await world.freshBus(), await world.freshBus()];
    for (const { unitId } of [own, other]) {
      await adoptEgts(world.server.deps.database.db, unitId, 5000 + unitId);
    }
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[other, 6]]) });
    await world.send(own, [position(0)]);
    await world.send(other, [position(0)]);
    await world.until(() => upstreams.far.confirmed.length === 2);
    expect(
      upstreams.far.confirmed.map(({ object }) => object).sort((a, b) => Number(a) - Number(b)),
    ).toEqual([6, 5000 + own.unitId]);
  });
});

describe('an upstream gets nothing', () => {
  it.each([
    ['while it is off', { enabled: false }],
    ['of a bus without a number', { numbers: new Map() }],
    ['of a customer that is not its', { clients: [] }],
  ])('%s', async (_name, made) => {
    const bus = await world.freshBus();
    const known = await world.freshBus(world.fleet.second);
    const upstream = await world.makeUpstream({
      ...{ port: upstreams.far.port, numbers: new Map([[bus, 1]]), ...made },
    });
    // Another upstream shows that records have been looked at.
    const shows = await world.openFar();
    await world.makeUpstream({ port: shows.port, numbers: new Map([[known, 2]]) });
    await world.send(bus, [position(0), people(1, 1)]);
    await world.send(known, [position(0)]);
    await world.until(() => shows.confirmed.length === 1);
    expect(await world.waiting(upstream)).toEqual({ rows: 0, records: 0 });
    expect(upstreams.far.arrived).toEqual([]);
  });

  it('of a time before it was added, and no people when it wants positions only', async () => {
    const bus = await world.freshBus();
    const numbers = new Map([[bus, 1]]);
    await world.makeUpstream({ port: upstreams.far.port, numbers, withPeople: false });
    await world.send(bus, [position(1, -1), position(2), people(3, 2), people(4, 9)]);
    await world.until(() => upstreams.far.confirmed.length === 1);
    expect(upstreams.far.confirmed).toMatchObject([{ timeMs: DAY_MS + 2000, people: [] }]);
  });

  it('of a unit in test mode', async () => {
    const { db } = world.server.deps.database;
    const [bus, known] = [await world.freshBus(), await world.freshBus()];
    await db
      .updateTable('units')
      .set({ test_since: new Date(DAY_MS) })
      .where('id', '=', bus.unitId)
      .execute();
    const numbers = new Map([
      [bus, 1],
      [known, 2],
    ]);
    await world.makeUpstream({ port: upstreams.far.port, numbers });
    await world.send(bus, [position(0), people(1, 1)]);
    await world.send(known, [position(0)]);
    await world.until(() => upstreams.far.confirmed.length === 1);
    expect(upstreams.far.arrived.map(({ object }) => object)).toEqual([2]);
  });
});

describe('a bus that has left the fleet', () => {
  it('is not passed on any more, nor is what waits', async () => {
    const { db } = world.server.deps.database;
    const [bus, known] = [await world.freshBus(), await world.freshBus()];
    await upstreams.stop();
    const numbers = new Map([
      [bus, 1],
      [known, 2],
    ]);
    const upstream = await world.makeUpstream({ port: upstreams.far.port, numbers });
    await world.send(bus, [position(0)]);
    await db
      .updateTable('workplaces')
      .set({ retired_at: new Date(DAY_MS) })
      .where('id', '=', bus.busId)
      .execute();
    world.server.clock.advance(3000);
    await world.send(bus, [position(1)]);
    await world.send(known, [position(0)]);
    expect((await world.waiting(upstream)).rows).toBe(2);
    upstreams.start();
    await world.until(async () => (await world.waiting(upstream)).rows === 0);
    expect(upstreams.far.arrived.map(({ object }) => object)).toEqual([2]);
  });
});

describe('a unit that was moved to another bus', () => {
  it('sends each record under the number of the bus in which it sat then', async () => {
    const { db } = world.server.deps.database;
    const [former, next] = [await world.freshBus(), await world.freshBus()];
    const numbers = new Map([
      [former, 1],
      [next, 2],
    ]);
    await world.makeUpstream({ port: upstreams.far.port, numbers });
    await world.send(former, [position(0)]);
    const movedAt = new Date(DAY_MS + 60_000);
    await db
      .updateTable('units')
      .set({ workplace_id: null })
      .where('id', '=', next.unitId)
      .execute();
    await db
      .updateTable('units')
      .set((eb) => ({
        ...{ workplace_id: next.busId, assigned_from: movedAt, batches: eb('batches', '+', 1) },
      }))
      .where('id', '=', former.unitId)
      .execute();
    await db
      .insertInto('past_assignments')
      .values({
        ...{ unit_id: former.unitId, workplace_id: former.busId, until_at: movedAt },
        from_at: new Date(0),
      })
      .execute();
    world.server.clock.advance(KNOWN_MS);
    await world.send(former, [position(1, 50), people(2, 50), position(3, 70), people(4, 70)]);
    await world.until(() => upstreams.far.confirmed.length === 3);
    expect(secondsOfObject(1)).toEqual([0, 50]);
    expect(secondsOfObject(2)).toEqual([70]);
  });
});

describe('a bus that came to another customer', () => {
  it('sends each record to the upstream of the customer of its day', async () => {
    const { db } = world.server.deps.database;
    const bus = await world.freshBus();
    const farSecond = await world.openFar();
    const numbers = new Map([[bus, 1]]);
    const { first, second } = world.fleet;
    const both = [
      await world.makeUpstream({ port: upstreams.far.port, numbers, clients: [first] }),
      await world.makeUpstream({ port: farSecond.port, numbers, clients: [second] }),
    ];
    await db
      .updateTable('bus_owners')
      .set({ to_day: '2026-11-20' })
      .where('workplace_id', '=', bus.busId)
      .execute();
    await db
      .insertInto('bus_owners')
      .values({ workplace_id: bus.busId, client_id: second, from_day: '2026-11-21' })
      .execute();
    // Midnight of Moscow is 16 hours after the beginning of these days.
    const midnight = 16 * 3600;
    world.server.clock.set(DAY_MS + (midnight + 3600) * 1000);
    await world.send(bus, [position(1, midnight - 1), position(2, midnight), people(3, midnight)]);
    await world.until(() => farSecond.confirmed.length + upstreams.far.confirmed.length === 2);
    expect(secondsOfObject(1)).toEqual([midnight - 1]);
    expect(farSecond.confirmed).toMatchObject([{ timeMs: DAY_MS + midnight * 1000 }]);
    // Records of other days do not wait for it either.
    for (const upstream of both) {
      await world.until(async () => (await world.waiting(upstream)).rows === 0);
    }
  });
});

describe('an upstream that wants to know who sends', () => {
  it.each([
    ['dispatcher', 0, '004d000000d0a0d0b8d0b4d0b2d0bed182d187'],
    ['terminal', null, '4d00000010'],
  ] as const)('gets the name of the %s first', async (signIn, result, hex) => {
    const bus = await world.freshBus();
    upstreams.far.signInResult = result;
    await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]), signIn });
    await world.send(bus, [position(0)]);
    await world.until(() => upstreams.far.confirmed.length === 1);
    expect(upstreams.far.signedIn).toEqual([{ type: SIGN_IN[signIn], hex }]);
  });

  it('gets no record while it refuses the name, and everything once it takes it', async () => {
    const bus = await world.freshBus();
    upstreams.far.signInResult = 151;
    const numbers = new Map([[bus, 1]]);
    const upstream = await world.makeUpstream({
      port: upstreams.far.port,
      numbers,
      signIn: 'dispatcher',
    });
    await world.send(bus, [position(0)]);
    await world.until(async () => (await world.stateOf(upstream)).fault === 'sign_in_refused');
    expect(await world.stateOf(upstream)).toMatchObject({ fault_code: 151, confirmed: 0 });
    expect(upstreams.far.arrived).toEqual([]);
    upstreams.far.signInResult = 0;
    await world.until(async () => (await world.stateOf(upstream)).confirmed === 1);
    expect(await world.stateOf(upstream)).toMatchObject({ fault: null, fault_since: null });
  });
});
