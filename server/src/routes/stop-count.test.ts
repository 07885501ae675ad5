import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import type { ErrorBody } from '@ridewatch/contract/errors';
import type { RouteStop } from '@ridewatch/contract/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestLap } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRoutesFromLaps } from './from-laps/from-laps-api.ts';
import { addRouteStops } from './stops-api.ts';

let server: TestServer;
let fleet: TestFleet;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteStops, addRoutesFromLaps]);
  server.clock.set(Date.parse('2026-11-21T09:00:00Z'));
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('operator');
});
afterAll(() => server.close());

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, language = 'en') =>
  server.app.inject({
    method,
    url: `/api/groups/${url}`,
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    ...(body === undefined ? {} : { body }),
  });

/** A route with a number of stops along a street, as an older version may have stored it. */
async function routeOf(stops: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into route_groups (client_id, name) values (${fleet.first}, ${`of ${stops}`}) returning id
    ), place as (
      insert into stop_classifiers (client_id, name, latitude, longitude)
      values (${fleet.first}, 'Остановка', 55.75, 37.6) returning id
    ), stops as (
      insert into route_stops (group_id) select id from made, generate_series(1, ${stops}::int)
      returning id
    ), versions as (
      insert into route_stop_versions (stop_id, valid_from, classifier_id, name, latitude, longitude,
        order_key, route_direction)
      select stops.id, '2010-01-01', place.id, 'Остановка', 55.75,
        37.6 + 0.0001 * (row_number() over (order by stops.id)), row_number() over (order by stops.id) - 1,
        'FORWARD'
      from stops, place
    )
    select id from made`.execute(server.deps.database.db);
  return rows[0]?.id ?? 0;
}

const stopsOf = async (groupId: number): Promise<RouteStop[]> =>
  (await ask('GET', `${groupId}/stops`)).json<{ items: RouteStop[] }>().items;

const bridge = {
  name: 'Мост',
  latitude: 55.751,
  longitude: 37.6,
  orderKey: 0,
  routeDirection: 'FORWARD',
};

describe('a route has at most a thousand stops', () => {
  it('takes the last of them, and refuses one more in the language of who asks', async () => {
    const groupId = await routeOf(MAX_ROUTE_STOPS - 1);
    expect((await ask('POST', `${groupId}/stop`, bridge)).statusCode).toBe(200);
    const more = { ...bridge, name: 'Мост 2' };
    const refused = await ask('POST', `${groupId}/stop`, more);
    expect([refused.statusCode, refused.json<ErrorBody>()]).toEqual([
      409,
      expect.objectContaining({
        error: 'conflict',
        field: 'stops',
        message: 'The route would have 1001 stops; a route has at most 1000.',
      }),
    ]);
    const russian = await ask('POST', `${groupId}/stop`, more, 'ru');
    expect(russian.json<ErrorBody>().message).toBe(
      'Остановок у маршрута стало бы 1001, а их бывает не больше 1000.',
    );
    expect(await stopsOf(groupId)).toHaveLength(MAX_ROUTE_STOPS);
  });

  it('makes no more of the halts of a lap', async () => {
    const { busId } = fleet.firstBus;
    const lapId = await insertTestLap(server.deps.database.db, busId);
    await sql`
      insert into halts (workplace_id, day, start_time, end_time, latitude, longitude, entered, exited)
      select ${busId}, '2026-11-20', at, at + interval '2 seconds', 55.7 + n * 0.002, 37.6, 1, 0
      from (select n, '2026-11-20T05:00:00Z'::timestamptz + n * interval '3 seconds' as at
        from generate_series(1, 1001) as n) as stood`.execute(server.deps.database.db);
    const groupId = await routeOf(2);
    const body = { groupId, lapId, workplaceId: busId };
    const answer = await ask('POST', 'stops/from-lap', body);
    expect([answer.statusCode, answer.json<ErrorBody>().field]).toEqual([409, 'stops']);
    expect(await stopsOf(groupId)).toHaveLength(2);
  });

  it('goes on working where it has more from earlier: they are edited and taken away', async () => {
    const groupId = await routeOf(MAX_ROUTE_STOPS + 5);
    const [first, second] = await stopsOf(groupId);
    expect((await ask('POST', `stop/${first?.id}`, { name: 'Мост' })).statusCode).toBe(200);
    expect((await ask('DELETE', `stop/${second?.id}`)).statusCode).toBe(200);
    expect((await ask('POST', `${groupId}/stop`, bridge)).statusCode).toBe(409);
    expect(await stopsOf(groupId)).toHaveLength(MAX_ROUTE_STOPS + 4);
  });
});
