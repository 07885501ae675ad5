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
  it('that a customer has buses or users', async () => {
    const buses = await load('customers', ['name'], ['Парк 1']);
    await load('buses', ['name', 'client'], ['У 1', 'Парк 1']);
    expect(await obstacles(buses)).toEqual([{ name: 'Парк 1', reason: 'buses' }]);
    const users = await load('customers', ['name'], ['Парк 2']);
    await load('users', ['login', 'role', 'client'], ['parker', 'клиент', 'Парк 2']);
    expect(await obstacles(users)).toEqual([{ name: 'Парк 2', reason: 'users' }]);
  });

  it('that a bus has cameras or a unit', async () => {
    const id = await load('buses', ['name', 'client'], ['У 2', 'Первый']);
    const [bus] = await query<{ id: number }>("select id from workplaces where name = 'У 2'");
    await query("insert into cameras (workplace_id, name, stream_id) values ($1, 'Дверь', 'd')", [
      bus?.id,
    ]);
    expect(await obstacles(id)).toEqual([{ name: 'У 2', reason: 'cameras' }]);
    await query('delete from cameras where workplace_id = $1', [bus?.id]);
    await query(
      "insert into units (device_id, workplace_id, created_at) values ('RW-U2', $1, now())",
      [bus?.id],
    );
    expect(await obstacles(id)).toEqual([{ name: 'У 2', reason: 'units' }]);
    await query('delete from units where workplace_id = $1', [bus?.id]);
    expect(await obstacles(id)).toEqual([]);
  });

  it('that a unit has sent records', async () => {
    const id = await load('units', ['device_id', 'client'], ['RW-U3', 'Первый']);
    await query("update units set last_seen_at = now() where device_id = 'RW-U3'");
    expect(await obstacles(id)).toEqual([{ name: 'RW-U3', reason: 'records' }]);
  });

  it('that a user has signed in', async () => {
    const id = await load('users', ['login', 'role', 'client'], ['visitor', 'клиент', 'Первый']);
    await query(
      `insert into sessions (user_id, created_at, last_used_at, address, user_agent)
       select id, now(), now(), '', '' from users where login = 'visitor'`,
    );
    expect(await obstacles(id)).toEqual([{ name: 'visitor', reason: 'sign_ins' }]);
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
