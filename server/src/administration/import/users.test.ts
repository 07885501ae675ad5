// Tables of users: what their check says, and what loading them creates.
import type { ImportCell } from '@ridewatch/contract/admin-import';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestUser } from '../../test/fleet.ts';
import { type AskedTable, createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let fleet: TableServer['fleet'];
let calls: TableServer['calls'];
beforeAll(async () => {
  const logins = ['admin', 'integrator', 'operator', 'first'];
  ({ server, fleet, calls } = await createTableServer(...logins));
});
afterAll(() => server.close());

const post: typeof calls.post = (...asked) => calls.post(...asked);
const load: typeof calls.load = (...asked) => calls.load(...asked);
const faultsOf: typeof calls.faultsOf = (...asked) => calls.faultsOf(...asked);
describe('a table of users', () => {
  const users = (...rows: ImportCell[][]): AskedTable => ({
    kind: 'users',
    columns: ['login', 'role', 'client', 'can_edit'],
    rows,
  });

  it('creates them with a link each, by which they set their passwords', async () => {
    const table = users(
      ['ivanov', 'Клиент', 'Первый', 'да'],
      ['petrov', 'operator', 'Первый', ''],
      ['boss', 'администратор', '', ''],
    );
    const { created, links, credentials } = await load(table);
    expect([created, credentials]).toEqual([3, []]);
    expect(links).toMatchObject([
      { login: 'ivanov', client: 'Первый Первый-фамилия' },
      { login: 'petrov' },
      { login: 'boss', client: null },
    ]);
    const token = links[0].path.split('#')[1];
    const set = await server.app.inject({
      method: 'PUT',
      url: '/api/auth/password-link',
      payload: { token, new_password: 'my own password' },
    });
    expect(set.statusCode).toBe(204);
    await server.signIn('ivanov', 'my own password');
    const { rows } = await server.deps.database.pool.query(
      "select login, role, can_edit from users where login in ('ivanov', 'petrov', 'boss') order by 1",
    );
    expect(rows).toEqual([
      { login: 'boss', role: 'ADMIN', can_edit: false },
      { login: 'ivanov', role: 'CUSTOMER', can_edit: true },
      { login: 'petrov', role: 'OPERATOR', can_edit: false },
    ]);
  });

  it('names logins that are taken, twice or confusing, roles that do not exist, and missing customers', async () => {
    const table = users(
      ['ADMIN', 'customer', 'Первый', ''],
      ['sidorov', 'customer', '', ''],
      ['Sidorov', 'customer', 'Первый', ''],
      ['ku\u200bznetsov', 'customer', 'Первый', ''],
      ['orlov', 'king', 'Никто', 'может'],
      ['', 'customer', 'Первый', ''],
      ['root', 'admin', 'Первый', ''],
    );
    expect(await faultsOf(table)).toEqual([
      ...[
        'B2 own_role',
        'C3 required',
        'A4 twice',
        'A5 invisible',
        'B6 choice',
        'C6 unknown',
        'D6 choice',
      ],
      ...['A7 required', 'C8 no_client'],
    ]);
  });

  it('names a login that an unseen user has, also where an apostrophe keeps it a text', async () => {
    const { db } = server.deps.database;
    await insertTestUser(db, '+79990000000', 'CUSTOMER', fleet.second);
    const table = users(["'+79990000000", 'customer', 'Первый', '']);
    expect(await faultsOf(table, 'integrator')).toEqual(['A2 taken']);
    await db
      .insertInto('units')
      .values({ device_id: '-7001', owner_id: fleet.second, created_at: new Date() })
      .execute();
    const columns = ['device_id', 'client'];
    const units = { kind: 'units', columns, rows: [["'-7001", 'Первый']] };
    expect(await faultsOf(units, 'integrator')).toEqual(['A2 taken']);
  });

  it('gives an integrator no role and no customer that sees more than the integrator', async () => {
    const { db } = server.deps.database;
    const row = { integrator_id: fleet.first, client_id: fleet.second };
    await db.insertInto('integrator_clients').values(row).execute();
    const table = users(
      ['new-admin', 'admin', '', ''],
      ['new-integrator', 'integrator', 'Первый', ''],
      ['new-owner', 'customer', 'Первый', ''],
      ['new-other', 'customer', 'Второй', ''],
      ['new-driver', 'driver', 'Первый', ''],
    );
    expect(await faultsOf(table, 'integrator')).toEqual([
      ...['B2 no_right', 'B3 no_right', 'C3 no_right', 'C4 no_right', 'C5 unknown'],
      ...['B6 choice', 'C6 no_right'],
    ]);
    await db.deleteFrom('integrator_clients').where('integrator_id', '=', fleet.first).execute();
    const own = users(['new-owner', 'customer', 'Первый', '']);
    expect((await load(own, 'integrator')).created).toBe(1);
    expect((await post('/check', own, 'first')).status).toBe(403);
  });

  it('shows its links once, and writes none down', async () => {
    const { links } = await load(users(['secretive', 'customer', 'Первый', '']));
    const token = links[0].path.split('#')[1];
    const { rows } = await server.deps.database.pool.query(
      'select count(*)::int as n from audit_log where after::text like $1',
      [`%${token}%`],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
