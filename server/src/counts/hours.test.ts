import { randomUUID } from 'node:crypto';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { type CountSource, findDayBounds, lockBatches } from '../days/bus-days.ts';
import { lockBusSettings } from '../days/bus-settings.ts';
import { listHours } from '../figures/hours.ts';
import { rebuildHoursJob } from '../figures/rebuild-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addReview } from '../manual-counts/api.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { recountHours } from '../test/recount.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { triesOf } from '../test/tries-of.ts';
import { countFragmentJob } from './count-job.ts';
import type { HourSum } from './hours.ts';
import { rebuildHours } from './rebuild-hours.ts';
import { changeBusSettings } from './settings.ts';

/** The day on which Berlin changes to summer time. */
const NOW_MS = Date.UTC(2026, 2, 29, 12);
const MINUTE_MS = 60_000;
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let client: number;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addReview]);
  server.clock.set(NOW_MS);
  client = (await insertTestFleet(server.deps.database.db)).first;
  token = await server.signIn('admin');
});
afterAll(() => server.close());

// Few moments, long fragments and mostly one door, so that events and fragments often overlap.
/** Minutes before the present: in the last hours and around midnight. */
const minute = fc
  .tuple(fc.constantFrom(0, -780), fc.integer({ min: -10, max: 10 }))
  .map(([around, steps]) => Math.min(0, around + steps * 25));
const count = fc.integer({ min: 1, max: 3 });
const direction = fc.constantFrom('entered' as const, 'entered' as const, 'exited' as const);
const passenger = fc.constantFrom('adult' as const, 'adult' as const, 'child' as const);
const door = fc.constantFrom(1, 1, 1, 2);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      events: fc.array(fc.record({ minute, door, direction, passenger, count }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fragment' as const),
      camera: fc.constantFrom('door1', 'door1', 'door1', 'door2'),
      minute,
      // The second announcement may differ from the first.
      lengths: fc.array(fc.integer({ min: 30, max: 240 }), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('manual' as const),
      fragment: fc.nat(),
      entered: fc.option(fc.nat(5), { freq: 5 }),
      kids: fc.option(fc.nat(5)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('video' as const),
      fragment: fc.nat(),
      events: fc.array(fc.record({ at: fc.nat(99), direction, passenger, count }), {
        maxLength: 3,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('settings' as const),
      day: fc.integer({ min: -5, max: 1 }),
      zone: fc.constantFrom('Europe/Berlin', 'Europe/Moscow', 'Asia/Kolkata', 'Pacific/Kiritimati'),
      source: fc.constantFrom<CountSource>('unit', 'video'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('shift' as const),
      day: fc.integer({ min: -1, max: 0 }),
      from: fc.option(fc.nat(20), { freq: 3 }),
      hours: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 3 }),
    }),
  },
);
/** Concurrent steps. A unit moves only while it sends nothing. */
const atOnce = fc
  .array(step, { minLength: 1, maxLength: 3 })
  .map((steps) => (steps.some(({ kind }) => kind === 'move') ? steps.slice(0, 1) : steps));
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A unit with one stream, and two buses between which it moves. */
function createStory(buses: readonly [TestBus, TestBus]) {
  const { db } = server.deps.database;
  const stream = randomUUID();
  const [{ unitId, credential }] = buses;
  let seq = 0;
  let at = 0;

  async function say(records: readonly object[]): Promise<void> {
    server.clock.advance(1000);
    const nowMs = server.clock.nowMs();
    // After a position the next batch takes the fast path.
    const position = { type: 'position', latitude: 52, longitude: 13, speed_kmh: 0, satellites: 9 };
    const all = [{ ...position, time: iso(nowMs) }, ...records].map((record) => {
      seq += 1;
      return { seq, ...record };
    });
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${credential}` },
      body: { stream, sent_at: iso(nowMs), records: all },
    });
    expect([answer.statusCode, answer.json<BatchAnswer>().refused]).toEqual([200, []]);
  }

  const fragments = () =>
    db.selectFrom('segments').selectAll().where('unit_id', '=', unitId).orderBy('id').execute();

  async function tell(one: Extract<Step, { kind: 'fragment' }>): Promise<void> {
    const startMs = NOW_MS + one.minute * MINUTE_MS;
    for (const [index, length] of one.lengths.entries()) {
      const end = iso(startMs + length * MINUTE_MS);
      const times = { time: iso(NOW_MS), start_time: iso(startMs), end_time: end };
      const video = index === 0 ? 'adding' : 'kept';
      await say([{ type: 'segment', camera: one.camera, video, ...times }]);
    }
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === 'events') {
      await say(
        one.events.map(({ minute: ago, ...event }) => ({
          type: 'passenger',
          time: iso(NOW_MS + ago * MINUTE_MS),
          ...event,
        })),
      );
    } else if (one.kind === 'fragment') await tell(one);
    else if (one.kind === 'move') {
      at = 1 - at;
      await db.updateTable('units').set({ workplace_id: null }).where('id', '=', unitId).execute();
      const { busId } = buses[at] as TestBus;
      await db.updateTable('units').set({ workplace_id: busId }).where('id', '=', unitId).execute();
      // Until its cache is stale, the server may assign the unit to the former bus.
      server.clock.advance(MINUTE_MS);
    } else if (one.kind === 'shift') {
      await setShift((buses[at] as TestBus).busId, one);
    } else if (one.kind === 'settings') {
      const day = addDays('2026-03-29', one.day);
      const { busId } = buses[at] as TestBus;
      await db.transaction().execute(async (tx) => {
        const { before } = await lockBusSettings(tx, busId, NOW_MS, day);
        const settings = { ...before, timezone: one.zone, count_source: one.source };
        await changeBusSettings(tx, [{ busId, day, settings }]);
      });
    } else {
      const all = await fragments();
      const chosen = all[one.fragment % Math.max(1, all.length)];
      if (chosen === undefined) return;
      if (one.kind === 'manual') await countByHand(chosen.id, one);
      else await countVideo(chosen, one);
    }
  }

  return { take };
}

async function setShift(
  busId: number,
  { day: offset, from, hours }: Extract<Step, { kind: 'shift' }>,
): Promise<void> {
  const day = addDays('2026-03-29', offset);
  await server.deps.database.db.transaction().execute(async (tx) => {
    await lockBatches(tx, busId);
    const { startMs } = await findDayBounds(tx, busId, day);
    const momentAt = (hour: number | null) =>
      hour === null ? null : new Date(startMs + hour * 60 * MINUTE_MS);
    const shift = {
      shift_start: momentAt(from),
      shift_end: momentAt(hours === null ? null : (from ?? 0) + hours),
    };
    await tx
      .insertInto('calculations')
      .values({ workplace_id: busId, day, ...shift })
      .onConflict((conflict) => conflict.columns(['workplace_id', 'day']).doUpdateSet(shift))
      .execute();
    await rebuildHours(tx, busId, [day]);
  });
}

async function countByHand(
  id: number,
  { entered, kids }: Extract<Step, { kind: 'manual' }>,
): Promise<void> {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/segments/update-events/${id}`,
    headers: { authorization: `Bearer ${token}` },
    body: {
      entered_manual: { adult: entered, kids },
      exited_manual: { adult: kids, kids: null },
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

async function countVideo(
  { id, start_time, end_time }: { id: number; start_time: Date; end_time: Date },
  { events }: Extract<Step, { kind: 'video' }>,
): Promise<void> {
  await server.deps.database.db
    .updateTable('segments')
    .set({ status: 'PROCESSING', status_from: 'LOADED' })
    .where('id', '=', id)
    .execute();
  const lengthMs = end_time.getTime() - start_time.getTime();
  const seen = events.map(({ at, ...event }) => ({
    ...event,
    door: null,
    timeMs: start_time.getTime() + Math.floor((lengthMs * at) / 100),
  }));
  const counted = { source: 'video' as const, events: seen, maxObjectsCount: 0 };
  await countFragmentJob(server.deps, async () => counted).run({ segmentId: id }, job);
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function expectHours(busId: number, days: readonly [string, string]): Promise<void> {
  const { db } = server.deps.database;
  const [kept, counted] = [await listHours(db, busId, ...days), await recountHours(db, busId)];
  const readable = (hours: readonly HourSum[]) =>
    hours.map(({ hourMs, ...people }) => ({ hour: iso(hourMs), ...people }));
  expect(readable(kept)).toEqual(readable(counted));
}

async function newBus(): Promise<TestBus> {
  const { db } = server.deps.database;
  return insertTestBus(db, client, randomUUID(), 'Europe/Berlin');
}

it('kept hours are what a recount of the raw records gives, whatever came in which order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(atOnce, { minLength: 4, maxLength: 10 }), async (steps) => {
      server.clock.set(NOW_MS);
      const buses = [await newBus(), await newBus()] as const;
      await server.deps.database.db
        .updateTable('units')
        .set({ workplace_id: null })
        .where('id', '=', buses[1].unitId)
        .execute();
      const story = createStory(buses);
      for (const some of steps) await Promise.all(some.map((one) => story.take(one)));
      for (const { busId } of buses) await expectHours(busId, ['2026-03-20', '2026-04-05']);
    }),
    { numRuns: triesOf(40) },
  );
}, 180_000);

it('a local day that a change of the zone leaves out has no hours, and keeps no other from being rebuilt', async () => {
  const { db } = server.deps.database;
  server.clock.set(NOW_MS);
  const bus = await insertTestBus(db, client, randomUUID(), 'Pacific/Pago_Pago');
  const story = createStory([bus, bus]);
  const door = { door: 1, direction: 'entered', passenger: 'adult', count: 1 } as const;
  const events = [0, -700, -1400, -2100, -2800].map((ago) => ({ minute: ago, ...door }));
  await story.take({ kind: 'events', events });
  // 25 hours ahead: the previous day begins in neither zone.
  await story.take({ kind: 'settings', day: 0, zone: 'Pacific/Kiritimati', source: 'unit' });
  await expectHours(bus.busId, ['2026-03-20', '2026-04-05']);
  expect(await listHours(db, bus.busId, '2026-03-28', '2026-03-28')).toEqual([]);
  expect(await listHours(db, bus.busId, '2026-03-28', '2026-04-05')).toEqual(
    await listHours(db, bus.busId, '2026-03-29', '2026-04-05'),
  );
});

it('the hours of a day that has two zones begin when the clocks of each strike', async () => {
  server.clock.set(NOW_MS);
  const bus = await insertTestBus(server.deps.database.db, client, randomUUID(), 'Asia/Kolkata');
  const story = createStory([bus, bus]);
  const door = { door: 1, direction: 'entered', passenger: 'adult', count: 1 } as const;
  // Half an hour apart from Berlin: 20:10 UTC in Kolkata, 0:20 UTC in Berlin.
  const events = [-950, -700].map((minute) => ({ minute, ...door }));
  await story.take({ kind: 'events', events });
  await story.take({ kind: 'settings', day: 0, zone: 'Europe/Berlin', source: 'unit' });
  await expectHours(bus.busId, ['2026-03-20', '2026-04-05']);
});

it('of a change of more than 62 days the newest are rebuilt at once, and the others read from the raw records until a job has', async () => {
  const { db } = server.deps.database;
  server.clock.set(NOW_MS);
  const bus = await newBus();
  const first = addDays('2026-03-29', -70);
  for (let day = 0; day < 70; day += 1) {
    const timeMs = dayRange(addDays(first, day), 'Europe/Berlin').startMs + 20 * MINUTE_MS;
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${bus.credential}` },
      body: {
        stream: randomUUID(),
        sent_at: iso(NOW_MS),
        records: [
          {
            type: 'passenger',
            seq: 1,
            time: iso(timeMs),
            door: 1,
            direction: 'entered',
            passenger: 'adult',
            count: 1,
          },
        ],
      },
    });
    expect(answer.statusCode).toBe(200);
  }
  await db.transaction().execute(async (tx) => {
    const { before } = await lockBusSettings(tx, bus.busId, NOW_MS, first);
    const settings = { ...before, timezone: 'Asia/Kolkata' };
    await changeBusSettings(tx, [{ busId: bus.busId, day: first, settings }]);
  });
  const stale = async () =>
    (
      await sql<{ day: string }>`select day from stale_hours
        where workplace_id = ${bus.busId} order by day`.execute(db)
    ).rows.map(({ day }) => day);
  // A statistic reads the day that goes on from its hours: without them it would answer 0.
  const before = await stale();
  expect(before.length).toBeGreaterThan(0);
  expect(before.at(-1)).toBe(addDays('2026-03-29', -62));
  const days = [addDays(first, -3), '2026-04-02'] as const;
  await expectHours(bus.busId, days);
  await rebuildHoursJob(server.deps).run({}, job);
  expect(await stale()).toEqual([]);
  await expectHours(bus.busId, days);
  expect(dayOf(NOW_MS, 'Asia/Kolkata')).toBe('2026-03-29');
});
