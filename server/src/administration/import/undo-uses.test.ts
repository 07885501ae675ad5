// A table that is not undone tells what depends on its objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableServer, type TableServer } from '../../test/tables.ts';
import { useBy } from './undo-uses.ts';

let world: TableServer;
beforeAll(async () => {
  world = await createTableServer('admin');
});
afterAll(() => world.server.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.server.deps.database.pool.query(text, values)).rows;

/** Loads a table that nothing refuses. @returns its number */
async function load(kind: string, columns: string[], ...rows: string[][]): Promise<number> {
  const { import_id, check } = await world.calls.load({ kind, columns, rows });
  expect(check.faults).toEqual([]);
  return import_id;
}
async function obstacles(id: number): Promise<unknown> {
  const answer = await world.server.app.inject({
    ...{ method: 'POST', url: `/api/admin/imports/${id}/undo` },
    headers: { authorization: `Bearer ${world.tokens.admin}` },
  });
  return answer.json().obstacles;
}

describe('a table that is not undone says', () => {
  it('of each object all that depends on it, and whether it was changed', async () => {
    const id = await load(
      ...['buses', ['name', 'client', 'group', 'device_id']],
      ...[
        ['К 1', 'Первый', 'м1', 'RW-K1'],
        ['К 2', 'Первый', 'м1', ''],
        ['К 3', 'Первый', 'м1', 'RW-K3'],
      ],
    );
    const buses = "(select id from workplaces where name in ('К 1', 'К 2'))";
    await query(
      `insert into cameras (workplace_id, name, stream_id) select id, 'Дверь', 'd' from workplaces where id in ${buses}`,
    );
    await query(
      `insert into units (device_id, workplace_id, created_at) select 'RW-K2', id, now() from workplaces where name = 'К 2'`,
    );
    await query("update units set last_seen_at = now() where device_id = 'RW-K1'");
    await load('buses', ['name', 'places'], ['К 2', '50']);
    await query(
      "insert into route_stops (group_id) select id from route_groups where name = 'м1' and client_id = $1",
      [world.fleet.first],
    );
    expect(await obstacles(id)).toEqual([
      { name: 'К 2', reasons: ['changed', 'cameras', 'units'] },
      { name: 'RW-K1', reasons: ['records'] },
      { name: 'К 1', reasons: ['cameras'] },
      { name: 'м1', reasons: ['stops'] },
    ]);
    await query("delete from units where device_id = 'RW-K2'");
    await query(`delete from cameras where workplace_id in ${buses}`);
    await query("update units set last_seen_at = null where device_id = 'RW-K1'");
    await query('delete from route_stops');
    expect(await obstacles(id)).toEqual([{ name: 'К 2', reasons: ['changed'] }]);
  });

  it('each object that somebody has changed since, beside those that are in use', async () => {
    await load(
      'buses',
      ['name', 'client'],
      ['Ж 1', 'Первый'],
      ['Ж 2', 'Первый'],
      ['Ж 3', 'Первый'],
    );
    const columns = ['name', 'client', 'description'];
    const rows = ['Ж 1', 'Ж 2', 'Ж 3', 'Ж 4'].map((name) => [name, 'Первый', 'из таблицы']);
    const id = await load('buses', columns, ...rows);
    await query("update workplaces set description = 'мой' where name in ('Ж 1', 'Ж 3')");
    await query(
      "insert into cameras (workplace_id, name, stream_id) select id, 'Дверь', 'd' from workplaces where name = 'Ж 4'",
    );
    expect(await obstacles(id)).toEqual([
      { name: 'Ж 1', reasons: ['changed'] },
      { name: 'Ж 3', reasons: ['changed'] },
      { name: 'Ж 4', reasons: ['cameras'] },
    ]);
    const found = await query("select from workplaces where description = 'из таблицы'");
    expect(found).toHaveLength(2);
  });

  it('at most twenty objects', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`Ц ${at}`, 'Первый']);
    const id = await load('buses', ['name', 'client'], ...rows);
    await query(
      "insert into cameras (workplace_id, name, stream_id) select id, 'Дверь', 'd' from workplaces where name like 'Ц %'",
    );
    const first = rows.slice(0, 20).map(([name]) => ({ name, reasons: ['cameras'] }));
    expect(await obstacles(id)).toEqual(first);
  });

  it('that a customer has buses or users', async () => {
    const buses = await load('customers', ['name'], ['Парк 1']);
    await load('buses', ['name', 'client'], ['У 1', 'Парк 1']);
    expect(await obstacles(buses)).toEqual([{ name: 'Парк 1', reasons: ['buses'] }]);
    const users = await load('customers', ['name'], ['Парк 2']);
    await load('users', ['login', 'role', 'client'], ['parker', 'клиент', 'Парк 2']);
    expect(await obstacles(users)).toEqual([{ name: 'Парк 2', reasons: ['users'] }]);
  });

  it('that a bus has cameras or a unit', async () => {
    const id = await load('buses', ['name', 'client'], ['У 2', 'Первый']);
    const [bus] = await query<{ id: number }>("select id from workplaces where name = 'У 2'");
    await query("insert into cameras (workplace_id, name, stream_id) values ($1, 'Дверь', 'd')", [
      bus?.id,
    ]);
    expect(await obstacles(id)).toEqual([{ name: 'У 2', reasons: ['cameras'] }]);
    await query('delete from cameras where workplace_id = $1', [bus?.id]);
    await query(
      "insert into units (device_id, workplace_id, created_at) values ('RW-U2', $1, now())",
      [bus?.id],
    );
    expect(await obstacles(id)).toEqual([{ name: 'У 2', reasons: ['units'] }]);
    await query('delete from units where workplace_id = $1', [bus?.id]);
    expect(await obstacles(id)).toEqual([]);
  });

  it('that a unit has sent records', async () => {
    const id = await load('units', ['device_id', 'client'], ['RW-U3', 'Первый']);
    await query("update units set last_seen_at = now() where device_id = 'RW-U3'");
    expect(await obstacles(id)).toEqual([{ name: 'RW-U3', reasons: ['records'] }]);
  });

  it('that a user has signed in', async () => {
    const id = await load('users', ['login', 'role', 'client'], ['visitor', 'клиент', 'Первый']);
    await query(
      `insert into sessions (user_id, created_at, last_used_at, address, user_agent)
       select id, now(), now(), '', '' from users where login = 'visitor'`,
    );
    expect(await obstacles(id)).toEqual([{ name: 'visitor', reasons: ['sign_ins'] }]);
  });
});

it('every table that refers to what a table creates has a word, but those that are deleted with it', async () => {
  const rows = await query<{ name: string }>(`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confdeltype <> 'c' and confrelid::regclass::text in
      ('cameras', 'units', 'workplaces', 'route_groups', 'users', 'clients') order by name`);
  expect(rows.map(({ name }) => name).filter((name) => useBy(name) === 'used')).toEqual([
    ...['lap_days', 'password_links', 'stale_hours', 'stale_profiles', 'unit_credentials'],
    ...['unsettled_days', 'watched_buses'],
  ]);
});
