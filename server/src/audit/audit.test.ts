import type { AuditAction } from '@ridewatch/contract/action-words';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertAudit } from '../core/audit.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { readCsv } from '../test/csv-rows.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAudit } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let admin: string;
let userId: number;
const at = (text: string) => Date.parse(text);
beforeAll(async () => {
  server = await createTestServer([addAuth, addAudit]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  admin = await server.signIn('admin');
  ({ id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'integrator')
    .executeTakeFirstOrThrow());
  const bus = { objectType: 'workplace', objectId: fleet.firstBus.busId };
  await insertAudit(
    db,
    { userId, atMs: at('2026-11-01T20:59:00Z') },
    { ...bus, action: 'set_bus' },
  );
  await insertAudit(
    db,
    { userId, atMs: at('2026-11-01T21:01:00Z'), requestId: 'r-1', address: '10.0.0.1' },
    { ...bus, action: 'set_bus', before: { name: '=1+1' }, after: { name: 'Автобус 10' } },
  );
  await insertAudit(
    db,
    { unitId: fleet.firstBus.unitId, atMs: at('2026-11-02T05:00:00Z') },
    {
      action: 'keep_segment',
      objectType: 'segment',
      objectId: 7,
    },
  );
});
afterAll(() => server.close());

const get = (url: string, token = admin) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
const list = async (query: string) => (await get(`/api/admin/audit?${query}`)).json();
const actionsOf = ({ items }: { items: { action: string }[] }) =>
  items.map(({ action }) => action).filter((action) => action !== 'sign_in');

describe('the audit log', () => {
  it('says who did what to which object, and what it was before and after', async () => {
    const { items, actions, object_types } = await list('action=set_bus&perPage=1');
    expect(items).toMatchObject([
      {
        ...{ user: { id: userId, name: 'integrator' }, unit: null, action: 'set_bus' },
        ...{ object_type: 'workplace', object_name: 'Автобус 10', address: '10.0.0.1' },
        ...{ before: { name: '=1+1' }, after: { name: 'Автобус 10' }, request_id: 'r-1' },
        at: '2026-11-01T21:01:00.000Z',
      },
    ]);
    expect(actions).toEqual(expect.arrayContaining(['keep_segment', 'set_bus']));
    expect(object_types).toEqual(expect.arrayContaining(['segment', 'workplace']));
    expect((await get(`/api/admin/audit/${items[0].id}`)).json()).toEqual(items[0]);
    expect((await get('/api/admin/audit/999999')).statusCode).toBe(404);
  });

  it('is found by who, action, object and days in Moscow', async () => {
    expect(actionsOf(await list(`userId=${userId}`))).toEqual(['set_bus', 'set_bus']);
    expect(actionsOf(await list('objectType=segment&objectId=7'))).toEqual(['keep_segment']);
    expect(actionsOf(await list('from=2026-11-02&to=2026-11-02'))).toEqual([
      'keep_segment',
      'set_bus',
    ]);
    expect(actionsOf(await list('to=2026-11-01'))).toEqual(['set_bus']);
    expect(actionsOf(await list('search=INTEGR&perPage=100'))).toEqual(['set_bus', 'set_bus']);
    expect((await list('perPage=1&page=1&action=set_bus')).total).toBe(2);
  });

  it('is found by the loaded table that gave the commands', async () => {
    const { db } = server.deps.database;
    const loaded = { action: 'create_bus', objectType: 'workplace', objectId: 1 } as const;
    const actor = { userId: 1, atMs: at('2025-11-01T06:00:00Z') };
    await insertAudit(db, { ...actor, importId: 77 }, loaded);
    await insertAudit(db, actor, loaded);
    const { items, total } = await list('importId=77');
    expect([total, items[0]?.import_id]).toEqual([1, 77]);
  });

  it('has kinds: what changes, what begins or ends a session, what reads', async () => {
    expect((await list('kind=session')).items).toContainEqual(
      expect.objectContaining({ action: 'sign_in', object_type: 'session' }),
    );
    const { items } = await list('kind=change&perPage=100');
    expect(items.map(({ action }: { action: string }) => action)).toEqual(actionsOf({ items }));
    const { db } = server.deps.database;
    const reading = { action: 'open_video', objectType: 'segment', objectId: 7 } as const;
    await insertAudit(db, { userId, atMs: at('2026-11-02T06:00:00Z') }, reading);
    expect(actionsOf(await list('kind=reading'))).toEqual(['open_video']);
    expect(actionsOf(await list('kind=change&perPage=100'))).not.toContain('open_video');
  });

  it('names the objects in what was changed as they are called now', async () => {
    const { db } = server.deps.database;
    const { cameras, busId } = fleet.firstBus;
    await insertAudit(
      db,
      { userId, atMs: at('2026-11-01T10:00:00Z') },
      {
        ...{ action: 'request_merge', objectType: 'merge_request', objectId: 1 },
        after: {
          ...{ cameraId: cameras.door2, workplaceIds: [busId, 999_999], groupIds: [] },
          client_ids: [fleet.second],
        },
      },
    );
    const { items } = await list('action=request_merge');
    expect(items[0].names).toEqual({
      cameraId: { [cameras.door2]: 'Дверь 2' },
      workplaceIds: { [busId]: 'Автобус 10' },
      client_ids: { [fleet.second]: 'Второй Второй-фамилия' },
    });
  });

  it('is exported as a table that runs no formulas, and says so in itself', async () => {
    const answer = await get('/api/admin/audit/export?action=set_bus&format=csv&language=en_US');
    expect(answer.headers['content-disposition']).toContain('Audit-log.csv');
    const rows = readCsv(answer.body.replace('\ufeff', ''), ',').map(({ row }) => row);
    expect(rows[0]?.slice(0, 3)).toEqual(['Time, Moscow', 'Who', 'Action']);
    expect(rows[1]).toEqual([
      ...['2026-11-02 00:01:00', 'integrator', 'bus changed', 'set_bus'],
      ...[`workplace ${fleet.firstBus.busId}`, 'Автобус 10'],
      ...['{"name":"=1+1"}', '{"name":"Автобус 10"}', '10.0.0.1', ''],
    ]);
    const loaded = await get('/api/admin/audit/export?importId=77&format=csv&language=en_US');
    const table = readCsv(loaded.body.replace('\ufeff', ''), ',').map(({ row }) => row.at(-1));
    expect(table).toEqual(['Loaded table', '77']);
    expect(
      (await get('/api/admin/audit/export?from=2026-11-02')).rawPayload.subarray(0, 2),
    ).toEqual(Buffer.from('PK'));
    expect(actionsOf(await list('objectType=audit_log'))).toEqual(['export', 'export', 'export']);
  });

  it.each([
    ['ru_RU', ';', ['Действие', 'Код действия'], ['изменение автобуса', 'set_bus']],
    ['en_US', ',', ['Action', 'Code of the action'], ['bus changed', 'set_bus']],
  ])(
    'is exported with each command in the words of the screen and as its code, in %s',
    async (language, separator, heading, said) => {
      const query = `action=set_bus&format=csv&language=${language}`;
      const { body } = await get(`/api/admin/audit/export?${query}`);
      const rows = readCsv(body.replace('\ufeff', ''), separator).map(({ row }) => row.slice(2, 4));
      expect(rows.slice(0, 2)).toEqual([heading, said]);
    },
  );

  it('is exported with a command of an older version as its code alone', async () => {
    const { db } = server.deps.database;
    await sql`insert into audit_log (at, action, object_type) values (${new Date(at('2026-10-01T10:00:00Z'))}, 'paint_bus', 'workplace')`.execute(
      db,
    );
    const { body } = await get('/api/admin/audit/export?action=paint_bus&format=csv');
    const [, row] = readCsv(body.replace('\ufeff', ''), ';').map(({ row }) => row.slice(2, 4));
    expect(row).toEqual(['paint_bus', 'paint_bus']);
  });

  it('is for administrators alone', async () => {
    for (const login of ['integrator', 'operator', 'first']) {
      const token = await server.signIn(login);
      for (const path of ['', '/1', '/export']) {
        expect((await get(`/api/admin/audit${path}`, token)).statusCode).toBe(403);
      }
    }
  });

  it('names a fragment by its bus, its camera and its time on the clock of the bus', async () => {
    const { db } = server.deps.database;
    const id = await insertAnnouncedFragment(db, fleet.firstBus);
    const [start_time, end_time] = [at('2026-11-02T02:41:00Z'), at('2026-11-02T02:42:00Z')];
    await db
      .updateTable('segments')
      .set({ start_time: new Date(start_time), end_time: new Date(end_time) })
      .where('id', '=', id)
      .execute();
    await insertAudit(
      db,
      { userId, atMs: at('2026-11-02T06:00:00Z') },
      { action: 'set_manual_counts', objectType: 'segment', objectId: id },
    );
    const { items } = await list('action=set_manual_counts');
    expect(items[0].object_name).toMatch(/^Автобус .+ · .+ · 02\.11\.2026 05:41$/);
  });

  it('names a deleted object as its own entry does, and a route never by one of its stops', async () => {
    const { db } = server.deps.database;
    const gone = (objectType: string, action: AuditAction, change: object) =>
      insertAudit(
        db,
        { userId, atMs: at('2026-11-01T11:00:00Z') },
        { objectType, action, objectId: 555_555, ...change },
      );
    await gone('unit', 'delete_unit', { before: { device_id: 'RW-15', bus: null } });
    await gone('client', 'delete_client', { before: { name: 'Иван', surname: 'Ляпкин' } });
    await gone('user', 'create_user', { after: { login: 'ushel' } });
    await gone('news', 'delete_news', { before: { title: 'Старая новость' } });
    await gone('workplace', 'set_bus', { before: { name: 'А 1' }, after: { name: 'А 2' } });
    await gone('unit', 'set_unit', { after: { enabled: false } });
    await gone('route_group', 'delete_route', { before: { name: '156' } });
    await gone('route_group', 'delete_route_stop', { before: { id: 24, name: 'Школа' } });
    const { items } = await list('objectId=555555&perPage=100');
    const named = items.map((one: { action: string; object_name: string | null }) => [
      one.action,
      one.object_name,
    ]);
    expect(named.reverse()).toEqual([
      ['delete_unit', 'RW-15'],
      ['delete_client', 'Иван Ляпкин'],
      ['create_user', 'ushel'],
      ['delete_news', 'Старая новость'],
      ['set_bus', 'А 2'],
      ['set_unit', 'RW-15'],
      ['delete_route', '156'],
      ['delete_route_stop', '156'],
    ]);
  });

  it('names the stops of prices and patterns', async () => {
    const { db } = server.deps.database;
    const { stopIds } = await insertTestRoute(db, fleet.first, '7');
    const [from = 0, to = 0] = stopIds;
    const price = { from_stop_id: from, to_stop_id: to, cost: '45.00' };
    await insertAudit(
      db,
      { userId, atMs: at('2026-11-01T10:30:00Z') },
      {
        ...{ action: 'set_route_costs', objectType: 'route_group', objectId: 1 },
        after: { items: [price, { ...price, cost: '50.00' }], stop_ids: [to] },
      },
    );
    const { items } = await list('action=set_route_costs');
    const name = { [from]: expect.any(String), [to]: expect.any(String) };
    expect(items[0].names).toEqual({
      from_stop_id: { [from]: name[from] },
      to_stop_id: { [to]: name[to] },
      stop_ids: { [to]: name[to] },
    });
  });
});
