// One change of several rows: all of them or none, with an audit row each; and what happened last to a unit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addRetention } from '../retention/api.ts';
import { insertTestBus, insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration, addRetention]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function change(
  kind: string,
  ids: readonly number[],
  wanted: object,
  { role = 'admin', preview = false } = {},
) {
  const answer = await server.app.inject({
    method: 'POST',
    url: kind === 'retention' ? '/api/retention/several' : `/api/admin/${kind}/several`,
    headers: { authorization: `Bearer ${tokens[role]}` },
    payload: { ids, preview, change: wanted },
  });
  return { status: answer.statusCode, body: answer.json() };
}
const query = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
  (await server.deps.database.pool.query(text, values)).rows;

describe('several buses', () => {
  it('are put on a route from a day on; those that are on it already stay as they are', async () => {
    const { db } = server.deps.database;
    const [third, fourth] = [
      await insertTestBus(db, fleet.first, 'Автобус 3'),
      await insertTestBus(db, fleet.first, 'Автобус 4'),
    ];
    const wanted = { group_id: third.routeId, valid_from: '2026-12-01' };
    const ids = [fourth.busId, third.busId];
    expect((await change('buses', ids, wanted)).body).toEqual({
      ...{ changed: 1, changed_ids: [fourth.busId] },
    });
    const rows = await query<{ bus: number; route: number }>(
      `select workplace_id as bus, group_id as route from workplace_settings
       where workplace_id = any($1::bigint[]) and valid_from = '2026-12-01'`,
      ids,
    );
    expect(rows).toContainEqual({ bus: fourth.busId, route: third.routeId });
    const audit = await query('select from audit_log where action = $1', 'set_bus_settings');
    expect(audit.length).toBeGreaterThan(0);
  });

  it('leave the fleet together, and a second time nothing changes', async () => {
    const ids = [fleet.firstBus.busId, fleet.secondBus.busId];
    expect((await change('buses', ids, { retired: true })).body).toMatchObject({ changed: 2 });
    expect((await change('buses', ids, { retired: true })).body).toEqual({
      changed: 0,
      changed_ids: [],
    });
    expect((await change('buses', ids, { retired: false })).body).toMatchObject({ changed: 2 });
    const rows = await query<{ action: string }>(
      "select action from audit_log where action in ('retire_bus', 'return_bus') order by id",
    );
    expect(rows.map(({ action }) => action)).toEqual([
      ...['retire_bus', 'retire_bus', 'return_bus', 'return_bus'],
    ]);
  });

  it('take turns when two calls change the same ones at once', async () => {
    const ids = [fleet.firstBus.busId, fleet.secondBus.busId];
    const answers = await Promise.all(
      [true, false, true, false].map((retired) => change('buses', ids, { retired })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await change('buses', ids, { retired: false })).status).toBe(200);
  });

  it('all stay as they are when one is refused, and the answer names it', async () => {
    const ids = [fleet.firstBus.busId, fleet.secondBus.busId];
    const before = await query('select * from workplace_settings order by 1, 2');
    const wanted = { group_id: fleet.firstBus.routeId, valid_from: '2026-12-24' };
    expect(await change('buses', ids, wanted)).toMatchObject({
      status: 409,
      body: { error: 'conflict', field: 'ids.1.group_id' },
    });
    expect(await query('select * from workplace_settings order by 1, 2')).toEqual(before);
  });

  it('with a foreign one are as one that does not exist', async () => {
    const ids = [fleet.firstBus.busId, fleet.secondBus.busId];
    const foreign = await change('buses', ids, { retired: true }, { role: 'integrator' });
    const missing = await change(
      'buses',
      [ids[0] ?? 0, 999_999],
      { retired: true },
      { role: 'integrator' },
    );
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const moved = { group_id: fleet.firstBus.routeId, valid_from: '2026-12-24' };
    const asked = await change('buses', [fleet.firstBus.busId], moved, { role: 'integrator' });
    expect(asked).toMatchObject({ status: 403, body: { field: 'ids.0.group_id' } });
  });

  it('are at most 1,000 at once', async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => at + 1);
    expect((await change('buses', ids, { retired: true })).status).toBe(400);
    expect((await change('buses', ids.slice(1), { retired: true })).status).toBe(404);
  });
});

describe('a preview', () => {
  it('says which rows would become different and which are refused, and changes nothing', async () => {
    const ids = [fleet.firstBus.busId, fleet.secondBus.busId];
    const [first, second] = ids;
    expect((await change('buses', [first ?? 0], { retired: true })).body.changed).toBe(1);
    const preview = { preview: true };
    const audits = await query('select id from audit_log');
    expect((await change('buses', ids, { retired: true }, preview)).body).toEqual({
      ...{ changed: 1, changed_ids: [second], refused: [] },
    });
    const wanted = { group_id: fleet.secondBus.routeId, valid_from: '2026-12-24' };
    const third = await insertTestBus(server.deps.database.db, fleet.first, 'Автобус 11');
    const refusedAll = await change('buses', [third.busId, ...ids], wanted, preview);
    const why = { error: 'conflict', field: 'group_id', message: expect.any(String) };
    expect(refusedAll).toMatchObject({
      ...{ status: 200, body: { changed: 0 } },
    });
    expect(refusedAll.body.refused).toEqual([
      { id: first, ...why },
      { id: third.busId, ...why },
    ]);
    expect(await query('select id from audit_log')).toEqual(audits);
    const rows = await query('select from workplaces where retired_at is not null');
    expect(rows).toHaveLength(1);
    await change('buses', ids, { retired: false });
  });

  it('of a route names the one that each bus has on that day, though it has another one now', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, 'Автобус 7');
    const other = await insertTestBus(db, fleet.first, 'Автобус 8');
    const ids = [bus.busId];
    const from = (group_id: number | null, valid_from: string) => ({ group_id, valid_from });
    await change('buses', ids, from(other.routeId, '2026-12-10'));
    const formerOn = async (day: string) =>
      (await change('buses', ids, from(null, day), { preview: true })).body.former_routes;
    const [own, later] = [
      { id: bus.routeId, name: 'Маршрут Автобус 7' },
      { id: other.routeId, name: 'Маршрут Автобус 8' },
    ];
    expect(await formerOn('2026-12-09')).toEqual([{ id: bus.busId, route: own }]);
    expect(await formerOn('2026-12-10')).toEqual([{ id: bus.busId, route: later }]);
    await change('buses', ids, from(null, '2026-12-11'));
    const back = await change('buses', ids, from(bus.routeId, '2026-12-12'), { preview: true });
    expect(back.body.former_routes).toEqual([{ id: bus.busId, route: null }]);
    const same = await change('buses', ids, from(null, '2026-12-12'), { preview: true });
    expect(same.body).toEqual({
      ...{ changed: 0, changed_ids: [], refused: [], former_routes: [] },
    });
  });

  it('of customers names those that each bus has now, as far as the user sees them', async () => {
    const { db } = server.deps.database;
    const shared = await insertTestBus(db, fleet.first, 'Автобус 9');
    const ids = [shared.busId];
    await change('buses', ids, { client_ids: [fleet.first, fleet.second] });
    const formerOf = async (client: number, role?: string) => {
      const asked = { preview: true, ...(role && { role }) };
      const { body } = await change('buses', ids, { client_ids: [client] }, asked);
      return body.former_clients.map(({ owners: _, ...own }: { owners: object }) => own);
    };
    const [first, second] = ['Первый', 'Второй'].map((name) => `${name} ${name}-фамилия`);
    // It has had no data, so that all of its days pass on.
    const effects = { from: null, route_ends: false, fare_ends: false };
    expect(await formerOf(fleet.first)).toEqual([
      {
        ...effects,
        id: shared.busId,
        clients: [
          { id: fleet.second, name: second },
          { id: fleet.first, name: first },
        ],
      },
    ]);
    expect(await formerOf(fleet.integrator, 'integrator')).toEqual([
      {
        ...effects,
        id: shared.busId,
        clients: [{ id: fleet.first, name: first }],
        route_ends: true,
      },
    ]);
  });

  it('of retention names the days that each customer has now, and those of the installation', async () => {
    const ids = [fleet.first, fleet.second];
    await change('retention', [fleet.first], { video_days: 77 });
    const wanted = { video_days: 55 };
    const { body } = await change('retention', ids, wanted, { preview: true });
    expect(body.former_days.customers).toEqual([
      { id: fleet.first, video_days: 77, files_days: null, positions_days: null },
      { id: fleet.second, video_days: null, files_days: null, positions_days: null },
    ]);
    expect(body.former_days.defaults).toEqual({
      video_days: expect.any(Number),
      files_days: expect.any(Number),
      positions_days: expect.any(Number),
    });
    await change('retention', [fleet.first], { video_days: null });
    const plain = await change('retention', ids, { files_days: null });
    expect(plain.body).toEqual({ changed: 0, changed_ids: [] });
  });

  it('of users ends no session', async () => {
    const { db } = server.deps.database;
    const ids = [await insertTestUser(db, 'fifth', 'CUSTOMER', fleet.first)];
    const token = await server.signIn('fifth');
    const { body } = await change('users', ids, { enabled: false }, { preview: true });
    expect(body.changed).toBe(1);
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.app.inject({ url: '/api/auth/me', headers })).statusCode).toBe(200);
  });
});

describe('several buses, units and customers', () => {
  it('go to another customer, whose they are after the present day', async () => {
    const { db } = server.deps.database;
    const buses = [
      await insertTestBus(db, fleet.first, 'Автобус 5'),
      await insertTestBus(db, fleet.first, 'Автобус 6'),
    ];
    const ids = buses.map(({ busId }) => busId);
    expect((await change('buses', ids, { client_ids: [fleet.second] })).body.changed).toBe(2);
    const rows = await query<{ client_id: number }>(
      'select client_id from workplace_clients where workplace_id = any($1::bigint[])',
      ids,
    );
    expect(rows).toEqual([{ client_id: fleet.second }, { client_id: fleet.second }]);
  });

  it('units are disabled together; foreign ones are as missing ones', async () => {
    const ids = [fleet.firstBus.unitId];
    expect((await change('units', ids, { enabled: false })).body.changed).toBe(1);
    expect((await change('units', ids, { enabled: true })).body.changed).toBe(1);
    const foreign = [...ids, fleet.secondBus.unitId];
    const answer = await change('units', foreign, { enabled: false }, { role: 'integrator' });
    expect(answer.status).toBe(404);
  });

  it('customers are disabled together, by administrators only', async () => {
    const ids = [fleet.second];
    const role = { role: 'integrator' };
    expect((await change('customers', ids, { enabled: false }, role)).status).toBe(404);
    expect((await change('customers', [fleet.first], { enabled: false }, role)).status).toBe(403);
    expect((await change('customers', ids, { enabled: false })).body.changed).toBe(1);
    expect((await change('customers', ids, { enabled: true })).body.changed).toBe(1);
  });

  it('customers get days of retention together; what is absent stays', async () => {
    const ids = [fleet.first, fleet.second];
    expect((await change('retention', ids, { files_days: 3 })).body.changed).toBe(2);
    expect((await change('retention', ids, { video_days: 30 })).body.changed).toBe(2);
    expect((await change('retention', ids, { video_days: 30 })).body.changed).toBe(0);
    const preview = { preview: true };
    expect((await change('retention', ids, { video_days: 9 }, preview)).body.changed).toBe(2);
    const rows = await query('select distinct video_days, files_days from client_retention');
    expect(rows).toEqual([{ video_days: 30, files_days: 3 }]);
    const role = { role: 'integrator' };
    expect((await change('retention', [fleet.first], { video_days: 1 }, role)).status).toBe(403);
  });
});

describe('several users', () => {
  it('are disabled together, except oneself, and their sessions end', async () => {
    const { db } = server.deps.database;
    const ids = [
      await insertTestUser(db, 'third', 'CUSTOMER', fleet.first),
      await insertTestUser(db, 'fourth', 'OPERATOR', fleet.first),
    ];
    await server.signIn('third');
    const [own] = await query<{ id: number }>("select id from users where login = 'admin'");
    const refused = await change('users', [...ids, own?.id ?? 0], { enabled: false });
    expect(refused).toMatchObject({ status: 400, body: { field: 'ids.2.enabled' } });
    expect((await change('users', ids, { enabled: false })).body).toMatchObject({ changed: 2 });
    const open = await query(
      'select from sessions where user_id = any($1::bigint[]) and revoked_at is null',
      ids,
    );
    expect(open).toEqual([]);
  });
});

describe('several cameras', () => {
  it('are taken out of use together', async () => {
    const { cameras } = fleet.firstBus;
    const ids = [cameras.cabin, cameras.door1];
    expect((await change('cameras', ids, { enabled: false })).body).toMatchObject({ changed: 2 });
    const rows = await query('select from cameras where enabled and id = any($1::bigint[])', ids);
    expect(rows).toEqual([]);
  });
});

it('what happened last to a unit: commands, live streams and silence, the latest first', async () => {
  const { busId, unitId, cameras } = fleet.firstBus;
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute));
  const { db } = server.deps.database;
  await db
    .insertInto('unit_commands')
    .values([
      { unit_id: unitId, kind: 'report_camera_states', created_at: at(1) },
      {
        ...{ unit_id: unitId, kind: 'start_live', camera_id: cameras.cabin, created_at: at(2) },
        ...{ finished_at: at(3), result: 'done' },
      },
      {
        ...{ unit_id: unitId, kind: 'fetch_range', camera_id: cameras.cabin, created_at: at(0) },
        ...{ finished_at: at(0), result: 'cancelled' },
      },
    ])
    .execute();
  await db
    .insertInto('live_streams')
    .values({
      ...{ camera_id: cameras.cabin, unit_id: unitId, started_at: at(3), asked_at: at(3) },
      ...{ wanted_until: at(8), ended_at: at(8) },
    })
    .execute();
  await db
    .insertInto('attention_causes')
    .values({
      ...{ kind: 'silent_bus', client_id: fleet.first, workplace_id: busId, details: '{}' },
      ...{ since: at(10), opened_at: at(20), ended_at: at(25) },
    })
    .execute();
  const answer = await server.app.inject({
    url: `/api/admin/buses/${busId}/happenings`,
    headers: { authorization: `Bearer ${tokens.integrator}` },
  });
  const { items } = answer.json<{ items: { kind: string }[] }>();
  expect(items.map(({ kind }) => kind)).toEqual(['silent', 'live', 'done', 'asked', 'cancelled']);
  expect(items[0]).toMatchObject({ at: at(25).toISOString(), seconds: 900 });
  expect(items[1]).toMatchObject({ seconds: 300, camera: expect.any(String) });
  expect(items[2]).toMatchObject({ command: 'start_live' });
});
