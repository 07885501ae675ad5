import type { RouteCost } from '@ridewatch/contract/costs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRouteCosts } from './costs-api.ts';

const [YESTERDAY, TODAY, NEXT_WEEK] = ['2026-03-09', '2026-03-10', '2026-03-17'];
let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteCosts]);
  server.clock.set(Date.parse('2026-03-10T20:00:00Z'));
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['operator', 'first']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());
beforeEach(async () => {
  route = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
});

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, login = 'operator') =>
  server.app.inject({
    method,
    url: `/api/route-cost${url}`,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
    ...(body === undefined ? {} : { body }),
  });

/** Prices on a day as `0-2 45.00`; stops by their index in the test's route. */
async function pricesOn(date: string): Promise<string[]> {
  const { items } = (await ask('GET', `/group/${route.routeId}?date=${date}`)).json<{
    items: RouteCost[];
  }>();
  const at = (id: number) => route.stopIds.indexOf(id);
  return items.map((one) => `${at(one.from_stop_id)}-${at(one.to_stop_id)} ${one.cost}`);
}

const ride = (from: number, to: number, cost: string | null) => ({
  from_stop_id: route.stopIds[from],
  to_stop_id: route.stopIds[to],
  cost,
});
const one = (from: number, to: number, cost: string, validFrom?: string) => ({
  group_id: route.routeId,
  ...ride(from, to, cost),
  ...(validFrom === undefined ? {} : { valid_from: validFrom }),
});

describe('the price table of a route', () => {
  it('takes a price from today on; yesterday keeps its own', async () => {
    const answer = await ask('POST', '', one(0, 2, '50'));
    expect(answer.json()).toMatchObject({ ...ride(0, 2, '50.00'), group_id: route.routeId });
    expect(answer.json().route_cost_id).toBe(answer.json().id);
    expect(await pricesOn(YESTERDAY)).toEqual(['0-2 45.00']);
    expect(await pricesOn(TODAY)).toEqual(['0-2 50.00']);
  });

  it('takes a price dated earlier, and leaves one that is planned', async () => {
    await ask('POST', '', one(0, 2, '60', NEXT_WEEK));
    await ask('POST', `/${route.costId}`, one(0, 2, '50.5', '2026-03-01'));
    expect(await pricesOn('2026-02-28')).toEqual(['0-2 45.00']);
    expect(await pricesOn('2026-03-01')).toEqual(['0-2 50.50']);
    expect(await pricesOn(TODAY)).toEqual(['0-2 50.50']);
    expect(await pricesOn(NEXT_WEEK)).toEqual(['0-2 60.00']);
  });

  it('stood before its first day as on it, until it is changed there', async () => {
    await ask('POST', '', one(0, 2, '40', '2009-12-01'));
    expect(await pricesOn('2009-12-31')).toEqual(['0-2 40.00']);
    expect(await pricesOn(TODAY)).toEqual(['0-2 40.00']);
  });

  it('is set in blocks; no cost takes a price away, of two for one ride the last counts', async () => {
    const items = [ride(0, 2, null), ride(0, 1, '20.00'), ride(1, 2, '1'), ride(1, 2, '25.50')];
    const answer = await ask('PUT', '', { group_id: route.routeId, items });
    expect(answer.json<{ total: number }>().total).toBe(2);
    expect(await pricesOn(TODAY)).toEqual(['0-1 20.00', '1-2 25.50']);
    expect(await pricesOn(YESTERDAY)).toContain('0-2 45.00');
  });

  it('has no prices of a stop that is gone; the day before it had them', async () => {
    await server.deps.database.db
      .updateTable('route_stop_versions')
      .set({ valid_to: TODAY })
      .where('stop_id', '=', route.stopIds[2] ?? 0)
      .execute();
    expect(await pricesOn(YESTERDAY)).toEqual(['0-2 45.00']);
    expect(await pricesOn(TODAY)).toEqual([]);
  });

  it('keeps the id of a price that changes twice on a day', async () => {
    const first = (await ask('POST', '', one(0, 1, '20'))).json<RouteCost>();
    const again = await ask('POST', `/${first.id}`, one(0, 1, '21'));
    expect(again.json()).toMatchObject({ id: first.id, cost: '21.00' });
  });

  it('takes a table of a long route at once', async () => {
    const { db } = server.deps.database;
    const { rows } = await server.deps.database.pool.query<{ id: number }>(
      `with made as (insert into route_stops (group_id) select $1 from generate_series(1, 150) returning id)
       insert into route_stop_versions
         (stop_id, valid_from, classifier_id, name, latitude, longitude, order_key, route_direction)
       select made.id, valid_from, classifier_id, name, latitude, longitude, made.id - $2, route_direction
       from made, route_stop_versions where stop_id = $2 returning stop_id as id`,
      [route.routeId, route.stopIds[0]],
    );
    const ids = rows.map(({ id }) => id);
    const items = ids.flatMap((from) =>
      ids
        .filter((to) => to > from)
        .map((to) => ({ from_stop_id: from, to_stop_id: to, cost: '45.00' })),
    );
    const answer = await ask('PUT', '', { group_id: route.routeId, items });
    expect([answer.statusCode, items.length]).toEqual([200, 11_175]);
    const { count } = await db
      .selectFrom('route_costs')
      .where('group_id', '=', route.routeId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(11_176);
  });

  it('is not changed by who saw another price; the answer says which one is there now', async () => {
    const seen = (cost: string, saw: string | null) => ({
      ...one(0, 2, cost),
      seen: { cost: saw },
    });
    expect((await ask('POST', '', seen('47', '45.00'))).statusCode).toBe(200);
    const later = await ask('POST', '', seen('50', '45.00'));
    expect([later.statusCode, later.json().error, later.json().field]).toEqual([
      409,
      'conflict',
      'seen.cost',
    ]);
    expect(later.json().message).toContain('47.00');
    const block = { ...ride(0, 2, null), seen: { cost: '45.00' } };
    const items = [{ ...ride(0, 1, '20'), seen: { cost: null } }, block];
    const refused = await ask('PUT', '', { group_id: route.routeId, items });
    expect([refused.statusCode, refused.json().field]).toEqual([409, 'items.1.seen.cost']);
    expect(await pricesOn(TODAY)).toEqual(['0-2 47.00']);
    expect((await ask('POST', '', seen('50', '47'))).statusCode).toBe(200);
    // A retry after a lost answer: the price already has the wanted value.
    expect((await ask('POST', '', seen('50', '47'))).statusCode).toBe(200);
    const none = await ask('POST', '', { ...one(0, 1, '20'), seen: { cost: '30' } });
    expect([none.statusCode, none.json().message]).toEqual([
      409,
      'was changed meanwhile: there is no price now',
    ]);
  });

  it('has no price for a ride against a route that goes one way; on one that comes back it has', async () => {
    const { pool } = server.deps.database;
    const back = () => ask('POST', '', one(2, 0, '30'));
    const isOneWay = async () => (await ask('GET', `/group/${route.routeId}`)).json().one_way;
    expect([await isOneWay(), (await back()).statusCode]).toEqual([false, 200]);
    expect(
      (await ask('PUT', '', { group_id: route.routeId, items: [ride(2, 0, null)] })).statusCode,
    ).toBe(200);
    await pool.query(
      `update route_stop_versions as v set route_direction = 'FORWARD', order_key = 3, longitude = 37.65
       from route_stops as s where s.id = v.stop_id and s.group_id = $1 and route_direction = 'REVERSE'`,
      [route.routeId],
    );
    expect(await isOneWay()).toBe(true);
    const answer = await back();
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'to_stop_id']);
    expect(answer.json().message).toContain('goes one way');
    const items = [ride(0, 1, '20'), ride(2, 1, '20')];
    const block = await ask('PUT', '', { group_id: route.routeId, items });
    expect([block.statusCode, block.json().field]).toEqual([400, 'items.1.to_stop_id']);
    const gone = await ask('PUT', '', { group_id: route.routeId, items: [ride(2, 1, null)] });
    expect([gone.statusCode, await pricesOn(TODAY)]).toEqual([200, ['0-2 45.00']]);
  });

  it('refuses a price for a day on which the route does not have the stop, and takes one away', async () => {
    const { pool } = server.deps.database;
    const [, school] = route.stopIds;
    await pool.query(`update route_stop_versions set valid_from = $2 where stop_id = $1`, [
      school,
      TODAY,
    ]);
    const refused = [
      400,
      'invalid_request',
      'to_stop_id',
      `is not a stop of this route on ${YESTERDAY}`,
    ];
    for (const [method, body, prefix] of [
      ['POST', one(0, 1, '20', YESTERDAY), ''],
      [
        'PUT',
        { group_id: route.routeId, items: [ride(0, 1, '20')], valid_from: YESTERDAY },
        'items.0.',
      ],
    ] as const) {
      const answer = await ask(method, '', body);
      const { error, field, message } = answer.json();
      expect([answer.statusCode, error, field.replace(prefix, ''), message]).toEqual(refused);
    }
    const past = await ask('POST', '', one(0, 2, '40', YESTERDAY));
    expect([past.statusCode, await pricesOn(YESTERDAY)]).toEqual([200, ['0-2 40.00']]);
    const items = [ride(0, 1, null)];
    const away = await ask('PUT', '', { group_id: route.routeId, items, valid_from: YESTERDAY });
    expect(away.statusCode).toBe(200);
  });

  it('writes one audit row with the prices that were and are', async () => {
    await ask('PUT', '', { group_id: route.routeId, items: [ride(0, 2, '50')] });
    const { rows } = await server.deps.database.pool.query(
      `select action, before, after from audit_log
       where object_type = 'route_group' and object_id = $1`,
      [String(route.routeId)],
    );
    expect(rows).toEqual([
      {
        action: 'set_route_costs',
        before: { items: [ride(0, 2, '45.00')] },
        after: { items: [ride(0, 2, '50')], valid_from: TODAY },
      },
    ]);
  });

  it('cannot be changed by hand-made requests of a user who may only look', async () => {
    for (const answer of [
      await ask('POST', '', one(0, 2, '1'), 'first'),
      await ask('POST', `/${route.costId}`, one(0, 2, '1'), 'first'),
      await ask('PUT', '', { group_id: route.routeId, items: [ride(0, 2, '1')] }, 'first'),
    ]) {
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'no_right']);
    }
    expect(await pricesOn(TODAY)).toEqual(['0-2 45.00']);
  });

  it.each(['45,00', '-1', '45.001', '', '1e3', 45, null, '12345678'])(
    'refuses %j for a price',
    async (cost) => {
      const answer = await ask('POST', '', { ...one(0, 2, ''), cost });
      expect([answer.statusCode, answer.json().field]).toEqual([400, 'cost']);
    },
  );

  it("refuses a stop of another route, a ride that ends where it begins, and another ride's price", async () => {
    const other = await insertTestRoute(server.deps.database.db, fleet.second, `${Math.random()}`);
    const fieldOf = async (url: string, body: object) => {
      const answer = await ask('POST', url, body);
      return [answer.statusCode, answer.json().field];
    };
    const foreign = { ...one(0, 2, '1'), to_stop_id: other.stopIds[2] };
    expect(await fieldOf('', foreign)).toEqual([400, 'to_stop_id']);
    expect(await fieldOf('', one(1, 1, '1'))).toEqual([400, 'to_stop_id']);
    expect(await fieldOf(`/${route.costId}`, one(0, 1, '1'))).toEqual([400, 'to_stop_id']);
    expect(await fieldOf(`/${other.costId}`, one(0, 2, '1'))).toEqual([404, undefined]);
    const items = [ride(0, 2, '1'), { ...ride(0, 2, '1'), cost: '1,5' }];
    const block = await ask('PUT', '', { group_id: route.routeId, items });
    expect([block.statusCode, block.json().field]).toEqual([400, 'items.1.cost']);
    const strange = { group_id: route.routeId, items: [ride(0, 2, '1'), ride(2, 2, '1')] };
    expect((await ask('PUT', '', strange)).json().field).toBe('items.1.to_stop_id');
    expect(await pricesOn(TODAY)).toEqual(['0-2 45.00']);
  });
});
