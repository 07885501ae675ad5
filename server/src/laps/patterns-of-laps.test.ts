import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type * as contract from '@ridewatch/contract/laps';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addRoutePatterns } from '../routes/patterns-api.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  sendRecords,
} from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addLaps } from './api.ts';

const DAY = '2026-03-10';
const NOW_MS = Date.parse(`${DAY}T15:00:00Z`);
const long = thereAndBack(
  [
    [0, 0],
    [6000, 0],
  ],
  500,
);
/** The first two kilometres. */
const short = {
  ...long,
  stops: long.stops.filter(({ direction, orderKey }) =>
    direction === 'FORWARD' ? orderKey <= 4 : orderKey >= 8,
  ),
  track: long.stops.slice(0, 5),
};
const [first, second] = [long, short].map((route, n) =>
  drive(route, { seed: n, startMs: Date.parse(`${DAY}T${n === 0 ? '05' : '06'}:00:00Z`), laps: 1 }),
);

let server: TestServer;
let fleet: TestFleet;
let ids: Map<number, number>;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addRoutePatterns, addLaps]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  ids = await insertTestRoute(db, fleet.firstBus.routeId, long);
  const stays = second?.laps[0]?.stays ?? [];
  const at = (stop: number): number => (stays[stop]?.[0] ?? 0) + 3000;
  await sendRecords(
    server.app,
    fleet.firstBus,
    [
      ...positionRecords([...(first?.points ?? []), ...(second?.points ?? [])]),
      passengerRecord(at(1), 'entered', 2),
      passengerRecord(at(4), 'exited', 2),
    ],
    NOW_MS,
  );
  token = await server.signIn('operator');
});
afterAll(() => server.close());

const ask = (url: string, body?: object) =>
  server.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

async function dayLaps() {
  const { busId } = fleet.firstBus;
  await computeDay(server.deps, { busId, day: DAY });
  const answer = await ask(`/api/bus-stop/day-laps?workplaceId=${busId}&date=${DAY}`);
  return answer.json<ResponseOf<typeof contract.listDayLaps>>().items;
}

const addShort = (validFrom: string) =>
  ask(`/api/groups/${fleet.firstBus.routeId}/pattern`, {
    name: 'Короткий',
    stop_ids: short.stops.map(({ id }) => ids.get(id)),
    valid_from: validFrom,
  });

it('a lap names its pattern from the day on from which the route has several', async () => {
  const before = await dayLaps();
  expect(before.map(({ pattern, incomplete }) => [pattern, incomplete])).toEqual([
    [null, null],
    [null, 'short_turn'],
  ]);
  expect((await addShort('2026-03-11')).statusCode).toBe(200);
  expect(await dayLaps()).toEqual(before);
  const { rows } = await server.deps.database.pool.query<{ id: string }>(
    'select max(pattern_id) as id from route_pattern_versions where stop_ids is not null',
  );
  const id = Number(rows[0]?.id);
  await ask(`/api/groups/pattern/${id}`, { name: 'До моста', valid_from: '2026-03-11' });
  expect((await addShort(DAY)).statusCode).toBe(200);
  const laps = await dayLaps();
  expect(
    laps.map(({ pattern, incomplete, entered }) => [pattern?.name, incomplete, entered]),
  ).toEqual([
    ['FORWARD 0 – FORWARD 12', null, 0],
    ['Короткий', null, 2],
  ]);
});

it('the stops of a lap are those of its pattern, with its passengers', async () => {
  const [, lap] = await dayLaps();
  const { busId } = fleet.firstBus;
  const answer = await ask(
    `/api/bus-stop/search?workplaceId=${busId}&date=${DAY}&lapId=${lap?.lap_id}`,
  );
  const { items } = answer.json<ResponseOf<typeof contract.searchStops>>();
  expect(items.map(({ id }) => id)).toEqual(short.stops.map(({ id }) => ids.get(id)));
  expect(items.map(({ passengers }) => passengers)).toEqual([0, 2, 2, 2, 0, 0, 0, 0, 0, 0]);
});
