// Statistics speak of days that are over by the clock of each bus; the day that runs is apart, and counts until now where
// somebody asks for it, on both sides of a comparison.
import { randomUUID } from 'node:crypto';
import { addDays, momentOf } from '@ridewatch/contract/day';
import { findPassengerTraffic, type PassengerTraffic } from '@ridewatch/contract/stats';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { addAuth } from '../auth/api.ts';
import { closeDaysJob, settleDaysJob } from '../figures/settle-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addLaps } from '../laps/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { passengerRecord, runLapsJob, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addStats } from './api.ts';

const [MOSCOW, YEKATERINBURG] = ['Europe/Moscow', 'Asia/Yekaterinburg'];
/** A Wednesday in Moscow, when Yekaterinburg has Thursday. */
const [DAY, NEXT] = ['2026-11-25', '2026-11-26'];
const NOW_MS = momentOf(`${DAY}T22:15:00`, MOSCOW);
const MONDAY = addDays(DAY, -2);
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;
let token: string;
let west: TestBus;
let east: TestBus;
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps, addStats]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('first');
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  west = await insertTestBus(db, fleet.first, randomUUID(), MOSCOW);
  east = await insertTestBus(db, fleet.first, randomUUID(), YEKATERINBURG);
});

/** Sends who got on at times of the bus's clock. */
async function enter(
  bus: TestBus,
  zone: string,
  events: readonly (readonly [wall: string, count: number])[],
) {
  const records = events.map(([wall, count]) =>
    passengerRecord(momentOf(`${wall}:00`, zone), 'entered', count),
  );
  await sendRecords(server.app, bus, records, server.clock.nowMs());
}

/** Two people at eight and at half past nine on each of the days. */
const twiceEach = (days: readonly string[]) =>
  days.flatMap((day) => ['08:00', '09:30'].map((time) => [`${day}T${time}`, 2] as const));

async function settle(bus: TestBus, days: readonly string[]): Promise<void> {
  for (const day of days) await runLapsJob(server.deps, { busId: bus.busId, day });
  await closeDaysJob(server.deps).run({}, job);
  await settleDaysJob(server.deps).run({}, job);
}

async function ask(query: Readonly<Record<string, string>>, buses = [west, east]) {
  const text = new URLSearchParams({ groupby: 'bus', ...query });
  for (const { busId } of buses) text.append('workplaces', String(busId));
  const answer = await server.app.inject({
    url: `/api/stat/passenger-traffic?${text}`,
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.statusCode !== 200) return { status: answer.statusCode, body: answer.json() };
  const body = answer.json<PassengerTraffic>();
  (findPassengerTraffic.response as z.ZodMiniType).parse(body);
  return { status: 200, body };
}
const read = async (query: Readonly<Record<string, string>>, buses?: TestBus[]) =>
  (await ask(query, buses)).body as PassengerTraffic;
/** Bus, day, people, and whether the day runs. */
const rowsOf = ({ items }: PassengerTraffic) =>
  items.map(({ id, start_time, entered, running }) => [
    id === west.busId ? 'west' : 'east',
    ...[start_time, entered, running],
  ]);

const week = { dateFrom: MONDAY, dateTo: addDays(MONDAY, 6) };
const lastWeek = { dateFrom: addDays(MONDAY, -7), dateTo: addDays(MONDAY, -1) };
const compared = { comparedFrom: week.dateFrom, comparedTo: week.dateTo };

it('a day runs for the buses whose clock has not ended it, whichever it is elsewhere', async () => {
  await enter(west, MOSCOW, [
    [`${addDays(DAY, -1)}T08:00`, 7],
    [`${DAY}T08:00`, 5],
  ]);
  await enter(east, YEKATERINBURG, [
    [`${DAY}T08:00`, 3],
    [`${NEXT}T00:05`, 1],
  ]);
  const rows = [
    ['west', addDays(DAY, -1), 7, false],
    ['west', DAY, 5, true],
    ['east', DAY, 3, false],
    ['east', NEXT, 1, true],
  ];
  for (const whenSettled of [false, true]) {
    if (whenSettled) {
      await settle(west, [addDays(DAY, -1), DAY]);
      await settle(east, [DAY, NEXT]);
    }
    const answer = await read(week);
    expect(rowsOf(answer)).toEqual(rows);
    expect(answer.totals).toMatchObject({ entered: 10, days_with_data: 2 });
    expect((await read({ ...week, until: 'now' })).totals.entered).toBe(16);
    const month = await read({ ...week, tick: 'month' });
    expect(month.items.map(({ entered, running, days }) => [entered, running, days])).toEqual([
      ...[
        [7, false, 1],
        [5, true, 1],
      ],
      ...[
        [3, false, 1],
        [1, true, 1],
      ],
    ]);
  }
});

it('by route the days of its buses that are over are apart from those that run', async () => {
  await server.deps.database.db
    .updateTable('workplace_settings')
    .set({ group_id: west.routeId })
    .where('workplace_id', '=', east.busId)
    .execute();
  await enter(west, MOSCOW, [[`${DAY}T08:00`, 5]]);
  await enter(east, YEKATERINBURG, [[`${DAY}T08:00`, 3]]);
  const { items } = await read({ ...week, groupby: 'route' });
  const found = items.map(({ id, entered, running, days }) => [id, entered, running, days]);
  expect(found).toEqual([
    [west.routeId, 3, false, 1],
    [west.routeId, 5, true, 1],
  ]);
});

it('a range that runs is compared with as many days of each bus as are over', async () => {
  const days = [0, 1, 2, 3].map((n) => addDays(lastWeek.dateFrom, n));
  await enter(
    west,
    MOSCOW,
    days.map((day) => [`${day}T08:00`, 10] as const),
  );
  await enter(
    east,
    YEKATERINBURG,
    days.map((day) => [`${day}T08:00`, 1] as const),
  );
  const { totals, items } = await read({ ...lastWeek, ...compared });
  // Monday and Tuesday of one, and Wednesday of the other, too.
  expect(totals.entered).toBe(2 * 10 + 3);
  expect(items.every(({ running }) => !running)).toBe(true);
  expect((await read(lastWeek)).totals.entered).toBe(44);
});

it('until now both sides end at the same time of the clock, of whose hour its share counts', async () => {
  const [before] = [addDays(DAY, -7)];
  await enter(west, MOSCOW, [
    [`${before}T08:00`, 10],
    [`${before}T22:40`, 8],
    [`${before}T23:10`, 100],
  ]);
  const { items, totals } = await read({ ...lastWeek, ...compared, until: 'now' }, [west]);
  // At a quarter past ten: a quarter of the eight.
  expect(rowsOf({ items } as PassengerTraffic)).toEqual([['west', before, 12, true]]);
  expect(totals.entered).toBe(12);
});

it('a range that is over for a bus is compared with a whole one, however long that is', async () => {
  await enter(west, MOSCOW, [['2026-10-31T08:00', 4]]);
  server.clock.set(momentOf('2026-12-01T09:00:00', MOSCOW));
  token = await server.signIn('first');
  const october = { dateFrom: '2026-10-01', dateTo: '2026-10-31' };
  const november = { comparedFrom: '2026-11-01', comparedTo: '2026-11-30' };
  expect((await read({ ...october, ...november }, [west])).totals.entered).toBe(4);
  const running = { comparedFrom: '2026-12-01', comparedTo: '2026-12-31' };
  expect((await read({ ...october, ...running }, [west])).totals.entered).toBe(0);
});

it('the days of a bus before its first record are missing, as many hours a day as it has later', async () => {
  const first = addDays(DAY, -4);
  const all = [...Array(14).keys()].map((n) => addDays(DAY, -14 + n));
  await enter(west, MOSCOW, twiceEach(all));
  const late = all.filter((day) => day >= first);
  await enter(east, YEKATERINBURG, twiceEach(late));
  await settle(west, all);
  await settle(east, late);
  const range = { dateFrom: all[0] ?? '', dateTo: all.at(-1) ?? '' };
  const { series, totals } = await read(range);
  const missing = new Map(series.map(({ id, missing_hours }) => [id, missing_hours]));
  // Two hours on each of ten days.
  expect([missing.get(west.busId), missing.get(east.busId)]).toEqual([0, 20]);
  expect(totals).toMatchObject({ heard_hours: 2 * 14 + 2 * 4, missing_hours: 20 });
  const mondays = new URLSearchParams({ ...range, dayOfWeek: '1' });
  // One Monday lies before its first record, and one after it.
  expect((await read(Object.fromEntries(mondays))).totals.missing_hours).toBe(2);
  const byRoute = await read({ ...range, groupby: 'route' });
  expect(byRoute.series.find(({ id }) => id === east.routeId)?.missing_hours).toBe(20);
});

it('one end of a compared range without the other is refused with its name', async () => {
  for (const [given, field] of [
    ['comparedFrom', 'comparedTo'],
    ['comparedTo', 'comparedFrom'],
  ] as const) {
    const { status, body } = await ask({ ...lastWeek, [given]: MONDAY });
    expect([status, body]).toEqual([400, expect.objectContaining({ field })]);
  }
});
