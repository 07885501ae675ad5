import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type * as contract from '@ridewatch/contract/laps';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { computeDay, insertTestRoute, positionRecords, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addLaps } from './api.ts';

const DAY = '2026-03-10';
const NOW_MS = Date.parse(`${DAY}T09:00:00Z`);
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const truth = drive(street, {
  seed: 4,
  startMs: Date.parse(`${DAY}T05:00:00Z`),
  laps: 2,
  skip: 0.4,
});

let server: TestServer;
let stops: contract.LapStop[];
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  const { firstBus: bus } = await insertTestFleet(db, 'Europe/Moscow');
  await insertTestRoute(db, bus.routeId, street);
  await sendRecords(server.app, bus, positionRecords(truth.points), NOW_MS);
  await computeDay(server.deps, { busId: bus.busId, day: DAY });
  const answer = await server.app.inject({
    url: `/api/bus-stop/search?workplaceId=${bus.busId}&date=${DAY}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  stops = answer.json<ResponseOf<typeof contract.searchStops>>().items;
});
afterAll(() => server.close());

it('a stop that the bus drove past has the time of it and no arrival; a visited one the reverse', () => {
  const passings = truth.laps.flatMap((lap) => lap.passings);
  expect(stops).toHaveLength(passings.length);
  const passed = stops.filter(({ skipped }) => skipped === 'passed');
  expect(passed.length).toBeGreaterThan(5);
  for (const [index, stop] of stops.entries()) {
    const isPassed = stop.skipped === 'passed';
    expect([stop.arrival === null, stop.passed_at !== null]).toEqual([isPassed, isPassed]);
    const passing = passings[index];
    if (stop.passed_at === null || typeof passing !== 'number') continue;
    expect(Math.abs(Date.parse(stop.passed_at) - passing)).toBeLessThan(5000);
  }
});
