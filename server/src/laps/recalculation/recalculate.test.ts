import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { drive, thereAndBack } from '../../test/drive.ts';
import { insertTestFleet, type TestBus } from '../../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  positionRecords,
  runRecalculation,
  sendRecords,
} from '../../test/laps.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addLaps } from '../api.ts';
import { lapsOfPackedDay } from '../computation/packed-day.ts';

const DAY = '2026-03-10';
const MINUTE_MS = 60_000;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const { points, laps } = drive(street, {
  seed: 1,
  startMs: Date.parse('2026-03-10T03:00:00Z'),
  laps: 3,
});
/** The bus is on its third lap. */
const NOW_MS = (laps[2]?.startMs ?? 0) + 5 * MINUTE_MS;

let server: TestServer;
let bus: TestBus;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps]);
  const fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('operator');
  bus = fleet.firstBus;
  await insertTestRoute(server.deps.database.db, bus.routeId, street);
  await driveUntil(Number.NEGATIVE_INFINITY, NOW_MS);
  await computeDay(server.deps, { busId: bus.busId, day: DAY });
});
afterAll(() => server.close());

async function driveUntil(fromMs: number, toMs: number): Promise<void> {
  server.clock.set(toMs);
  const driven = points.filter(([ms]) => ms >= fromMs && ms < toMs);
  await sendRecords(server.app, bus, positionRecords(driven), toMs);
}

const nothing = { items: [], failed: [], looked_until: DAY, recalculation: null };

async function recalculate(preview: boolean): Promise<unknown> {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/bus-stop/update/${bus.busId}`,
    headers: { authorization: `Bearer ${token}` },
    body: { dateFrom: DAY, dateTo: DAY, preview },
  });
  return answer.json();
}

it('of a day on which the bus still drives finds no change in what it drove meanwhile', async () => {
  expect(await recalculate(true)).toEqual(nothing);
  await driveUntil(NOW_MS, NOW_MS + 3 * MINUTE_MS);
  expect(await recalculate(true)).toEqual(nothing);
  await recalculate(false);
  expect(await runRecalculation(server.deps)).toMatchObject({ state: 'done', items: [] });
});

it('finds one in a lap that has ended, though the figures of the day stay', async () => {
  await server.deps.database.pool.query(
    "update route_stop_versions set name = 'Пристань' where order_key = 1",
  );
  const day = { date: DAY, laps_before: 3, laps_after: 3 };
  expect(await recalculate(true)).toMatchObject({ items: [day] });
});

it('days on which nothing came are worked out without their route', async () => {
  const { busId: workplaceId } = bus;
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/bus-stop/update/${workplaceId}`,
    headers: { authorization: `Bearer ${token}` },
    body: { dateFrom: '2026-03-06', dateTo: DAY, preview: false },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const routed: boolean[] = [];
  const stood = await runRecalculation(server.deps, async (day) => {
    routed.push(day.route !== null);
    return lapsOfPackedDay(day);
  });
  expect(stood).toMatchObject({ state: 'done', done: 5 });
  // In some zones the day before includes these records, since it reads six hours beyond its end.
  expect(routed.toSpliced(3, 1)).toEqual([false, false, false, true]);
});
