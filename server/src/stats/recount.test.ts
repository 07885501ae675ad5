// Statistics are what a recount of the raw records gives, whatever came in which order, and whatever is settled yet.

import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { addDays, formatMoment } from '@ridewatch/contract/day';
import { roublesOf } from '@ridewatch/contract/money';
import { tickOf, ticksOf, weekdayOf } from '@ridewatch/contract/stat-ticks';
import type { DayTraffic, PassengerTraffic } from '@ridewatch/contract/stats';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import {
  boundsOfDay,
  listZoneSpans,
  listZonesOf,
  presentDaysOf,
  zoneAt,
} from '../days/bus-days.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addReview } from '../manual-counts/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { type RecountedDay, recountDays, recountHours } from '../test/recount.ts';
import { atOnce, DAYS, day } from '../test/stat-steps.ts';
import { createWorlds, NOW_MS, type World } from '../test/stat-world.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { triesOf } from '../test/tries-of.ts';
import { addStats } from './api.ts';

const FILTERS = 70;
/** `npm run bench Q8` tries many more. */
const RUNS = Number(process.env.RECOUNT_WORLDS ?? triesOf(3));
const LIMIT_MS = RUNS * 40_000;
const logins = ['admin', 'first', 'second', 'operator'] as const;

let server: TestServer;
let fleet: TestFleet;
let worlds: ReturnType<typeof createWorlds>;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addReview, addStats]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of logins) tokens[login] = await server.signIn(login);
  worlds = createWorlds(server, fleet, tokens.admin ?? '');
});
afterAll(() => server.close());

const filter = fc.record({
  login: fc.constantFrom(...logins),
  groupby: fc.constantFrom('bus' as const, 'route' as const),
  buses: fc.option(fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 })),
  from: day,
  length: fc.integer({ min: 0, max: DAYS }),
  weekdays: fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })),
  tick: fc.option(fc.constantFrom('day' as const, 'month' as const, 'year' as const)),
});
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

/** The rights of a user. A customer sees its own days of a bus and its routes; the operator those of the first customer. */
interface Rights {
  owns(busId: number, day?: string): boolean;
  knows(routeId: number): boolean;
}

async function rightsOf(login: Filter['login']): Promise<Rights> {
  const client = login === 'second' ? fleet.second : fleet.first;
  const { db } = server.deps.database;
  const owned = await db
    .selectFrom('bus_owners')
    .selectAll()
    .where('client_id', '=', client)
    .execute();
  const routes = await db
    .selectFrom('route_groups')
    .select('id')
    .where('client_id', '=', client)
    .execute();
  return {
    owns: (busId, local) =>
      login === 'admin' ||
      owned.some(
        ({ workplace_id, from_day, to_day }) =>
          workplace_id === busId &&
          (local === undefined ||
            ((from_day === '-infinity' || from_day <= local) &&
              (to_day === 'infinity' || local <= to_day))),
      ),
    knows: (routeId) => login === 'admin' || routes.some(({ id }) => id === routeId),
  };
}

const numbersOf = ({ buses }: World, { owns }: Rights): number[] =>
  buses.flatMap(({ busId }, n) => (owns(busId) ? [n] : []));

function expectedOf(
  one: Filter,
  { owns, knows }: Rights,
  days: readonly RecountedDay[],
  presentDays: ReadonlyMap<number, string>,
) {
  const span = { dateFrom: one.from, dateTo: addDays(one.from, one.length) };
  const tick = tickOf(span, undefined, one.tick ?? undefined);
  const rows = new Map<string, ReturnType<typeof emptyRow>>();
  for (const { dateFrom, dateTo } of ticksOf(span, tick)) {
    for (const part of days) {
      if (part.day < dateFrom || part.day > dateTo || !owns(part.busId, part.day)) continue;
      if (one.weekdays !== null && !one.weekdays.includes(weekdayOf(part.day))) continue;
      const isTold = part.routeId !== null && knows(part.routeId);
      const route = isTold ? (part.routeId ?? UNGROUPED) : UNGROUPED;
      const id = one.groupby === 'bus' ? part.busId : route;
      const running = part.day >= (presentDays.get(part.busId) ?? '');
      const row = rows.get(`${dateFrom} ${id} ${running}`) ?? emptyRow(dateFrom, id, running);
      row.entered += part.entered;
      row.exited += part.exited;
      row.entered_kids += part.enteredKids;
      row.exited_kids += part.exitedKids;
      row.kopecks += part.kopecks;
      rows.set(`${dateFrom} ${id} ${running}`, row);
    }
  }
  return [...rows.values()]
    .filter(({ start_time: _, id: __, running: ___, ...sums }) =>
      Object.values(sums).some((sum) => sum !== 0),
    )
    .map(({ kopecks, ...row }) => ({ ...row, fare: roublesOf(kopecks) }));
}

const emptyRow = (start_time: string, id: number | typeof UNGROUPED, running: boolean) => ({
  ...{
    start_time,
    id,
    running,
    entered: 0,
    exited: 0,
    entered_kids: 0,
    exited_kids: 0,
    kopecks: 0,
  },
});

async function check(
  world: World,
  one: Filter,
  recounted: readonly RecountedDay[][],
  isSettled = false,
) {
  const rights = await rightsOf(one.login);
  const visible = numbersOf(world, rights);
  const chosen = one.buses?.filter((n) => visible.includes(n)) ?? [];
  const wanted = chosen.length === 0 ? visible : chosen;
  const answer = await ask<PassengerTraffic>(world, 'passenger-traffic', one, chosen, {
    groupby: one.groupby,
    ...(one.tick !== null && { tick: one.tick }),
  });
  const { items, pending } = answer;
  const mine = new Set(world.buses.map(({ busId }) => busId));
  const found = items
    // Rows of former worlds have other buses and routes; only buses without a route share a series.
    .filter(({ id }) => one.groupby === 'route' || mine.has(id as number))
    .map(({ no_price: _, silent_hours: __, days: ___, heard_hours: ____, ...row }) => row)
    .filter(({ start_time: _, id: __, running: ___, ...sums }) =>
      Object.values(sums).some(isSomething),
    );
  const keyOf = (row: (typeof found)[number]) => `${row.start_time} ${row.id} ${row.running}`;
  const inOrder = (rows: typeof found) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const zones = await listZonesOf(server.deps.database.db, [...mine]);
  const present = presentDaysOf(zones, server.clock.nowMs());
  expect(isSettled ? pending : 0).toBe(0);
  expect(inOrder(found)).toEqual(
    inOrder(
      expectedOf(
        one,
        rights,
        wanted.flatMap((n) => recounted[n] ?? []),
        new Map(present.map(({ busId, day }) => [busId, day])),
      ),
    ),
  );
}

async function ask<T>(
  world: World,
  path: string,
  one: Filter,
  chosen: readonly number[],
  more: Readonly<Record<string, string>>,
): Promise<T> {
  const dateTo = addDays(one.from, one.length);
  const query = new URLSearchParams({ dateFrom: one.from, dateTo, ...more });
  for (const n of chosen) query.append('workplaces[]', String(world.buses[n]?.busId));
  for (const weekday of one.weekdays ?? []) query.append('dayOfWeek', String(weekday));
  const answer = await server.app.inject({
    url: `/api/stat/${path}?${query}`,
    headers: { authorization: `Bearer ${tokens[one.login]}` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** Hours are of chosen buses: those of former worlds have people at the same time. */
async function checkHours(world: World, one: Filter, by: 'hour' | 'weekday_hour') {
  const { db } = server.deps.database;
  const rights = await rightsOf(one.login);
  const visible = numbersOf(world, rights);
  const chosen = one.buses?.filter((n) => visible.includes(n)) ?? [];
  if (chosen.length === 0) return;
  // Weekdays: from a month earlier on, so that most ranges have a whole month.
  const filter =
    by === 'hour'
      ? { ...one, length: Math.min(one.length, 30) }
      : { ...one, from: addDays(one.from, -30), length: one.length + 30 };
  const { items } = await ask<{ items: DayTraffic[] }>(world, 'day-traffic', filter, chosen, {
    by,
  });
  const people = new Map<string, { entered: number; exited: number }>();
  for (const n of chosen) {
    const busId = world.buses[n]?.busId ?? 0;
    const zones = await listZoneSpans(db, busId);
    const { startMs } = boundsOfDay(zones, filter.from);
    const { endMs } = boundsOfDay(zones, addDays(filter.from, filter.length));
    for (const sum of await recountHours(db, busId)) {
      if (sum.hourMs < startMs || sum.hourMs >= endMs) continue;
      const at = formatMoment(sum.hourMs, zoneAt(zones, sum.hourMs), 'YYYY-MM-DD H');
      const [day = '', hour] = at.split(' ');
      if (!(one.weekdays ?? [weekdayOf(day)]).includes(weekdayOf(day))) continue;
      if (!rights.owns(busId, day)) continue;
      const key = `${by === 'hour' ? day : weekdayOf(day)} ${hour}`;
      const before = people.get(key) ?? { entered: 0, exited: 0 };
      people.set(key, {
        entered: before.entered + sum.enteredAdults + sum.enteredKids,
        exited: before.exited + sum.exitedAdults + sum.exitedKids,
      });
    }
  }
  const known = [...people].filter(([, { entered, exited }]) => entered !== 0 || exited !== 0);
  const told = items.map(({ date, weekday, hour, entered, exited }) => [
    `${date ?? weekday} ${hour}`,
    { entered, exited },
  ]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(known));
}

const isSomething = (sum: number | string): boolean => sum !== 0 && sum !== '0.00';

it(
  'answers of random filters are what a recount of the raw records gives, before and after days are settled',
  async () => {
    const { db } = server.deps.database;
    await fc.assert(
      fc.asyncProperty(
        fc.array(atOnce, { minLength: 12, maxLength: 24 }),
        fc.array(filter, { minLength: FILTERS, maxLength: FILTERS }),
        fc.array(atOnce, { minLength: 3, maxLength: 6 }),
        async (steps, filters, more) => {
          server.clock.set(NOW_MS);
          const world = await worlds.newWorld();
          for (const some of steps) await Promise.all(some.map((one) => worlds.take(world, one)));
          const recounted: RecountedDay[][] = [];
          for (const { busId } of world.buses) recounted.push(await recountDays(db, busId));
          const half = filters.length / 2;
          for (const one of filters.slice(0, half)) await check(world, one, recounted);
          await worlds.settleAll(world);
          for (const one of filters.slice(half)) await check(world, one, recounted, true);
          for (const one of filters.slice(0, 10)) await checkHours(world, one, 'hour');
          await worlds.rebuildAll(world);
          for (const one of filters.slice(0, 20)) await check(world, one, recounted);
          for (const one of filters.slice(0, 5)) await checkHours(world, one, 'hour');
          await worlds.settleAll(world);
          const ranges = filters.slice(10, 30);
          for (const one of ranges) await checkHours(world, one, 'weekday_hour');
          // The profiles of some months are stale now.
          for (const some of more) await Promise.all(some.map((step) => worlds.take(world, step)));
          for (const one of ranges) await checkHours(world, one, 'weekday_hour');
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  LIMIT_MS,
);
