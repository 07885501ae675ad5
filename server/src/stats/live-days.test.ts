// Statistics read so much of the list of days that wait as they use, and say how many days it has.
import { randomUUID } from 'node:crypto';
import { addDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_LIVE_DAYS } from '../days/unsettled.ts';
import { insertTestBus, insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { listLiveDays } from './live-days.ts';
import type { Selection } from './selection.ts';

const FIRST_DAY = '2022-01-01';
const DAYS = 1_500;
const BUSES = 8;
const LAST_DAY = addDays(FIRST_DAY, DAYS - 1);

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([]);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db);
  const buses: number[] = [];
  for (let n = 0; n < BUSES; n += 1) {
    buses.push((await insertTestBus(db, first, randomUUID(), 'Europe/Berlin')).busId);
  }
  const days = sql`select bus, ${FIRST_DAY}::date + shift
    from unnest(${buses}::bigint[]) as bus cross join generate_series(0, ${DAYS - 1}::int) as shift`;
  await sql`insert into unsettled_days (workplace_id, day) ${days}`.execute(db);
  // In two lists; it counts once.
  await sql`insert into lap_days (workplace_id, day, due_at)
    values (${buses[0]}, ${LAST_DAY}, now())`.execute(db);
  await sql`insert into stale_hours (workplace_id, day)
    values (${buses[1]}, ${LAST_DAY}), (${buses[2]}, ${addDays(LAST_DAY, 1)})`.execute(db);
});
afterAll(() => server.close());

const selectionOf = (dateFrom: string, dateTo: string): Selection => ({
  viewer: { clientIds: 'all' } as Selection['viewer'],
  days: { dateFrom, dateTo, weekdays: undefined },
  buses: 'all',
});

it('the newest 10,000 of more waiting days are read live, and all others are said to be pending', async () => {
  const { db } = server.deps.database;
  const selection = selectionOf(FIRST_DAY, addDays(LAST_DAY, 1));
  const { days, pending } = await listLiveDays(db, selection, Date.parse(FIRST_DAY));
  // Two of the newest have hours that are being rebuilt.
  expect(days).toHaveLength(MOST_LIVE_DAYS - 2);
  expect(days[0]?.day).toBe(LAST_DAY);
  expect(pending).toBe(BUSES * DAYS + 1 - days.length);
});

it('the waiting days of a shorter period are all read live, but for those whose hours are being rebuilt', async () => {
  const { db } = server.deps.database;
  const selection = selectionOf(addDays(LAST_DAY, -9), LAST_DAY);
  const { days, pending } = await listLiveDays(db, selection, Date.parse(FIRST_DAY));
  expect([days.length, pending]).toEqual([BUSES * 10 - 1, 1]);
});

it('an ended day is pending until it is settled, because its silent hours are not known', async () => {
  const { db } = server.deps.database;
  const pendingAt = async (moment: string): Promise<number> =>
    (await listLiveDays(db, selectionOf(LAST_DAY, LAST_DAY), Date.parse(moment))).pending;
  const [bus] = (
    await db.selectFrom('workplaces').select('id').orderBy('id', 'desc').execute()
  ).map(({ id }) => id);
  const next = addDays(LAST_DAY, 1);
  expect(await pendingAt(`${LAST_DAY}T20:00:00Z`)).toBe(1);
  expect(await pendingAt(`${next}T00:00:00Z`)).toBe(BUSES);
  // Its laps may be asked for until the next morning.
  await sql`insert into day_traffic (workplace_id, day, entered_adults, entered_kids,
    exited_adults, exited_kids, entered_manual, exited_manual, revenue_kopecks, no_price_milli, heard,
    heard_hours, silent_hours, closed)
    values (${bus}, ${LAST_DAY}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, true)`.execute(db);
  expect(await pendingAt(`${next}T03:00:00Z`)).toBe(BUSES - 1);
  expect(await pendingAt(`${next}T06:00:00Z`)).toBe(BUSES);
});
