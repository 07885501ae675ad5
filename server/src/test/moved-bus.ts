// A bus that passes from the first customer to the second at noon of a day. It drives, counts and records on that day and
// on the next one, and across the midnight between them.
import { sql } from 'kysely';
import { closeDaysJob, settleDaysJob } from '../figures/settle-job.ts';
import { drive, thereAndBack } from './drive.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from './fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  sendRecords,
} from './laps.ts';
import type { TestServer } from './test-deps.ts';

/** The first customer's last day, and the second one's first. */
export const LAST_DAY = '2026-03-10';
export const FIRST_DAY = '2026-03-11';
/** In Moscow. */
export const MIDNIGHT_MS = Date.parse('2026-03-10T21:00:00Z');
const NOON_MS = Date.parse('2026-03-10T09:00:00Z');
const NOW_MS = Date.parse('2026-03-11T18:00:00Z');
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

/** The values that only the customer of a day may read. */
export const secrets = {
  first: { route: 'Тайный маршрут А', stop: 'Тайное место А', driver: 'Водитель А', fare: '47.11' },
  second: {
    route: 'Тайный маршрут Б',
    stop: 'Тайное место Б',
    driver: 'Водитель Б',
    fare: '53.13',
  },
} as const;

export interface MovedBus {
  readonly fleet: TestFleet;
  readonly bus: TestBus;
  /** Of both customers. */
  readonly routes: { readonly first: number; readonly second: number };
  /** By login: administrator, both customers (with the edit right), and an integrator of the second. */
  readonly tokens: Record<string, string>;
  /** Drives on, over midnight into the evening of the second customer's first day. */
  goOn(): Promise<Fragments>;
}

/** Fragments of the two days, and the one that runs over midnight. */
export interface Fragments {
  readonly first: number;
  readonly overMidnight: number;
  readonly second: number;
}

const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
  ],
  500,
);
const times = (startMs: number, endMs: number) => ({
  start_time: new Date(startMs).toISOString(),
  end_time: new Date(endMs).toISOString(),
});

/**
 * Makes the bus, which has just passed on: the clock stands at noon of the first customer's last day.
 * @param server with sign-in, the unit interface and the administration at least
 */
export async function makeMovedBus(server: TestServer): Promise<MovedBus> {
  const { db } = server.deps.database;
  server.clock.set(NOON_MS);
  const fleet = await insertTestFleet(db, 'Europe/Moscow');
  await sql`update users set role = 'OPERATOR' where login in ('first', 'second')`.execute(db);
  await sql`update integrator_clients set client_id = ${fleet.second}`.execute(db);
  const bus = await insertTestBus(db, fleet.first, 'Переходит', 'Europe/Moscow');
  const second = await insertTestBus(db, fleet.second, 'Второй Второго', 'Europe/Moscow');
  const routes = { first: bus.routeId, second: second.routeId };
  for (const whose of ['first', 'second'] as const) {
    await insertTestRoute(db, routes[whose], street);
    const { route, stop } = secrets[whose];
    await sql`update route_groups set name = ${route} where id = ${routes[whose]}`.execute(db);
    await sql`update stop_classifiers set name = ${stop} || ' ' || id
      where client_id = ${fleet[whose]}`.execute(db);
    await sql`update route_stop_versions set name = ${stop} || ' ' || order_key
      where stop_id in (select id from route_stops where group_id = ${routes[whose]})`.execute(db);
  }
  const tokens: Record<string, string> = {};
  const signIn = async () => {
    for (const login of ['admin', 'first', 'second', 'integrator']) {
      tokens[login] = await server.signIn(login);
    }
  };
  const change = async (part: string, wanted: object) => {
    const url = `/api/admin/buses/${bus.busId}`;
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const inject = { method: 'PUT', url: url + part, headers, payload: wanted } as const;
    const answer = await server.app.inject(inject);
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  const work = async (whose: 'first' | 'second', date: string) => {
    await computeDay(server.deps, { busId: bus.busId, day: date });
    const { driver, fare } = secrets[whose];
    // Less is handed in than due.
    await sql`update calculations set driver = ${driver}, fare_kopecks = ${Number(fare) * 100},
        salary_percent = 20, handed_in_kopecks = 1
      where workplace_id = ${bus.busId} and day = ${date}`.execute(db);
    await closeDaysJob(server.deps).run({}, job);
    await settleDaysJob(server.deps).run({}, job);
  };
  await signIn();
  await sendRecords(server.app, bus, morning('2026-03-10T03:00:00Z', 1), NOON_MS);
  await work('first', LAST_DAY);
  await change('', { client_ids: [fleet.second] });
  await change('/settings', { valid_from: FIRST_DAY, group_id: routes.second });

  const goOn = async (): Promise<Fragments> => {
    server.clock.set(NOW_MS);
    const atNight = [
      passengerRecord(MIDNIGHT_MS - 5000, 'entered', 3),
      passengerRecord(MIDNIGHT_MS + 5000, 'entered', 4),
      segment(MIDNIGHT_MS - 10_000, MIDNIGHT_MS + 10_000),
    ];
    const records = [...atNight, ...morning('2026-03-11T03:00:00Z', 2)];
    await sendRecords(server.app, bus, records, NOW_MS);
    await work('first', LAST_DAY);
    await work('second', FIRST_DAY);
    await signIn();
    const found = await db
      .selectFrom('segments')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .orderBy('start_time')
      .execute();
    const [first = 0, overMidnight = 0, last = 0] = found.map(({ id }) => id);
    return { first, overMidnight, second: last };
  };
  return { fleet, bus, routes, tokens, goOn };
}

// A lap, and people at its second stop with video.
function morning(start: string, people: number): Record<string, unknown>[] {
  const startMs = Date.parse(start);
  const { points, laps } = drive(street, { seed: 1, startMs, laps: 1 });
  const stayMs = laps[0]?.stays[1]?.[0] ?? startMs;
  return [
    ...positionRecords(points),
    passengerRecord(stayMs + 5000, 'entered', people),
    passengerRecord(stayMs + 6000, 'exited', people),
    segment(stayMs, stayMs + 20_000),
  ];
}

function segment(startMs: number, endMs: number): Record<string, unknown> {
  const time = new Date(endMs).toISOString();
  return { type: 'segment', time, camera: 'door1', ...times(startMs, endMs), video: 'kept' };
}
