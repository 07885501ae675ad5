// Routes from a day with three positions a second: a user who asks for them holds up nobody else.

import type { ProposedStop } from '@ridewatch/contract/route-proposal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { BLOCKS, insertDenseBus } from '../../test/dense-bus.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { positionRecords, sendRecords } from '../../test/laps.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { measuresCost } from '../../test/tries-of.ts';
import { addRoutesFromLaps } from './from-laps-api.ts';

const DAY = '2026-11-19';
const START_MS = Date.parse(`${DAY}T00:00:00+03:00`);
const POSITIONS = 860 * BLOCKS;
/** Rounds of 320 km each at 37 m/s. */
const ROUNDS = 10;
const OF_ROUND = POSITIONS / ROUNDS;
const ROUND_MS = 86_400_000 / ROUNDS;
/** Places where it stands on the way there: each could be the terminal. */
const PLACES = 12;
/** Length of the way there, millionths of a degree. */
const WAY_E6 = 1_440_000;
const STAND_MS = 60_000;

let server: TestServer;
let fleet: TestFleet;
let token: string;
let bus: TestBus;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addRoutesFromLaps]);
  server.clock.set(START_MS + 40 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('operator');
  // Its month has a place from then on.
  const position = positionRecords([[START_MS, 55.75, 37.6, 20]]);
  await sendRecords(server.app, fleet.firstBus, position, server.clock.nowMs());
  const period = { startMs: START_MS, count: POSITIONS };
  bus = await insertDenseBus(server, fleet.first, period, (n) => {
    const along = (n % OF_ROUND) / OF_ROUND;
    // There on one side of a wide road, back on the other: no point of the way back is near one of the way there.
    const [north, east] = along < 0.5 ? [2 * along, 0] : [2 - 2 * along, 1800];
    return [54_000_000 + Math.round(north * WAY_E6), 37_600_000 + east];
  });
  const halts = Array.from({ length: ROUNDS * PLACES }, (_, n) => {
    const share = (n % PLACES) / PLACES;
    const atMs = START_MS + (Math.floor(n / PLACES) + share / 2) * ROUND_MS;
    return {
      workplace_id: bus.busId,
      day: DAY,
      start_time: new Date(atMs),
      end_time: new Date(atMs + STAND_MS),
      latitude: 54 + (share * WAY_E6) / 1e6,
      longitude: 37.6,
      entered: 1,
      exited: 0,
    };
  });
  await server.deps.database.db.insertInto('halts').values(halts).execute();
});
afterAll(() => server.close());

it('finds the stops of a day with many positions beside the main thread', async () => {
  const before = process.threadCpuUsage();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/bus-stop/generate',
    headers: { authorization: `Bearer ${token}` },
    body: { workplaceId: bus.busId, date: DAY, save: false },
  });
  const { user, system } = process.threadCpuUsage(before);
  expect(answer.statusCode).toBe(200);
  const { items } = answer.json<{ items: ProposedStop[] }>();
  expect(items.length).toBeGreaterThanOrEqual(PLACES);
  // On the main thread it took some seconds.
  if (measuresCost()) expect((user + system) / 1000).toBeLessThan(400);
});
