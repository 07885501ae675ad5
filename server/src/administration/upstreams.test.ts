// Administrators say to whom records are passed on, and see how it goes.
import { MAX_UPSTREAMS } from '@ridewatch/contract/admin-upstreams';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAudit } from '../audit/api.ts';
import { addAuth } from '../auth/api.ts';
import { adoptEgts } from '../test/egts.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration, addAudit]);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  for (const login of ['admin', 'integrator']) tokens[login] = await server.signIn(login);
});
beforeEach(async () => {
  await server.deps.database.db.deleteFrom('upstreams').execute();
});
afterAll(() => server.close());

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  login: 'admin' | 'integrator' = 'admin',
) => askJson(server, tokens[login], method, `/api/admin/upstreams${url}`, body);
const REGION = { name: 'Регион', host: 'egts.region.example', port: 20_332 };
const OF_ALL = { ...REGION, all_clients: true };
const make = async (
  more: { client_ids?: number[]; [field: string]: unknown } = {},
): Promise<number> =>
  (await ask('POST', '', { ...(more.client_ids ? REGION : OF_ALL), ...more })).body.id;
const auditOf = (id: number) =>
  server.deps.database.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('object_type', '=', 'upstream')
    .where('object_id', '=', `${id}`)
    .orderBy('id')
    .execute();

describe('an upstream', () => {
  it('is added with what most need, and is nothing that others see', async () => {
    const { status, body } = await ask('POST', '', { ...REGION, client_ids: [fleet.first] });
    expect([status, body]).toMatchObject([
      200,
      {
        ...REGION,
        ...{ enabled: true, sign_in: 'none', all_clients: false, with_people: true },
        ...{ clients: [{ id: fleet.first }], client_ids: [fleet.first], buses: 1 },
        ...{ late_minutes: 10, waiting: 0, waiting_since: null, refused: [] },
        created_at: new Date(server.clock.nowMs()).toISOString(),
      },
    ]);
    expect((await ask('GET', '')).body).toMatchObject({ total: 1, items: [{ name: 'Регион' }] });
    expect((await ask('GET', '', undefined, 'integrator')).status).toBe(403);
    expect(await auditOf(body.id)).toMatchObject([{ action: 'create_upstream' }]);
    const log = await askJson(server, tokens.admin, 'GET', '/api/admin/audit?search=регион');
    expect(log.body.items).toMatchObject([{ object_name: 'Регион', action: 'create_upstream' }]);
  });

  it('needs a number of ours if it wants to know who sends, a name of its own and real customers', async () => {
    await make();
    const refusals = [
      [{ ...OF_ALL, name: 'регион' }, 409, 'name'],
      [{ ...OF_ALL, name: 'Б', sign_in: 'dispatcher' }, 400, 'sign_in_id'],
      [{ ...OF_ALL, name: 'Б', sign_in_text: 'Ж'.repeat(128) }, 400, 'sign_in_text'],
      [{ ...REGION, name: 'Б', client_ids: [999_999] }, 400, 'client_ids'],
      [{ ...REGION, name: 'Б' }, 400, 'client_ids'],
      [{ ...OF_ALL, name: 'Б', host: 'http://egts' }, 400, 'host'],
      [{ ...OF_ALL, name: 'Б', host: 'egts.example:20332' }, 400, 'host'],
    ] as const;
    for (const [body, status, field] of refusals) {
      expect(await ask('POST', '', body), field).toMatchObject({ status, body: { field } });
    }
    expect((await ask('GET', '')).body.total).toBe(1);
  });

  it.each(['10.0.0.7', '::1', '2001:db8::1', '::ffff:10.0.0.7'])('may be at %s', async (host) => {
    expect(await ask('POST', '', { ...OF_ALL, host })).toMatchObject({
      status: 200,
      body: { host },
    });
  });

  it(`is one of at most ${MAX_UPSTREAMS}`, async () => {
    for (let n = 0; n < MAX_UPSTREAMS; n += 1) await make({ name: `Н${n}` });
    // The form tells it at a field.
    const { status, body } = await ask('POST', '', OF_ALL);
    expect([status, body.field]).toEqual([409, 'host']);
  });

  it('cannot lose its last customer, but one that has none already is changed otherwise', async () => {
    const id = await make({ client_ids: [fleet.first] });
    const none = { status: 400, body: { field: 'client_ids' } };
    expect(await ask('PUT', `/${id}`, { client_ids: [] })).toMatchObject(none);
    const all = { all_clients: true, client_ids: [] };
    expect(await ask('PUT', `/${id}`, all)).toMatchObject({ status: 200, body: { buses: 2 } });
    expect(await ask('PUT', `/${id}`, { all_clients: false })).toMatchObject(none);
    await server.deps.database.db
      .updateTable('upstreams')
      .set({ all_clients: false })
      .where('id', '=', id)
      .execute();
    const { status, body } = await ask('PUT', `/${id}`, { port: 20_333 });
    expect([status, body.port, body.buses]).toEqual([200, 20_333, 0]);
  });

  it('is changed field by field, and its sender begins anew', async () => {
    const { db } = server.deps.database;
    const id = await make({ client_ids: [fleet.first] });
    const change = {
      ...{ port: 20_333, client_ids: [fleet.first, fleet.second] },
      seen: { port: 20_332, client_ids: [fleet.first] },
    };
    const { body } = await ask('PUT', `/${id}`, change);
    expect(body).toMatchObject({ port: 20_333, client_ids: [fleet.first, fleet.second], buses: 2 });
    const { version } = await db
      .selectFrom('upstreams')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(version).toBe(2);
    expect(await ask('PUT', `/${id}`, { port: 1, seen: { port: 20_332 } })).toMatchObject({
      ...{ status: 409, body: { field: 'seen.port' } },
    });
    const [, changed, ...more] = await auditOf(id);
    expect([changed, more]).toMatchObject([
      { action: 'set_upstream', before: { port: 20_332 }, after: { port: 20_333 } },
      [],
    ]);
  });

  it('is deleted with its numbers', async () => {
    const id = await make({ all_clients: true });
    await ask('PUT', `/${id}/buses`, { buses: [{ id: fleet.firstBus.busId, object_id: 1 }] });
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `/${id}`)).status).toBe(404);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      ...{ action: 'delete_upstream', before: REGION },
    });
  });
});

describe('the state of an upstream', () => {
  it('tells what waits since when, what was refused, and whether a process is connected', async () => {
    const { db } = server.deps.database;
    const id = await make({ client_ids: [fleet.first] });
    const now = server.clock.nowMs();
    const at = (seconds: number) => new Date(now + seconds * 1000);
    for (const seconds of [-600, -60]) {
      const row = { upstream_id: id, unit_id: 1, workplace_id: 1, records: 3 };
      await db
        .insertInto('upstream_queue')
        .values({ ...row, stored_at: at(seconds), due_at: at(seconds) })
        .execute();
    }
    await db
      .insertInto('upstream_refusals')
      .values({
        ...{ upstream_id: id, code: 154, records: 5, last_at: at(-5) },
        workplace_id: fleet.firstBus.busId,
      })
      .execute();
    await db
      .updateTable('upstreams')
      .set({ held_until: sql<Date>`now() + interval '30 s'`, connected_since: at(-90) })
      .where('id', '=', id)
      .execute();
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      ...{ waiting: 6, more_waiting: false, waiting_since: at(-600).toISOString() },
      connected_since: at(-90).toISOString(),
      refused: [
        { code: 154, records: 5, last_at: at(-5).toISOString(), bus: { name: 'Автобус 10' } },
      ],
    });
    const row = { unit_id: 1, workplace_id: fleet.firstBus.busId, stored_at: at(-300) };
    for (const n of [1, 2]) {
      await db
        .insertInto('upstream_unregistered')
        .values({ ...row, id: n, upstream_id: id, records: 4 })
        .execute();
    }
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      unregistered: {
        ...{ buses: 1, records: 8, more: false, since: at(-300).toISOString() },
        named: [{ id: fleet.firstBus.busId, name: 'Автобус 10' }],
      },
    });
    // The process has died.
    await sql`update upstreams set held_until = now()`.execute(db);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ connected_since: null });
  });
});

describe('an upstream that waits after a fault', () => {
  const waits = async (more: object = {}): Promise<number> => {
    const id = await make();
    const at = (seconds: number) => new Date(server.clock.nowMs() + seconds * 1000);
    await server.deps.database.db
      .updateTable('upstreams')
      .set({
        ...{
          held_until: sql<Date>`now() + interval '30 s'`,
          fault: 'refused',
          fault_since: at(-60),
          next_try_at: at(300),
        },
        ...more,
      })
      .where('id', '=', id)
      .execute();
    return id;
  };

  it('is tried at once by a call, of which a second one changes nothing', async () => {
    const id = await waits();
    const now = new Date(server.clock.nowMs()).toISOString();
    const tried = { status: 200, body: { id, fault: 'refused', next_try_at: now } };
    expect(await ask('POST', `/${id}/try`)).toMatchObject(tried);
    server.clock.advance(1000);
    expect(await ask('POST', `/${id}/try`)).toMatchObject(tried);
    const [, audited, ...more] = await auditOf(id);
    expect([audited, more]).toMatchObject([{ action: 'try_upstream' }, []]);
  });

  it.each([
    ['is connected', { next_try_at: null }],
    ['is off', { enabled: false }],
  ])('is not tried when it %s', async (_name, more) => {
    const id = await waits(more);
    const { body: before } = await ask('GET', `/${id}`);
    expect(await ask('POST', `/${id}/try`)).toMatchObject({ status: 200, body: before });
    expect(await auditOf(id)).toHaveLength(1);
  });

  it('is tried by administrators only, and not when there is none', async () => {
    expect((await ask('POST', `/${await waits()}/try`, undefined, 'integrator')).status).toBe(403);
    expect((await ask('POST', '/999999/try')).status).toBe(404);
  });
});

describe('the buses of an upstream', () => {
  it('are those of its customers, and those without a number are counted', async () => {
    const { db } = server.deps.database;
    const own = await insertTestBus(db, fleet.first, 'Автобус 11');
    await adoptEgts(db, own.unitId, 133_552);
    const id = await make({ client_ids: [fleet.first] });
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ buses: 2, unnumbered: 1 });
    const list = async (query = '') => (await ask('GET', `/${id}/buses${query}`)).body.items;
    expect(await list()).toMatchObject([
      { name: 'Автобус 10', object_id: null, unit_object_id: null, client: { id: fleet.first } },
      { name: 'Автобус 11', object_id: null, unit_object_id: 133_552 },
    ]);
    expect(await list('?unnumbered=true')).toMatchObject([{ name: 'Автобус 10' }]);
    expect(await list('?search=11')).toMatchObject([{ name: 'Автобус 11' }]);
    const numbered = await ask('PUT', `/${id}/buses`, {
      buses: [{ id: fleet.firstBus.busId, object_id: 4_294_967_295 }],
    });
    expect(numbered).toMatchObject({ status: 200, body: { unnumbered: 0 } });
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'number_upstream_buses',
      before: { numbers: ['Автобус 10: —'] },
      after: { numbers: ['Автобус 10: 4294967295'] },
    });
  });

  it('exchange their numbers, and none has that of another one', async () => {
    const id = await make({ all_clients: true });
    const [a, b] = [fleet.firstBus.busId, fleet.secondBus.busId];
    const put = (...buses: [number, number | null][]) =>
      ask('PUT', `/${id}/buses`, {
        buses: buses.map(([bus, object_id]) => ({ id: bus, object_id })),
      });
    expect((await put([a, 1], [b, 2])).status).toBe(200);
    expect((await put([a, 2], [b, 1])).status).toBe(200);
    expect(await put([a, 1])).toMatchObject({
      ...{ status: 409, body: { field: 'buses.0.object_id', current: { id: b } } },
    });
    expect(await put([999_999, 7])).toMatchObject({ status: 400, body: { field: 'buses' } });
    expect((await put([a, null])).status).toBe(200);
    const { items } = (await ask('GET', `/${id}/buses?search=Автобус 2`)).body;
    expect(items).toMatchObject([{ id: b, object_id: 1 }]);
  });

  it('have none by their unit while another bus in the fleet has it', async () => {
    const { db } = server.deps.database;
    const own = await insertTestBus(db, fleet.first, 'Автобус 13');
    const id = await make({ client_ids: [fleet.first] });
    const { busId } = fleet.firstBus;
    await ask('PUT', `/${id}/buses`, { buses: [{ id: busId, object_id: 101 }] });
    await adoptEgts(db, own.unitId, 101);
    const seen = async () =>
      (await ask('GET', `/${id}/buses?unnumbered=true&search=13`)).body.items;
    expect(await seen()).toMatchObject([{ id: own.busId, unit_object_id: null }]);
    expect(
      await ask('PUT', `/${id}/buses`, { buses: [{ id: own.busId, object_id: 101 }] }),
    ).toMatchObject({
      ...{ status: 409, body: { field: 'buses.0.object_id', current: { id: busId } } },
    });
    await ask('PUT', `/${id}/buses`, { buses: [{ id: busId, object_id: 102 }] });
    expect(await seen()).toEqual([]);
  });

  it('are sent again what is kept for them once they have another number', async () => {
    const { db } = server.deps.database;
    const id = await make({ all_clients: true });
    const { busId } = fleet.firstBus;
    const stored_at = new Date(server.clock.nowMs());
    await db
      .insertInto('upstream_unregistered')
      .values({ id: 70, upstream_id: id, unit_id: 1, workplace_id: busId, stored_at, records: 3 })
      .execute();
    await ask('PUT', `/${id}/buses`, { buses: [{ id: busId, object_id: 31 }] });
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      ...{ waiting: 3, unregistered: { buses: 0, named: [], records: 0, since: null } },
    });
  });

  it('have no number that the unit of another one brings, nor is one of a bus that has left kept', async () => {
    const { db } = server.deps.database;
    const own = await insertTestBus(db, fleet.first, 'Автобус 12');
    await adoptEgts(db, own.unitId, 555);
    const id = await make({ all_clients: true });
    const put = (bus: number, object_id: number | null) =>
      ask('PUT', `/${id}/buses`, {
        buses: [
          { id: fleet.firstBus.busId, object_id: 9 },
          { id: bus, object_id },
        ],
      });
    const taken = { field: 'buses.1.object_id', current: { id: own.busId, name: 'Автобус 12' } };
    const second = fleet.secondBus.busId;
    expect(await put(second, 555)).toMatchObject({ status: 409, body: taken });
    // A number of its own comes first.
    expect((await put(own.busId, 556)).status).toBe(200);
    expect((await put(second, 555)).status).toBe(200);
    // Nor may it be left to the number of its unit.
    expect(await put(own.busId, null)).toMatchObject({
      ...{ status: 409, body: { field: 'buses.1.object_id', current: { id: second } } },
    });
    await db
      .updateTable('workplaces')
      .set({ retired_at: new Date(server.clock.nowMs()) })
      .where('id', '=', own.busId)
      .execute();
    expect((await put(second, 556)).status).toBe(200);
    await db
      .updateTable('workplaces')
      .set({ retired_at: null })
      .where('id', '=', own.busId)
      .execute();
  });
});
