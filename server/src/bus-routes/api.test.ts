import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { BusInfo, BusList } from '@ridewatch/contract/buses';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBuses } from '../buses/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusRoutes } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
/** The 11th in Yekaterinburg, the 10th in Moscow. */
const NOW_MS = Date.parse('2026-03-10T20:00:00Z');
let bus: TestBus;
let otherRoute: number;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addBusRoutes, addBuses]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens.set(login, await server.signIn(login));
  }
  const inserted = await db
    .insertInto('route_groups')
    .values([
      { client_id: fleet.first, name: 'Маршрут 9' },
      { client_id: fleet.first, name: 'Маршрут старый', deleted: true },
    ])
    .returning('id')
    .execute();
  otherRoute = inserted[0]?.id ?? 0;
});
afterAll(() => server.close());
beforeEach(async () => {
  // The test inserts the bus directly, so cached lists must become stale.
  server.clock.advance(5000);
  const { db } = server.deps.database;
  bus = await insertTestBus(db, fleet.first, `Автобус ${Math.random()}`, 'Asia/Yekaterinburg');
});

const headersOf = (login: string) => ({ authorization: `Bearer ${tokens.get(login)}` });

const setRoute = (body: unknown, login = 'admin') =>
  server.app.inject({
    method: 'PUT',
    url: '/api/set-group',
    headers: headersOf(login),
    body: body as object,
  });

async function routeInList(app: FastifyInstance): Promise<number | null | undefined> {
  const answer = await app.inject({ url: '/api/bus_list', headers: headersOf('admin') });
  return answer.json<BusList>().items.find(({ id }) => id === bus.busId)?.group?.id;
}

async function routeOn(date: string): Promise<number | undefined> {
  const answer = await server.app.inject({
    url: `/api/bus/info/${bus.busId}?date=${date}`,
    headers: headersOf('admin'),
  });
  return answer.json<BusInfo>().group?.id;
}

const settingsOf = () =>
  server.deps.database.db
    .selectFrom('workplace_settings')
    .select(['valid_from', 'group_id', 'timezone'])
    .where('workplace_id', '=', bus.busId)
    .orderBy('valid_from')
    .execute();

describe('moving a bus to another group', () => {
  it("holds from the bus's own today on; the days before keep theirs", async () => {
    const answer = await setRoute({ workplaceId: bus.busId, groupId: otherRoute });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        workplaceId: bus.busId,
        group: {
          id: otherRoute,
          name: 'Маршрут 9',
          client_id: fleet.first,
          deleted: false,
          type_calculation: 'FIXED',
        },
      },
    ]);
    expect(await routeOn('2026-03-10')).toBe(bus.routeId);
    expect(await routeOn('2026-03-11')).toBe(otherRoute);
    expect(await settingsOf()).toEqual([
      { valid_from: '2010-01-01', group_id: bus.routeId, timezone: 'Asia/Yekaterinburg' },
      { valid_from: '2026-03-11', group_id: otherRoute, timezone: 'Asia/Yekaterinburg' },
    ]);
  });

  it('a second time on the same day leaves one entry for that day', async () => {
    await setRoute({ workplaceId: bus.busId, groupId: otherRoute });
    const answer = await setRoute({ workplaceId: bus.busId, groupId: UNGROUPED });
    expect(answer.json()).toEqual({ workplaceId: bus.busId, group: null });
    expect((await settingsOf()).map((row) => row.group_id)).toEqual([bus.routeId, null]);
    expect(await routeInList(server.app)).toBeUndefined();
  });

  it('shows in the list at once', async () => {
    expect(await routeInList(server.app)).toBe(bus.routeId);
    await setRoute({ workplaceId: bus.busId, groupId: otherRoute });
    expect(await routeInList(server.app)).toBe(otherRoute);
  });

  it('shows in the cached list of another process without waiting for it to grow old', async () => {
    const other = await server.another();
    expect(await routeInList(other)).toBe(bus.routeId);
    await setRoute({ workplaceId: bus.busId, groupId: otherRoute });
    await vi.waitFor(async () => expect(await routeInList(other)).toBe(otherRoute));
  });

  it('writes one audit row with what was before and after', async () => {
    await setRoute({ workplaceId: bus.busId, groupId: otherRoute });
    const { rows } = await server.deps.database.pool.query(
      `select login, action, before, after from audit_log join users on users.id = user_id
       where object_type = 'workplace' and object_id = $1`,
      [String(bus.busId)],
    );
    expect(rows).toEqual([
      {
        login: 'admin',
        action: 'set_group',
        before: { group_id: bus.routeId },
        after: { group_id: otherRoute, valid_from: '2026-03-11' },
      },
    ]);
  });

  it('is for administrators alone', async () => {
    for (const login of ['first', 'second', 'integrator', 'operator']) {
      const answer = await setRoute({ workplaceId: bus.busId, groupId: otherRoute }, login);
      // The second customer does not see the bus.
      expect([login, answer.statusCode]).toEqual([login, login === 'second' ? 404 : 403]);
    }
    expect(await settingsOf()).toHaveLength(1);
  });

  it("finds neither another customer's group, nor a deleted one, nor what does not exist", async () => {
    const deleted = await server.deps.database.db
      .selectFrom('route_groups')
      .select('id')
      .where('deleted', '=', true)
      .executeTakeFirstOrThrow();
    const bodies = [
      { workplaceId: bus.busId, groupId: fleet.secondBus.routeId },
      { workplaceId: bus.busId, groupId: deleted.id },
      { workplaceId: bus.busId, groupId: 999_999 },
      { workplaceId: 999_999, groupId: otherRoute },
    ];
    for (const body of bodies) {
      const answer = await setRoute(body);
      expect([body, answer.statusCode]).toEqual([body, 404]);
    }
    expect(await settingsOf()).toHaveLength(1);
  });

  it.each([
    [{ groupId: 1 }, 'workplaceId'],
    [{ groupId: 'Маршрут 9', workplaceId: 1 }, 'groupId'],
    [{ groupId: -1, workplaceId: 1 }, 'groupId'],
    [{ groupId: 1, workplaceId: 1.5 }, 'workplaceId'],
    [{ groupId: 1, workplaceId: '../1' }, 'workplaceId'],
  ])('refuses %j with 400 and names the field', async (body, field) => {
    const answer = await setRoute(body);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, field]);
  });
});

describe("a customer's groups", () => {
  const ask = (login: string, id: number | string) =>
    server.app.inject({ url: `/api/groups/client/${id}`, headers: headersOf(login) });

  it('are listed by name as people sort, without deleted ones', async () => {
    const { db } = server.deps.database;
    const names = ['Маршрут 10', 'Маршрут 2', 'маршрут 1'];
    await db
      .insertInto('route_groups')
      .values(names.map((name) => ({ client_id: fleet.integrator, name })))
      .execute();
    const answer = await ask('integrator', fleet.integrator);
    const { items, total, number } = answer.json<{
      items: { name: string }[];
      total: number;
      number: number;
    }>();
    expect(items.map(({ name }) => name)).toEqual(['маршрут 1', 'Маршрут 2', 'Маршрут 10']);
    expect([total, number]).toEqual([3, 0]);
    const mine = await ask('first', fleet.first);
    expect(mine.body).not.toContain('Маршрут старый');
  });

  it("are those one may see; for another customer's the answer is that of none", async () => {
    for (const [login, id, status] of [
      ['admin', fleet.second, 200],
      ['first', fleet.first, 200],
      ['integrator', fleet.first, 200],
      ['operator', fleet.first, 200],
      ['first', fleet.second, 404],
      ['operator', fleet.second, 404],
      ['first', 999_999, 404],
      ['admin', 999_999, 404],
      ['admin', '..%2Fx', 400],
    ] as const) {
      expect([login, id, (await ask(login, id)).statusCode]).toEqual([login, id, status]);
    }
  });
});
