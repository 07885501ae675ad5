import { MAP_ROUTES_KEPT_MS, MAX_ROUTE_POINTS, type MapRoute } from '@ridewatch/contract/home';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { saveTrack } from '../routes/tracks.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });

beforeAll(async () => {
  server = await createTestServer([addAuth, addHome]);
  server.clock.set(Date.parse('2026-11-20T11:30:00Z'));
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
});
afterAll(() => server.close());

async function track(routeId: number, day: string, points: readonly ReturnType<typeof at>[]) {
  await server.deps.database.db.transaction().execute((tx) => saveTrack(tx, routeId, day, points));
  server.clock.advance(MAP_ROUTES_KEPT_MS);
}
async function routesOf(login: string, query = ''): Promise<MapRoute[]> {
  // The clock moves on further than a token lives.
  const headers = { authorization: `Bearer ${await server.signIn(login)}` };
  const answer = await server.app.inject({ url: `/api/gps/routes${query}`, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ items: MapRoute[] }>().items;
}

describe('the routes on the map of all buses', () => {
  it('are those that visible buses are on, with the track of today', async () => {
    const { firstBus, secondBus } = fleet;
    await track(firstBus.routeId, '2026-01-01', [at(55, 37), at(55.1, 37)]);
    await track(firstBus.routeId, '2026-11-20', [at(55, 37), at(55.2, 37)]);
    await track(firstBus.routeId, '2026-11-21', [at(55, 37), at(55.3, 37)]);
    await track(secondBus.routeId, '2026-12-01', [at(56, 37), at(56.1, 37)]);
    const first = {
      id: firstBus.routeId,
      name: 'Маршрут Автобус 10',
      line: [
        [55, 37],
        [55.2, 37],
      ],
    };
    expect(await routesOf('first')).toEqual([first]);
    expect(await routesOf('admin', `?clientId=${fleet.first}`)).toEqual([first]);
    expect((await routesOf('admin')).map(({ id }) => id)).toEqual(
      [firstBus.routeId, secondBus.routeId].sort((a, b) => a - b),
    );
    // A route has the first track it gets also before it is valid.
    expect((await routesOf('second'))[0]?.line).toEqual([
      [56, 37],
      [56.1, 37],
    ]);
  });

  it('have the track of the day that their buses have', async () => {
    const { routeId } = await insertTestBus(
      server.deps.database.db,
      fleet.second,
      'Автобус 3',
      'Asia/Vladivostok',
    );
    await track(routeId, '2026-01-01', [at(43, 131), at(43.1, 131)]);
    await track(routeId, '2026-11-21', [at(43, 131), at(43.2, 131)]);
    const lastPointAt = async (moment: string) => {
      server.clock.set(Date.parse(moment));
      return (await routesOf('second')).find(({ id }) => id === routeId)?.line.at(-1);
    };
    expect(await lastPointAt('2026-11-20T16:30:00+03:00')).toEqual([43.1, 131]);
    expect(await lastPointAt('2026-11-20T17:30:00+03:00')).toEqual([43.2, 131]);
  });

  it('are lines of few points that keep their shape and their end', async () => {
    const steps = Array.from({ length: 5 * MAX_ROUTE_POINTS }, (_, n) => n);
    const wave = steps.map((n) => at(55 + n * 0.0001, 37 + 0.01 * Math.sin(n / 40)));
    await track(fleet.firstBus.routeId, '2026-11-20', wave);
    const line = (await routesOf('first'))[0]?.line ?? [];
    expect(line.length).toBeGreaterThan(50);
    expect(line.length).toBeLessThanOrEqual(MAX_ROUTE_POINTS + 1);
    expect(line.at(-1)?.[0]).toBeCloseTo(wave.at(-1)?.latitude ?? 0, 5);
  });
});
