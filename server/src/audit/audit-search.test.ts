// The audit log is searched by names: of its objects as they are called now, and as entries called them before.
import type { AuditAction } from '@ridewatch/contract/action-words';
import { MOST_AUDIT_ROWS } from '@ridewatch/contract/admin-audit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertAudit } from '../core/audit.ts';
import { readCsv } from '../test/csv-rows.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAudit } from './api.ts';

interface Found {
  readonly items: readonly {
    readonly action: string;
    readonly object_type: string;
    readonly object_id: string | null;
    readonly object_name: string | null;
    readonly names: unknown;
  }[];
  readonly total: number;
}

/** An id that no object has any more. */
const GONE = 777_001;

let server: TestServer;
let fleet: TestFleet;
let admin: string;
let atMs = Date.parse('2026-11-01T06:00:00Z');
beforeAll(async () => {
  server = await createTestServer([addAuth, addAudit]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

interface Entry {
  readonly before?: object;
  readonly after?: object;
  readonly userId?: number;
  readonly unitId?: number;
  readonly requestId?: string;
}
async function log(
  action: AuditAction,
  objectType: string,
  objectId: number | string,
  { before, after, ...actor }: Entry = {},
): Promise<void> {
  atMs += 60_000;
  const entry = { action, objectType, objectId, before, after };
  await insertAudit(server.deps.database.db, { ...actor, atMs }, entry);
}

const get = (path: string) =>
  server.app.inject({ url: path, headers: { authorization: `Bearer ${admin}` } });
const search = async (text: string, more = '', page = 'perPage=100'): Promise<Found> =>
  (await get(`/api/admin/audit?${page}&search=${encodeURIComponent(text)}${more}`)).json();
/** Lists what was found as the command and the type of its object, the latest first. */
const found = async (text: string, more = ''): Promise<readonly string[]> =>
  (await search(text, more)).items.map(({ action, object_type }) => `${action} ${object_type}`);

describe('a search of the audit log finds', () => {
  it('the history of a bus, also of its commands that name nothing', async () => {
    const { busId } = fleet.firstBus;
    await log('set_bus', 'workplace', busId, { before: { name: 'Пазик' }, after: { name: 'X' } });
    await log('set_group', 'workplace', busId, { after: { group_id: 1 } });
    await log('set_group', 'workplace', fleet.secondBus.busId, { after: { group_id: 1 } });
    expect(await found('автобус 10')).toEqual(['set_group workplace', 'set_bus workplace']);
  });

  it('a bus by a name that it has no longer', async () => {
    expect(await found('пазик')).toEqual(['set_group workplace', 'set_bus workplace']);
  });

  it('a plate in either alphabet, without its spaces', async () => {
    await log('create_bus', 'workplace', GONE, { after: { name: 'А 472 КМ' } });
    expect(await found('a472km')).toEqual(['create_bus workplace']);
  });

  it('a name by itself, whichever spaces it has', async () => {
    await log('create_bus', 'workplace', 777_100, { after: { name: 'Узкий\u202f17' } });
    for (const text of ['Узкий\u202f17', 'узкий 17', 'Узкий\u300017']) {
      expect(await found(text)).toEqual(['create_bus workplace']);
    }
  });

  it('a deleted object by the name in the entry of its deletion, or of its creation', async () => {
    await log('set_route_costs', 'route_group', GONE, { after: { items: [] } });
    await log('delete_route', 'route_group', GONE, { before: { name: '156э' } });
    await log('create_client', 'client', GONE, { after: { name: 'Артель', surname: 'Восток' } });
    await log('set_client', 'client', GONE, { after: { status: 3 } });
    expect(await found('156Э')).toEqual([
      'delete_route route_group',
      'set_route_costs route_group',
    ]);
    expect(await found('артель восток')).toEqual(['set_client client', 'create_client client']);
  });

  it('a route of which a stop is called so never: only the route has its name', async () => {
    await log('delete_route_stop', 'route_group', 777_002, { before: { name: 'Лесопарковая' } });
    expect(await found('Лесопарковая')).toEqual([]);
  });

  it.each([
    ['unit', 'device_id', 'RW-9001', 'create_unit'],
    ['camera', 'name', 'Задняя площадка', 'create_camera'],
    ['api_key', 'name', 'Табло вокзала', 'create_api_key'],
    ['stop_classifier', 'name', 'Речпорт', 'merge_classifiers'],
    ['news', 'title', 'Зимнее расписание', 'delete_news'],
    ['message', 'title', 'Ведутся работы', 'delete_message'],
  ] as const)('a %s by its %s', async (type, field, name, action) => {
    await log(action, type, GONE, { before: { [field]: name } });
    expect(await found(name.slice(1))).toEqual([`${action} ${type}`]);
  });

  it('both what a user did and what was done with it', async () => {
    const { db } = server.deps.database;
    const userId = await insertTestUser(db, 'dispatcher', 'CUSTOMER', fleet.first);
    await log('create_user', 'user', userId, { after: { login: 'new-one' } });
    await log('keep_segment', 'segment', 7, { userId });
    expect(await found('DISPATCH')).toEqual(['keep_segment segment', 'create_user user']);
    expect(await found('new-one')).toEqual(['keep_segment segment', 'create_user user']);
    expect(await found('dispatch', '&objectType=segment')).toEqual(['keep_segment segment']);
  });

  it('what a unit said', async () => {
    const { unitId } = fleet.secondBus;
    await log('keep_segment', 'segment', 8, { unitId });
    expect(await found(`unit-${fleet.secondBus.busId}`)).toEqual(['keep_segment segment']);
  });

  it('a command by its words in either language, and by its code', async () => {
    await log('set_retention', 'installation', '', {});
    for (const text of ['Сроки хранения', 'retention', 'set_reten']) {
      expect(await found(text)).toEqual(['set_retention installation']);
    }
  });

  it('an object by its number, and a request by its whole number', async () => {
    await log('cancel_report', 'report', 88_001, { requestId: 'b1f9-77' });
    expect(await found('88001')).toEqual(['cancel_report report']);
    expect(await found('b1f9-77')).toEqual(['cancel_report report']);
    expect(await found('b1f9')).toEqual([]);
  });

  it('each row once, and no more rows than the filters allow', async () => {
    const { db } = server.deps.database;
    const userId = await insertTestUser(db, 'set_password', 'CUSTOMER', fleet.first);
    await log('set_password', 'user', userId, { userId });
    await log('open_video', 'segment', 7, { userId });
    expect(await found('set_password', '&kind=change')).toEqual(['set_password user']);
    expect(await search('set_password')).toMatchObject({ total: 2 });
    const { items, total } = await search('set_password', '', 'perPage=1&page=1');
    expect([items.map(({ action }) => action), total]).toEqual([['set_password'], 2]);
  });

  it('nothing where nothing is called so', async () => {
    expect(await search('нет такого имени')).toMatchObject({ items: [], total: 0 });
  });

  it('the same rows for the file', async () => {
    const query = `search=${encodeURIComponent('артель')}&format=csv&language=en_US`;
    const { body } = await get(`/api/admin/audit/export?${query}`);
    const rows = readCsv(body.replace('\ufeff', ''), ',').map(({ row }) => row.slice(3, 6));
    expect(rows.slice(1)).toEqual([
      ['set_client', `client ${GONE}`, 'Артель Восток'],
      ['create_client', `client ${GONE}`, 'Артель Восток'],
    ]);
  });

  it('the object with the very name also where thousands of others contain it', async () => {
    const { db } = server.deps.database;
    await sql`insert into audit_log (at, action, object_type, object_id, before)
      select to_timestamp(1793000000), 'delete_camera', 'camera', (800000 + n)::text,
        jsonb_build_object('name', 'Ёлка ' || n)
      from generate_series(1, 6000) as n`.execute(db);
    await log('delete_bus', 'workplace', 999_999, { before: { name: 'Ёлка' } });
    const buses = await search('елка', '&objectType=workplace');
    expect(buses.items.map(({ object_name }) => object_name)).toEqual(['Ёлка']);
  });

  it('as many rows as the log counts, and pages up to there', async () => {
    const { db } = server.deps.database;
    await log('create_bus', 'workplace', 777_200, { after: { name: 'Долгожитель' } });
    await sql`insert into audit_log (at, action, object_type, object_id)
      select to_timestamp(1793000000 + n), 'set_group', 'workplace', '777200'
      from generate_series(1, ${MOST_AUDIT_ROWS + 5}::int) as n`.execute(db);
    expect(await search('долгожитель')).toMatchObject({ total: MOST_AUDIT_ROWS });
    const last = await search('долгожитель', '', 'perPage=1000&page=9');
    expect(last.items).toHaveLength(1000);
    expect((await search('долгожитель', '', 'perPage=1000&page=10')).items).toEqual([]);
    expect(await search('долгожитель', '&action=create_bus')).toMatchObject({ total: 1 });
  });

  it('the latest rows of a request that has more than the log counts', async () => {
    const { db } = server.deps.database;
    const logged = (first: number, last: number) =>
      sql`
      insert into audit_log (at, action, object_type, object_id, request_id)
      select to_timestamp(1793000000), 'create_bus', 'workplace', (600000 + n)::text, 'load-1'
      from generate_series(${first}::int, ${last}::int) as n`.execute(db);
    await logged(1, MOST_AUDIT_ROWS + 500);
    // Room that a vacuum frees is written again: rows do not lie in the order of their ids.
    await sql`delete from audit_log where request_id = 'load-1' and object_id < '601000'`.execute(
      db,
    );
    await sql`vacuum audit_log`.execute(db);
    await logged(MOST_AUDIT_ROWS + 501, MOST_AUDIT_ROWS + 1500);
    const { items, total } = await search('load-1', '', 'perPage=3');
    expect(total).toBe(MOST_AUDIT_ROWS);
    const last = 600_000 + MOST_AUDIT_ROWS + 1500;
    expect(items.map(({ object_id }) => object_id)).toEqual([last, last - 1, last - 2].map(String));
  });

  it('the latest of all rows where thousands of objects have more than the log counts', async () => {
    const { db } = server.deps.database;
    await sql`insert into audit_log (at, action, object_type, object_id, before)
      select to_timestamp(1793000000), 'set_camera', 'camera', (900000 + n % 200)::text,
        case when n < 200 then jsonb_build_object('name', 'Берёза ' || n) end
      from generate_series(0, ${MOST_AUDIT_ROWS + 500}::int) as n`.execute(db);
    await log('delete_camera', 'camera', 900_003, { before: { name: 'Берёза 3' } });
    await log('delete_camera', 'camera', 900_500, { before: { name: 'Осина' } });
    expect(await search('береза', '', 'perPage=10&page=999')).toMatchObject({
      ...{ total: MOST_AUDIT_ROWS, items: { length: 10 } },
    });
    const [latest, next] = await found('береза');
    expect([latest, next]).toEqual(['delete_camera camera', 'set_camera camera']);
  });
});

describe('a deleted object in what a command changed', () => {
  it('has the name that its entries have, the last of them', async () => {
    await log('create_route', 'route_group', 777_300, { after: { name: '7' } });
    await log('update_route', 'route_group', 777_300, {
      ...{ before: { name: '7' }, after: { name: '7к' } },
    });
    await log('delete_client', 'client', 777_301, { before: { name: 'Ушедший', surname: null } });
    await log('set_group', 'workplace', fleet.secondBus.busId, {
      before: { group_id: fleet.secondBus.routeId },
      after: { group_id: 777_300, client_ids: [777_301, 777_999] },
    });
    const { items } = await search('Автобус 2', '&action=set_group');
    expect(items[0]?.names).toEqual({
      group_id: {
        [fleet.secondBus.routeId]: 'Маршрут Автобус 2',
        777300: '7к',
      },
      client_ids: { 777301: 'Ушедший' },
    });
  });

  it('is named so in its own rows, too, whichever command deleted it', async () => {
    await log('set_classifier', 'stop_classifier', 777_400, { after: { latitude: 55 } });
    await log('merge_classifiers', 'stop_classifier', 777_400, { before: { name: 'Тупик' } });
    const { items } = await search('Тупик');
    expect(items.map(({ object_name }) => object_name)).toEqual(['Тупик', 'Тупик']);
  });
});
