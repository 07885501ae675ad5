// Administrators work with buses, units and cameras, and integrators with those of their customers.
import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { findUnitByCredential } from '../auth/unit-credentials.ts';
import { addBuses } from '../buses/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addBuses, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  for (const role of ['admin', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function ask(method: string, url: string, body?: object, role = 'admin') {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role]}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
const nameOf = ({ name }: { name: string }) => name;
const lastAudit = async () => {
  const { rows } = await server.deps.database.pool.query(
    `select action, login, object_type, object_id, before, after
     from audit_log join users on users.id = user_id order by audit_log.id desc limit 1`,
  );
  return rows[0];
};

describe('buses', () => {
  it('lists pages in the order of people, with how many there are', async () => {
    const { body } = await ask('GET', '/api/admin/buses?perPage=1');
    expect(body).toMatchObject({ number: 0, total: 2, items: [{ name: 'Автобус 2' }] });
    const second = await ask('GET', '/api/admin/buses?pageSize=1&page=1');
    expect(second.body.items.map(nameOf)).toEqual(['Автобус 10']);
    const beyond = await ask('GET', '/api/admin/buses?page=7');
    expect(beyond.body).toEqual({ number: 7, total: 2, items: [] });
    const backwards = await ask('GET', '/api/admin/buses?sortBy=device&sortType=DESC');
    expect(backwards.body.items.map(nameOf)).toEqual(['Автобус 2', 'Автобус 10']);
  });

  it('finds a bus by a part of its name, its unit or a camera, and by its state', async () => {
    const found = async (query: string) =>
      (await ask('GET', `/api/admin/buses?${query}`)).body.items.map(nameOf);
    expect(await found(`search=${encodeURIComponent('бус 10')}`)).toEqual(['Автобус 10']);
    // As a person types it: Latin twins of the letters, no space.
    expect(await found(`search=${encodeURIComponent('abtoбyс10')}`)).toEqual(['Автобус 10']);
    expect(await found(`search=UNIT-${fleet.secondBus.busId}`)).toEqual(['Автобус 2']);
    expect(await found(`search=${encodeURIComponent('салон')}`)).toHaveLength(2);
    expect(await found('state=off')).toHaveLength(2);
    expect(await found('state=moving')).toEqual([]);
    expect(await found(`groupId=${fleet.firstBus.routeId}`)).toEqual(['Автобус 10']);
  });

  it('is silent where its unit is missed, and else off, as on the home page', async () => {
    const { db } = server.deps.database;
    const { firstBus, secondBus } = fleet;
    const found = async (state: string) =>
      (await ask('GET', `/api/admin/buses?state=${state}`)).body.items.map(
        (row: { name: string; state: string }) => [row.name, row.state],
      );
    const seen = new Date(server.clock.nowMs() - SILENT_AFTER_MS);
    // The first drove when it was last heard, the second stood.
    for (const [{ busId }, moved] of [
      [firstBus, seen],
      [secondBus, null],
    ] as const) {
      await db
        .updateTable('units')
        .set({ last_seen_at: seen, last_moved_at: moved })
        .where('workplace_id', '=', busId)
        .execute();
    }
    expect(await found('silent')).toEqual([['Автобус 10', 'silent']]);
    expect(await found('off')).toEqual([['Автобус 2', 'off']]);
    expect((await ask('GET', `/api/admin/buses/${secondBus.busId}`)).body.state).toBe('off');
    await db.updateTable('units').set({ last_seen_at: null, last_moved_at: null }).execute();
  });

  it('is created with its customers, places and settings, and can be found at once', async () => {
    const { status, body } = await ask('POST', '/api/admin/buses', {
      ...{ name: 'А 472 КМ', client_ids: [fleet.second], timezone: 'Asia/Omsk', type: 'COUNTER' },
      ...{ group_id: fleet.secondBus.routeId, capacity_seated: 28, capacity_standing: 40 },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ type: 'COUNTER', timezone: 'Asia/Omsk', capacity_seated: 28, state: null, unit: null },
      ...{ clients: [{ name: 'Второй Второй-фамилия' }], group: { id: fleet.secondBus.routeId } },
      ...{ valid_from: '2010-01-01', count_source: 'unit' },
    });
    expect(await lastAudit()).toMatchObject({ action: 'create_bus', login: 'admin' });
  });

  it('refuses a second administrator who saw an older value, and shows what is stored', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    const seen = { capacity_seated: null };
    const first = await ask('PUT', url, { capacity_seated: 30, seen });
    expect(first.body).toMatchObject({ capacity_seated: 30 });
    const audit = await lastAudit();
    expect(audit).toMatchObject({
      before: { capacity_seated: null },
      after: { capacity_seated: 30 },
    });
    expect(Object.keys(audit.before)).toEqual(['capacity_seated']);
    const late = {
      capacity_seated: 31,
      description: 'поздно',
      seen: { ...seen, description: null },
    };
    expect(await ask('PUT', url, late)).toMatchObject({
      status: 409,
      body: {
        ...{ error: 'conflict', field: 'seen.capacity_seated' },
        current: { capacity_seated: 30, description: null },
      },
    });
  });

  it('merges what two administrators change in different fields', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    await ask('PUT', url, { capacity_standing: 12, seen: { capacity_standing: null } });
    const other = { description: 'с подъёмником', seen: { description: null } };
    expect((await ask('PUT', url, other)).body).toMatchObject({
      ...{ description: 'с подъёмником', capacity_standing: 12 },
    });
    const back = await ask('PUT', url, { description: null, capacity_standing: null });
    expect(back.body).toMatchObject({ description: null, capacity_standing: null });
  });

  it('takes a change that is sent again after a lost answer, and writes it down once', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    const change = { capacity_seated: 32, seen: { capacity_seated: 30 } };
    expect((await ask('PUT', url, change)).status).toBe(200);
    expect((await ask('PUT', url, change)).body.capacity_seated).toBe(32);
    const { rows } = await server.deps.database.pool.query(
      `select count(*)::int from audit_log where action = 'set_bus' and after ->> 'capacity_seated' = '32'`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('lets a stored value be mended that its form would refuse', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    const stored = 'not JSON';
    await server.deps.database.pool.query('update workplaces set config = $1 where id = $2', [
      ...[stored, fleet.secondBus.busId],
    ]);
    const mended = { config: '{}', seen: { config: stored } };
    expect((await ask('PUT', url, mended)).body).toMatchObject({ config: '{}' });
    const deep = { config: '{}', seen: { config: [[[]]] } };
    expect(await ask('PUT', url, deep)).toMatchObject({
      ...{ status: 400, body: { field: 'seen.config' } },
    });
    const wrong = { config: '{}', seen: { zone: 'x' } };
    expect(await ask('PUT', url, wrong)).toMatchObject({
      status: 400,
      body: { field: 'seen', message: expect.stringContaining('zone') },
    });
  });

  it('has another zone from a day on, and keeps the earlier days', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    const seen = { timezone: 'Europe/Moscow' };
    const body = { valid_from: '2026-03-01', timezone: 'Asia/Omsk', seen };
    expect((await ask('PUT', `${url}/settings`, body)).body).toMatchObject({
      timezone: 'Asia/Omsk',
      valid_from: '2026-03-01',
    });
    expect((await ask('GET', url)).body.settings).toMatchObject([
      { valid_from: '2026-03-01', timezone: 'Asia/Omsk' },
      { valid_from: '2010-01-01', timezone: 'Europe/Moscow' },
    ]);
    expect((await lastAudit()).after).toMatchObject({ valid_from: '2026-03-01' });
    const late = { ...body, timezone: 'Asia/Tomsk' };
    expect(await ask('PUT', `${url}/settings`, late)).toMatchObject({
      ...{ status: 409, body: { field: 'seen.timezone', current: { timezone: 'Asia/Omsk' } } },
    });
  });

  it('drives only routes of its customers', async () => {
    const url = `/api/admin/buses/${fleet.secondBus.busId}`;
    const change = { valid_from: '2026-03-01', group_id: fleet.firstBus.routeId };
    expect((await ask('PUT', `${url}/settings`, change)).body).toMatchObject({
      error: 'conflict',
      field: 'group_id',
    });
  });

  it('leaves the lists when it is taken out of the fleet, keeps its records, and can return', async () => {
    const made = await ask('POST', '/api/admin/buses', {
      ...{ name: 'Старый', client_ids: [fleet.first], timezone: 'Europe/Moscow' },
    });
    const url = `/api/admin/buses/${made.body.id}`;
    const listed = async () => (await ask('GET', '/api/bus_list')).body.items.map(nameOf);
    await vi.waitFor(async () => expect(await listed()).toContain('Старый'));
    const retired = await ask('PUT', url, { retired: true });
    expect(retired.body.retired_at).toMatch(/Z$/);
    // The cached list hears of it by a notification.
    await vi.waitFor(async () => expect(await listed()).not.toContain('Старый'));
    expect((await lastAudit()).action).toBe('retire_bus');
    const gone = await ask('GET', '/api/admin/buses?retired=true');
    expect(gone.body.items.map(nameOf)).toEqual(['Старый']);
    expect((await ask('GET', `/api/bus/info/${made.body.id}`)).status).toBe(200);
    expect((await ask('PUT', url, { retired: false })).body.retired_at).toBeNull();
    await vi.waitFor(async () => expect(await listed()).toContain('Старый'));
  });

  it.each([
    ['config', { config: '[1]' }],
    ['config', { config: '{' }],
    ['capacity_seated', { capacity_seated: 501 }],
    ['client_ids', { client_ids: [] }],
    ['name', { name: ' ' }],
  ])('names the field %s that it refuses: %o', async (field, change) => {
    const url = `/api/admin/buses/${fleet.firstBus.busId}`;
    const { status, body } = await ask('PUT', url, change);
    expect([status, body.field]).toEqual([400, field]);
  });
});

describe('an integrator', () => {
  it('sees buses, customers and counts of its own customers only', async () => {
    const { body } = await ask('GET', '/api/admin/buses', undefined, 'integrator');
    expect(body.items.flatMap(({ clients }: { clients: object[] }) => clients)).not.toContainEqual(
      expect.objectContaining({ name: 'Второй Второй-фамилия' }),
    );
    const overview = (await ask('GET', '/api/admin', undefined, 'integrator')).body;
    expect(overview.clients.map(nameOf)).toEqual([
      'Интегратор Интегратор-фамилия',
      'Первый Первый-фамилия',
    ]);
    expect(overview.sections.map(({ section }: { section: string }) => section)).not.toContain(
      'customers',
    );
  });

  it('sets zone and counter of a bus, and leaves its route to administrators', async () => {
    const url = `/api/admin/buses/${fleet.firstBus.busId}`;
    const change = { valid_from: '2026-03-01' };
    const move = { ...change, group_id: null };
    const moved = await ask('PUT', `${url}/settings`, move, 'integrator');
    expect(moved).toMatchObject({ status: 403, body: { error: 'no_right', field: 'group_id' } });
    const route = { group_id: fleet.firstBus.routeId, timezone: 'Europe/Moscow' };
    const made = { name: 'С маршрутом', client_ids: [fleet.first], ...route };
    expect(await ask('POST', '/api/admin/buses', made, 'integrator')).toMatchObject({
      status: 403,
      body: { error: 'no_right', field: 'group_id' },
    });
    const counter = { ...change, count_source: 'video' };
    const set = await ask('PUT', `${url}/settings`, counter, 'integrator');
    expect(set.body).toMatchObject({ count_source: 'video' });
  });

  it('neither sees nor removes the other customers of a shared bus, nor takes it out of the fleet', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.firstBus;
    await db
      .insertInto('workplace_clients')
      .values({ workplace_id: busId, client_id: fleet.second })
      .execute();
    const url = `/api/admin/buses/${busId}`;
    const seen = (await ask('GET', url, undefined, 'integrator')).body;
    expect(seen.clients.map(nameOf)).toEqual(['Первый Первый-фамилия']);
    const change = { client_ids: [fleet.first, fleet.integrator] };
    const set = await ask('PUT', url, change, 'integrator');
    expect(set.body.clients.map(nameOf)).toEqual([
      'Интегратор Интегратор-фамилия',
      'Первый Первый-фамилия',
    ]);
    expect((await ask('GET', url)).body.clients.map(nameOf)).toContain('Второй Второй-фамилия');
    const retired = { retired: true };
    expect((await ask('PUT', url, retired, 'integrator')).status).toBe(403);
  });
});

describe('units', () => {
  const opens = async (credential: string, atMs = server.clock.nowMs()) =>
    (await findUnitByCredential(server.deps.database.db, credential, atMs)) !== undefined;

  it('get a credential that is shown once, another one beside it for a day, and none after a revocation', async () => {
    const made = await ask('POST', '/api/admin/units', {
      device_id: 'RW-1',
      client_id: fleet.first,
    });
    expect(made.body.unit).toMatchObject({ device_id: 'RW-1', bus: null, credentials: 1 });
    expect(await opens(made.body.credential)).toBe(true);
    const url = `/api/admin/units/${made.body.unit.id}`;
    const rotated = await ask('POST', `${url}/credential`, {});
    expect(rotated.body.unit.credentials).toBe(2);
    const tomorrow = server.clock.nowMs() + 25 * 3_600_000;
    expect([await opens(made.body.credential), await opens(rotated.body.credential)]).toEqual([
      true,
      true,
    ]);
    expect(await opens(made.body.credential, tomorrow)).toBe(false);
    expect(await opens(rotated.body.credential, tomorrow)).toBe(true);
    const { rows } = await server.deps.database.pool.query('select after from audit_log');
    expect(JSON.stringify(rows)).not.toContain(rotated.body.credential);
    const revoked = await ask('DELETE', `${url}/credential`);
    expect(revoked.body.credentials).toBe(0);
    expect(await opens(rotated.body.credential)).toBe(false);
    expect((await lastAudit()).action).toBe('revoke_credentials');
  });

  it('move to another bus while they have recorded nothing, one to a bus', async () => {
    const made = await ask('POST', '/api/admin/units', { device_id: 'RW-2' });
    const url = `/api/admin/units/${made.body.unit.id}`;
    const taken = await ask('PUT', url, { bus_id: fleet.firstBus.busId });
    expect([taken.status, taken.body.field]).toEqual([409, 'bus_id']);
    const bus = await ask('POST', '/api/admin/buses', {
      ...{ name: 'Новый', client_ids: [fleet.first], timezone: 'Europe/Moscow' },
    });
    const moved = await ask('PUT', url, { bus_id: bus.body.id }, 'admin');
    expect(moved.body).toMatchObject({ bus: { name: 'Новый' } });
    expect(await lastAudit()).toMatchObject({ action: 'move_unit', before: { bus: null } });
    const left = await ask('PUT', url, { bus_id: null }, 'integrator');
    expect(left.body).toMatchObject({ bus: null, client: { name: 'Первый Первый-фамилия' } });
    expect((await ask('GET', url, undefined, 'integrator')).status).toBe(200);
  });

  it('get another device id when a broken device is replaced, one that no other unit has', async () => {
    const url = `/api/admin/units/${fleet.secondBus.unitId}`;
    const replaced = await ask('PUT', url, { device_id: 'RW-77' });
    expect(replaced.body.device_id).toBe('RW-77');
    const taken = await ask('POST', '/api/admin/units', { device_id: 'RW-77' });
    expect([taken.status, taken.body.field]).toEqual([409, 'device_id']);
  });
});

describe('cameras', () => {
  it('count at a door one at a time, and service cameras at none', async () => {
    const { busId, cameras } = fleet.firstBus;
    const camera = { bus_id: busId, name: 'Вторая', stream_id: 'door1b', door: 1 };
    const made = await ask('POST', '/api/admin/cameras', camera);
    expect(made.body).toMatchObject({ counts: false, door: 1, live: false, enabled: true });
    const url = `/api/admin/cameras/${made.body.id}`;
    expect((await ask('PUT', url, { counts: true })).body.field).toBe('counts');
    expect((await ask('PUT', url, { live: true })).body.field).toBe('door');
    expect((await ask('PUT', url, { stream_id: 'door2' })).body.field).toBe('stream_id');
    const first = `/api/admin/cameras/${cameras.door1}`;
    expect((await ask('PUT', first, { counts: false })).status).toBe(200);
    expect((await ask('PUT', url, { counts: true })).body).toMatchObject({ counts: true });
    const { body } = await ask('GET', `/api/admin/cameras?busId=${busId}&kind=door`);
    expect(body.total).toBe(3);
  });
});

describe('routes and places', () => {
  it('creates and deletes a route, and keeps one that a bus is on', async () => {
    const made = await ask('POST', '/api/admin/groups', { client_id: fleet.first, name: '156' });
    expect(made.body).toMatchObject({
      name: '156',
      stops: 0,
      buses: 0,
      client: { name: 'Первый Первый-фамилия' },
    });
    const again = await ask('POST', '/api/admin/groups', { client_id: fleet.first, name: '156' });
    expect([again.status, again.body.field]).toEqual([409, 'name']);
    expect((await ask('DELETE', `/api/admin/groups/${made.body.id}`)).status).toBe(204);
    const used = await ask('DELETE', `/api/admin/groups/${fleet.firstBus.routeId}`);
    expect([used.status, used.body.field]).toEqual([409, 'buses']);
    const { body } = await ask('GET', `/api/admin/groups?clientId=${fleet.first}`);
    expect(body.items).toMatchObject([{ name: 'Маршрут Автобус 10', buses: 1 }]);
  });

  it('renames and moves a place, and merges two', async () => {
    const { db } = server.deps.database;
    await insertTestRoute(db, fleet.first, '7');
    const list = async () =>
      (await ask('GET', `/api/admin/classifiers?clientId=${fleet.first}`)).body;
    expect((await list()).items.map(nameOf)).toEqual(['Вокзал', 'Рынок', 'Школа']);
    const [station, market] = (await list()).items;
    const url = `/api/admin/classifiers/${market.id}`;
    const change = { name: 'Рынок новый', latitude: 55.7 };
    expect((await ask('PUT', url, change)).body).toMatchObject(change);
    const merged = await ask('POST', `${url}/merge`, { into: station.id });
    expect(merged.body).toMatchObject({ id: station.id, name: 'Вокзал' });
    expect((await list()).items.map(nameOf)).toEqual(['Вокзал', 'Школа']);
    const { rows } = await server.deps.database.pool.query(
      'select name from route_stop_versions where classifier_id = $1 order by name',
      [station.id],
    );
    expect(rows.map(nameOf)).toEqual(['Вокзал', 'Рынок']);
    expect(await lastAudit()).toMatchObject({
      before: { name: 'Рынок новый' },
      after: { into: station.id },
    });
  });
});
