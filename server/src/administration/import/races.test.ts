// Tables that are loaded while somebody else changes the same objects, or the rights to change them.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockAudit, whileLocked } from '../../test/blocked.ts';
import { insertTestBus } from '../../test/fleet.ts';
import { askJson } from '../../test/requests.ts';
import { type AskedTable, createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let fleet: TableServer['fleet'];
let tokens: TableServer['tokens'];
let calls: TableServer['calls'];
beforeAll(async () => {
  ({ server, fleet, tokens, calls } = await createTableServer('admin', 'integrator'));
  const empty = part('buses', ['name', 'client'], ['Пустой 1', 'Первый'], ['Пустой 2', 'Первый']);
  expect((await calls.load(empty)).created).toBe(2);
});
afterAll(() => server.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.deps.database.pool.query(text, values)).rows;
const part = (kind: string, columns: string[], ...rows: string[][]): AskedTable => ({
  ...{ kind, columns, rows },
});
const load = (table: AskedTable, login: string) =>
  calls.post('', { file: 'парк.xlsx', ...table }, login);
const ask = (method: 'POST' | 'PUT', url: string, body: object) =>
  askJson(server, tokens.admin, method, url, body);

/** How much of everything there is that a table creates. */
const counts = () =>
  query(`select (select count(*) from users) as users, (select count(*) from workplaces) as buses,
    (select count(*) from units) as units, (select count(*) from cameras) as cameras,
    (select count(*) from imports) as imports`);

describe('a table of an integrator who is losing the customer', () => {
  it.each([
    ['users', part('users', ['login', 'role', 'client'], ['late', 'клиент', 'Первый'])],
    ['buses', part('buses', ['name', 'client'], ['Поздний', 'Первый'])],
    ['spare units', part('units', ['device_id', 'client'], ['RW-1', 'Первый'])],
    ['units', part('units', ['device_id', 'bus'], ['RW-1', 'Пустой 1'])],
    ['cameras', part('cameras', ['bus', 'stream_id', 'name'], ['Пустой 1', 'd1', 'Дверь'])],
  ])('creates no %s', async (_, table) => {
    tokens.integrator = await server.signIn('integrator');
    const before = await counts();
    const url = `/api/admin/customers/${fleet.first}`;
    const [lost, loaded] = await whileLocked(server.deps.database.db, lockAudit, [
      () => ask('PUT', url, { integrator_ids: [] }),
      () => load(table, 'integrator'),
    ]);
    const after = await counts();
    expect((await ask('PUT', url, { integrator_ids: [fleet.integrator] })).status).toBe(200);
    server.clock.advance(5000);
    expect([lost?.status, loaded?.status, loaded?.body.check.faulty]).toEqual([200, 200, 1]);
    expect(after).toEqual(before);
  });
});

describe('a table about a bus that is going to another customer', () => {
  it.each([
    ['puts no unit in', 'units', ['device_id', 'bus'], ['RW-2', 'Б']],
    ['puts no unit in as a cell of the bus', 'buses', ['name', 'device_id'], ['Б', 'RW-2']],
    ['adds no camera', 'cameras', ['bus', 'stream_id', 'name'], ['Б', 'd1', 'Дверь']],
    ['changes no field', 'buses', ['name', 'description'], ['Б', 'чужой']],
  ])('%s', async (_, kind, columns, row) => {
    const name = `Уходит ${Math.random()}`;
    await calls.load(part('buses', ['name', 'client'], [name, 'Первый']));
    const [bus] = await query<{ id: number }>('select id from workplaces where name = $1', [name]);
    tokens.integrator = await server.signIn('integrator');
    const state = () =>
      query(
        `select description, (select count(*) from units where workplace_id = workplaces.id) as units,
           (select count(*) from cameras where workplace_id = workplaces.id) as cameras
         from workplaces where name = $1`,
        [name],
      );
    const before = await state();
    const cells = row.map((cell) => (cell === 'Б' ? name : cell));
    const [gone, loaded] = await whileLocked(server.deps.database.db, lockAudit, [
      () => ask('PUT', `/api/admin/buses/${bus?.id}`, { client_ids: [fleet.second] }),
      () => load(part(kind, columns, cells), 'integrator'),
    ]);
    expect([gone?.status, loaded?.status, loaded?.body.field]).toEqual([200, 409, 'file']);
    expect(await state()).toEqual(before);
  });
});

describe('a table that waits for the batch of one of its units', () => {
  it.each([
    [
      'cameras',
      (one: string, other: string) =>
        part('cameras', ['bus', 'stream_id', 'name'], [one, 'door1', 'К'], [other, 'door1', 'К']),
    ],
    [
      'units',
      (one: string, other: string) =>
        part('units', ['device_id', 'bus'], [one, 'Пустой 1'], [other, 'Пустой 2']),
    ],
  ])('holds no camera that the batch changes: of %s', async (kind, tableOf) => {
    const { db } = server.deps.database;
    const names = [`Один ${Math.random()}`, `Другой ${Math.random()}`];
    const [one, other] = [
      await insertTestBus(db, fleet.first, names[0] ?? ''),
      await insertTestBus(db, fleet.first, names[1] ?? ''),
    ];
    const ids = [one.busId, other.busId];
    await query('update units set last_seen_at = now() where workplace_id = any($1)', [ids]);
    await query("update cameras set status = 'online' where workplace_id = any($1)", [ids]);
    const devices = [`unit-${one.busId}`, `unit-${other.busId}`];
    const [first = '', second = ''] = kind === 'units' ? devices : names;
    // The unit of the other bus sat in this one earlier, and still sends what it recorded there.
    const [loaded] = await whileLocked(
      db,
      (tx) => sql`select from units where id = ${other.unitId} for no key update`.execute(tx),
      [() => load(tableOf(first, second), 'admin')],
      (tx) =>
        sql`update cameras set status = 'offline' where workplace_id = ${one.busId}`.execute(tx),
    );
    expect([loaded?.status, loaded?.body.changed]).toEqual([200, 2]);
  });
});

describe('a table of units, of which one sits in no bus,', () => {
  it('and one change of several of them wait for each other, never both', async () => {
    const { db } = server.deps.database;
    const [spare, held, other] = [
      await insertTestBus(db, fleet.first, `Без блока ${Math.random()}`),
      await insertTestBus(db, fleet.first, `Занят ${Math.random()}`),
      await insertTestBus(db, fleet.first, `Третий ${Math.random()}`),
    ];
    await query('update units set workplace_id = null, owner_id = $2 where id = $1', [
      ...[spare.unitId, fleet.first],
    ]);
    const ids = [spare.unitId, held.unitId, other.unitId];
    await calls.load(part('buses', ['name', 'client'], ['А', 'Первый'], ['Б', 'Первый']));
    const rows = [
      [`unit-${spare.busId}`, 'А'],
      [`unit-${other.busId}`, 'Б'],
    ];
    const answers = await whileLocked<{ status: number }>(
      db,
      (tx) => sql`select from units where id = ${held.unitId} for no key update`.execute(tx),
      [
        () => ask('POST', '/api/admin/units/several', { ids, change: { enabled: false } }),
        () => load(part('units', ['device_id', 'bus'], ...rows), 'admin'),
      ],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const moved = await query(
      `select enabled, workplaces.name from units join workplaces on workplaces.id = workplace_id
       where units.id = any($1) order by units.id`,
      [[spare.unitId, other.unitId]],
    );
    expect(moved).toEqual([
      { enabled: false, name: 'А' },
      { enabled: false, name: 'Б' },
    ]);
  });
});
