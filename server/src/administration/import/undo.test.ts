// Loaded tables that are undone: what they have created is gone, what they have changed is as it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { insertTestFleet, insertTestUser } from '../../test/fleet.ts';
import { callTables } from '../../test/tables.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addAdministration } from '../api.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
let calls: ReturnType<typeof callTables>;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'integrator', 'operator']) {
    tokens[login] = await server.signIn(login);
  }
  calls = callTables(server, tokens);
});
afterAll(() => server.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.deps.database.pool.query(text, values)).rows;
const part = (kind: string, columns: string[], ...rows: string[][]) => ({ kind, columns, rows });

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, body?: object, login = 'admin') {
  const answer = await server.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${tokens[login]}` } },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const undo = (id: number, login?: string) =>
  ask('POST', `/api/admin/imports/${id}/undo`, undefined, login);
const undone = { status: 200, body: { undone: true, obstacles: [] } };
const obstacle = (name: string, ...reasons: string[]) => ({
  ...{ status: 200, body: { undone: false, obstacles: [{ name, reasons }] } },
});

/** Loads a table that nothing refuses. @returns its number */
async function load(table: ReturnType<typeof part>, login?: string): Promise<number> {
  const { import_id, check } = await calls.load(table, login);
  expect(check.faults).toEqual([]);
  return import_id;
}

/** The rows that tables may change. */
const world = async () => {
  const tables = {
    clients: 'id, name, surname, patronymic, status, enabled',
    users: 'id, login, role, client_id, can_edit, enabled',
    workplaces: 'id, name, description, type, capacity_seated, capacity_standing',
    bus_owners: 'workplace_id, client_id',
    units: 'id, device_id, workplace_id, owner_id',
    unit_credentials: 'id',
    cameras: 'id, name, door, live, counts, enabled',
  };
  const found: Record<string, unknown[]> = {};
  for (const [table, columns] of Object.entries(tables)) {
    const rows = await query(`select ${columns} from ${table}`);
    found[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  // The present settings alone: undoing a change leaves a row of the same values on its day.
  found.settings = await query(`
    select distinct on (workplace_id) workplace_id, group_id, timezone, terminal_stop_id
    from workplace_settings order by workplace_id, valid_from desc`);
  found.route_groups = await query('select name from route_groups where not deleted order by id');
  return found;
};

/** Gives a bus a terminal stop of its own on its route. */
async function setTerminal(bus: string): Promise<void> {
  await query(
    `with own as (
       select group_id, settings.workplace_id, client_id
       from workplace_settings as settings join workplaces on workplaces.id = settings.workplace_id
       join route_groups on route_groups.id = group_id where workplaces.name = $1
     ), stop as (
       insert into route_stops (group_id) select group_id from own
       returning id
     )
     update workplace_settings set terminal_stop_id = stop.id from stop, own
     where workplace_settings.workplace_id = own.workplace_id`,
    [bus],
  );
}

describe('what a table has created', () => {
  it('is gone: customers, users, buses with units and routes, cameras', async () => {
    const before = await world();
    const ids = [
      await load(part('customers', ['name'], ['Парк Юг'])),
      await load(part('users', ['login', 'role', 'client'], ['ivanova', 'клиент', 'Парк Юг'])),
      await load(
        part(
          'buses',
          ['name', 'client', 'group', 'device_id'],
          ['Б 1', 'Парк Юг', 'м7', 'RW-701'],
          ['Б 2', 'Парк Юг', 'м7', ''],
        ),
      ),
      await load(part('units', ['device_id', 'bus'], ['RW-702', 'Б 2'])),
      await load(part('cameras', ['bus', 'stream_id', 'name'], ['Б 1', 'door1', 'Дверь'])),
    ];
    // A job has looked at the day of a bus without people.
    await query(
      "insert into lap_days (workplace_id, day) select id, '2026-03-10' from workplaces where name = 'Б 1'",
    );
    for (const id of ids.reverse()) expect(await undo(id)).toEqual(undone);
    expect(await world()).toEqual(before);
  });

  it('stays while something depends on it, and the answer names the object', async () => {
    const customer = await load(part('customers', ['name'], ['Парк Запад']));
    const buses = await load(
      part(
        'buses',
        ['name', 'client', 'device_id'],
        ['З 1', 'Парк Запад', 'RW-1'],
        ['З 2', 'Парк Запад', ''],
      ),
    );
    expect(await undo(customer)).toEqual(obstacle('Парк Запад', 'buses'));
    await query("update units set last_seen_at = now() where device_id = 'RW-1'");
    expect(await undo(buses)).toEqual(obstacle('RW-1', 'records'));
    await query("update units set last_seen_at = null where device_id = 'RW-1'");
    const camera = await load(part('cameras', ['bus', 'stream_id', 'name'], ['З 2', 'd', 'Дверь']));
    expect(await undo(buses)).toMatchObject(obstacle('З 2', 'cameras'));
    expect(await undo(camera)).toEqual(undone);
  });

  it('stays when somebody has changed it since', async () => {
    const id = await load(
      part('users', ['login', 'role', 'client'], ['petrov', 'клиент', 'Первый']),
    );
    const [user] = await query<{ id: number }>("select id from users where login = 'petrov'");
    await ask('PUT', `/api/admin/users/${user?.id}`, { can_edit: true });
    expect(await undo(id)).toEqual(obstacle('petrov', 'changed'));
    expect(await query("select from users where login = 'petrov'")).toHaveLength(1);
  });
});

it('a later table is no obstacle once it is undone', async () => {
  const first = await load(part('buses', ['name', 'client'], ['П 1', 'Первый']));
  const second = await load(part('buses', ['name', 'places'], ['П 1', '50']));
  expect(await undo(first)).toEqual(obstacle('П 1', 'changed'));
  expect(await undo(second)).toEqual(undone);
  expect(await undo(first)).toEqual(undone);
});

describe('what a table has changed', () => {
  it('is as it was: fields, rights, places, doors, routes with their terminal', async () => {
    await load(part('customers', ['name', 'status'], ['Парк Север', 'пробный']));
    await load(part('users', ['login', 'role', 'client'], ['orlova', 'клиент', 'Первый']));
    await load(
      part(
        'buses',
        ['name', 'client', 'group', 'capacity_seated'],
        ['С 1', 'Первый', 'м1', '30'],
        ['С 2', 'Первый', '', ''],
      ),
    );
    await load(part('units', ['device_id', 'bus'], ['RW-11', 'С 1'], ['RW-12', '']));
    await load(part('cameras', ['bus', 'stream_id', 'name', 'door'], ['С 1', 'd1', 'Дверь', '1']));
    await setTerminal('С 1');
    const before = await world();
    const ids = [
      await load(
        part('customers', ['name', 'status', 'enabled'], ['Парк Север', 'активен', 'нет']),
      ),
      await load(
        part(
          'users',
          ['login', 'role', 'client', 'can_edit'],
          ['orlova', 'оператор', 'Второй', 'да'],
        ),
      ),
      await load(
        part(
          'buses',
          ['name', 'group', 'places', 'timezone', 'type', 'device_id'],
          ['С 1', 'м2', '90', 'Asia/Omsk', 'только счётчик', ''],
          ['С 2', '', '50', '', '', 'RW-22'],
        ),
      ),
      await load(part('cameras', ['bus', 'stream_id', 'name', 'door'], ['С 1', 'd1', 'Вход', '2'])),
      await load(part('units', ['device_id', 'client'], ['RW-12', 'Первый'])),
    ];
    for (const id of ids.reverse()) expect(await undo(id)).toEqual(undone);
    expect(await world()).toEqual(before);
  });

  it('stays when somebody has changed the same field since, and another field is no obstacle', async () => {
    const change = await load(part('buses', ['name', 'description'], ['С 1', 'из таблицы']));
    const [bus] = await query<{ id: number }>("select id from workplaces where name = 'С 1'");
    const put = (body: object) => ask('PUT', `/api/admin/buses/${bus?.id}`, body);
    await put({ description: 'по-своему' });
    expect(await undo(change)).toEqual(obstacle('С 1', 'changed'));
    await put({ description: 'из таблицы', capacity_seated: 31 });
    expect(await undo(change)).toEqual(undone);
    expect(
      await query("select description, capacity_seated from workplaces where name = 'С 1'"),
    ).toEqual([{ description: null, capacity_seated: 31 }]);
  });
});

describe('what a table has changed, and whose place is taken by now,', () => {
  it('stays, and the answer names the unit', async () => {
    await load(part('buses', ['name', 'client'], ['В 1', 'Первый'], ['В 2', 'Первый']));
    await load(part('units', ['device_id', 'bus'], ['RW-61', 'В 1']));
    const change = await load(part('units', ['device_id', 'bus'], ['RW-61', 'В 2']));
    await load(part('units', ['device_id', 'bus'], ['RW-62', 'В 1']));
    expect(await undo(change)).toEqual(obstacle('RW-61', 'changed'));
  });

  it('stays, and the answer names the camera', async () => {
    await load(part('buses', ['name', 'client'], ['В 3', 'Первый']));
    const columns = ['bus', 'stream_id', 'name', 'door'];
    await load(part('cameras', columns, ['В 3', 'd1', 'Передняя', '1']));
    const change = await load(part('cameras', columns, ['В 3', 'd1', '', '2']));
    await load(part('cameras', columns, ['В 3', 'd2', 'Задняя', '1']));
    expect(await undo(change)).toEqual(obstacle('Передняя', 'changed'));
  });
});

describe('what a user has changed by a table and may no longer change', () => {
  it('stays: fields of a bus that has gone to a customer whom the user does not see', async () => {
    await load(part('buses', ['name', 'client'], ['Ч 1', 'Первый']));
    const table = part('buses', ['name', 'description', 'capacity_seated'], ['Ч 1', 'свой', '30']);
    const change = await load(table, 'integrator');
    const [bus] = await query<{ id: number; second: number }>(`
      select id, (select id from clients where name = 'Второй') as second
      from workplaces where name = 'Ч 1'`);
    const given = await ask('PUT', `/api/admin/buses/${bus?.id}`, { client_ids: [bus?.second] });
    expect(given.status).toBe(200);
    expect(await undo(change, 'integrator')).toEqual(obstacle('Ч 1', 'changed'));
    expect(await query("select description from workplaces where name = 'Ч 1'")).toEqual([
      { description: 'свой' },
    ]);
    expect(await undo(change)).toEqual(undone);
  });

  it('stays: customers, routes and integrators, of an administrator who has become an integrator', async () => {
    const { db } = server.deps.database;
    const id = await insertTestUser(db, 'boss', 'ADMIN', null);
    tokens.boss = await server.signIn('boss');
    await load(part('buses', ['name', 'client', 'group'], ['Ч 2', 'Первый', 'м1']));
    const customers = await load(
      part('customers', ['name', 'status'], ['Первый', 'пробный']),
      'boss',
    );
    await load(part('buses', ['name', 'client', 'group'], ['Ч 3', 'Первый', 'м2']));
    const routes = await load(part('buses', ['name', 'group'], ['Ч 2', 'м2']), 'boss');
    const users = await load(
      part('users', ['login', 'role', 'client'], ['deputy', 'интегратор', 'Интегратор']),
      'boss',
    );
    const [client] = await query<{ id: number }>(
      "select id from clients where name = 'Интегратор'",
    );
    const rights = { role: 'INTEGRATOR', client_id: client?.id };
    expect((await ask('PUT', `/api/admin/users/${id}`, rights)).status).toBe(200);
    tokens.boss = await server.signIn('boss');
    const before = await world();
    expect(await undo(customers, 'boss')).toMatchObject({ status: 403, body: { field: 'kind' } });
    expect(await undo(routes, 'boss')).toMatchObject({ status: 403, body: { field: 'group_id' } });
    expect(await undo(users, 'boss')).toEqual(obstacle('deputy', 'changed'));
    expect(await world()).toEqual(before);
    for (const table of [users, routes, customers]) expect(await undo(table)).toEqual(undone);
  });
});

it('a unit that a table has moved has never been away, though it has sent something', async () => {
  await load(part('buses', ['name', 'client'], ['У 1', 'Первый'], ['У 2', 'Первый']));
  await load(part('units', ['device_id', 'bus'], ['RW-31', 'У 1']));
  await query("update units set last_seen_at = now() where device_id = 'RW-31'");
  const before = await world();
  const change = await load(part('units', ['device_id', 'bus'], ['RW-31', 'У 2']));
  expect(await query('select from past_assignments')).toHaveLength(1);
  server.clock.advance(60_000);
  expect(await undo(change)).toEqual(undone);
  expect(await world()).toEqual(before);
  expect(await query('select from past_assignments')).toEqual([]);
});

it('a unit that a table has put into its first bus has never been there, with all its records', async () => {
  await load(part('buses', ['name', 'client'], ['У 3', 'Первый']));
  await load(part('units', ['device_id', 'client'], ['RW-33', 'Первый']));
  await query("update units set last_seen_at = now() where device_id = 'RW-33'");
  const before = await world();
  const change = await load(part('units', ['device_id', 'bus'], ['RW-33', 'У 3']));
  expect(await undo(change)).toEqual(undone);
  expect(await world()).toEqual(before);
  const { rows } = await server.deps.database.pool.query(
    `select assigned_from, (select count(*)::int from past_assignments where unit_id = units.id) as past
     from units where device_id = 'RW-33'`,
  );
  expect(rows).toEqual([{ assigned_from: Number.NEGATIVE_INFINITY, past: 0 }]);
});

describe('the tables that can be undone', () => {
  it('are listed by kind, are undone once, and for a day', async () => {
    const id = await load(part('buses', ['name', 'client'], ['Л 1', 'Первый']));
    const list = () => ask('GET', '/api/admin/imports?kind=buses');
    const [listed] = (await list()).body.items;
    expect(listed).toMatchObject({
      ...{ id, user: 'admin', file: 'парк.xlsx', created: 1, changed: 0, undone_at: null },
    });
    expect(await undo(id)).toEqual(undone);
    expect((await list()).body.items[0].undone_at).not.toBeNull();
    expect(await undo(id)).toMatchObject({ status: 409, body: { field: 'importId' } });
    const late = await load(part('buses', ['name', 'client'], ['Л 2', 'Первый']));
    await query("update imports set at = at - interval '1 day' where id = $1", [late]);
    expect(await undo(late)).toMatchObject({ status: 409, body: { field: 'importId' } });
    expect((await list()).body.items.map((one: { id: number }) => one.id)).not.toContain(late);
  });

  it('are one’s own; administrators have all', async () => {
    const own = await load(part('buses', ['name', 'client'], ['И 1', 'Первый']), 'integrator');
    const others = await load(part('buses', ['name', 'client'], ['И 2', 'Первый']));
    const { body } = await ask('GET', '/api/admin/imports?kind=buses', undefined, 'integrator');
    const listed = body.items.map((one: { id: number }) => one.id);
    expect([listed.includes(own), listed.includes(others)]).toEqual([true, false]);
    expect((await undo(others, 'integrator')).status).toBe(404);
    expect((await undo(own, 'operator')).status).toBe(403);
    expect((await ask('GET', '/api/admin/imports?kind=buses', undefined, 'operator')).status).toBe(
      403,
    );
    expect(await undo(own)).toEqual(undone);
  });

  it('have a number that every row of the audit log names, that of the undoing too', async () => {
    const id = await load(
      part('buses', ['name', 'client', 'device_id'], ['Ж 1', 'Первый', 'RW-91']),
    );
    await undo(id);
    const rows = await query<{ action: string }>(
      'select action from audit_log where import_id = $1 order by id desc',
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      ...['undo_import', 'delete_bus', 'delete_unit', 'import', 'create_unit', 'create_bus'],
    ]);
  });
});

// The last one: it moves the clock.
it('a change that is undone after midnight has the laps of both days worked out anew', async () => {
  await load(part('buses', ['name', 'client', 'group'], ['Н 1', 'Первый', 'м1']));
  const midnightMs =
    Math.ceil((server.clock.nowMs() + 3 * 3_600_000) / 86_400_000) * 86_400_000 - 3 * 3_600_000;
  server.clock.set(midnightMs - 600_000);
  tokens.admin = await server.signIn('admin');
  const change = await load(part('buses', ['name', 'group'], ['Н 1', 'м2']));
  server.clock.set(midnightMs + 600_000);
  tokens.admin = await server.signIn('admin');
  await query('delete from lap_days');
  expect(await undo(change)).toEqual(undone);
  const [first = '', second = ''] = [midnightMs - 1, midnightMs].map((ms) =>
    new Date(ms + 3 * 3_600_000).toISOString().slice(0, 10),
  );
  expect(await query('select day from lap_days where asked_at is not null order by day')).toEqual([
    { day: first },
    { day: second },
  ]);
  const routes = await query<{ name: string }>(
    `select distinct route_groups.name from workplace_settings as own
     join workplaces on workplaces.id = own.workplace_id
     join route_groups on route_groups.id = group_id where workplaces.name = 'Н 1'`,
  );
  expect(routes).toEqual([{ name: 'м1' }]);
});
