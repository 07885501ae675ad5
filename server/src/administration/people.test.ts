// Administrators work with customers and users, and integrators with those of their customers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBuses } from '../buses/api.ts';
import {
  insertTestClient,
  insertTestFleet,
  insertTestUser,
  type TestFleet,
} from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addBuses, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function ask(method: string, url: string, body?: object, role = 'admin') {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role] ?? role}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
const idOf = async (login: string): Promise<number> => {
  const { id } = await server.deps.database.db
    .selectFrom('users')
    .select('id')
    .where('login', '=', login)
    .executeTakeFirstOrThrow();
  return id;
};
const PASSWORD = 'a new password';
const userOf = (fields: object) => ({ password: PASSWORD, role: 'CUSTOMER', ...fields });

describe('customers', () => {
  it('lists their status, integrators, buses and users', async () => {
    const { body } = await ask('GET', '/api/admin/customers?sortBy=buses&sortType=DESC&perPage=2');
    expect(body.total).toBe(3);
    expect(body.items).toContainEqual(
      expect.objectContaining({
        ...{ name: 'Первый', status: 1, buses: 1, users: 1 },
        integrators: [{ id: fleet.integrator, name: 'Интегратор Интегратор-фамилия' }],
      }),
    );
    const trial = await ask('GET', '/api/admin/customers?status=2');
    expect(trial.body.total).toBe(0);
    const looked = await ask('GET', `/api/admin/customers?integratorId=${fleet.integrator}`);
    expect(looked.body.items).toMatchObject([{ name: 'Первый' }]);
  });

  it.each([
    ['a zero width space', 'Север\u200b'],
    ['the blank of Braille', '\u2800'],
    ['a bell', 'Север\u0007'],
    ['an override of direction', '\u202eревеС'],
  ])('have no name with %s: somebody could not tell it from another', async (_, name) => {
    const refused = { status: 400, body: { error: 'invalid_request', field: 'name' } };
    expect(await ask('POST', '/api/admin/customers', { name })).toMatchObject(refused);
    const login = await ask('POST', '/api/admin/users', userOf({ login: name, role: 'ADMIN' }));
    expect(login).toMatchObject({ status: 400, body: { field: 'login' } });
  });

  it('blocks a customer, whose user may no longer do anything, and writes down who did', async () => {
    const { id } = (await ask('POST', '/api/admin/customers', { name: 'Новый' })).body;
    await ask('POST', '/api/admin/users', userOf({ login: 'new', client_id: id }));
    const token = await server.signIn('new', PASSWORD);
    expect((await ask('GET', '/api/bus_list', undefined, token)).status).toBe(200);
    const url = `/api/admin/customers/${id}`;
    const seen = { status: 1 };
    expect((await ask('PUT', url, { status: 3, seen })).body).toMatchObject({ status: 3 });
    server.clock.advance(5000);
    expect((await ask('GET', '/api/bus_list', undefined, token)).body.error).toBe('user_blocked');
    expect(await ask('PUT', url, { status: 4, seen })).toMatchObject({
      status: 409,
      body: { current: { status: 3 } },
    });
    const { rows } = await server.deps.database.pool.query(
      `select login, before, after from audit_log join users on users.id = user_id
       where action = 'set_client'`,
    );
    expect(rows).toEqual([{ login: 'admin', before: { status: 1 }, after: { status: 3 } }]);
  });

  it('gives a customer another integrator, who sees its buses from then on', async () => {
    const url = `/api/admin/customers/${fleet.second}`;
    const change = { integrator_ids: [fleet.integrator], patronymic: 'Иванович' };
    expect((await ask('PUT', url, change)).body).toMatchObject({
      integrators: [{ name: 'Интегратор Интегратор-фамилия' }],
      patronymic: 'Иванович',
    });
    server.clock.advance(5000);
    const seen = await ask('GET', '/api/admin/buses', undefined, 'integrator');
    expect(seen.body.total).toBe(2);
    const back = await ask('PUT', url, { integrator_ids: [] });
    expect(back.body.integrators).toEqual([]);
    server.clock.advance(5000);
    const own = { integrator_ids: [fleet.second] };
    expect((await ask('PUT', url, own)).body.field).toBe('integrator_ids');
  });

  it('look after nobody who looks after them, also through others', async () => {
    const names = ['Круг 1', 'Круг 2', 'Круг 3'];
    const ids: number[] = [];
    for (const name of names)
      ids.push((await ask('POST', '/api/admin/customers', { name })).body.id);
    const lookAfter = async (of: number, by: number) => {
      const url = `/api/admin/customers/${ids[of]}`;
      return ask('PUT', url, { integrator_ids: [ids[by]] });
    };
    expect((await lookAfter(1, 0)).status).toBe(200);
    expect((await lookAfter(2, 1)).status).toBe(200);
    for (const by of [1, 2]) {
      expect(await lookAfter(0, by)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', field: 'integrator_ids' },
      });
    }
    // Several integrators of one customer close no circle.
    expect((await lookAfter(2, 0)).status).toBe(200);
  });

  it('ends keys of an integrator that it leaves, each with its audit row', async () => {
    const url = `/api/admin/customers/${fleet.first}`;
    const wanted = { client_id: fleet.first, name: 'Табло', scopes: ['buses'] };
    const { id } = (await ask('POST', '/api/keys', wanted, 'integrator')).body.key;
    expect((await ask('PUT', url, { integrator_ids: [] })).status).toBe(200);
    const { rows } = await server.deps.database.pool.query(
      `select action, login, before, audit_log.request_id is not null as has_request
       from audit_log join users on users.id = user_id
       where object_type = 'api_key' and object_id = $1 order by audit_log.id desc`,
      [String(id)],
    );
    expect(rows).toMatchObject([
      { action: 'revoke_api_key', login: 'admin', before: { name: 'Табло' }, has_request: true },
      { action: 'create_api_key', login: 'integrator' },
    ]);
    const back = { integrator_ids: [fleet.integrator] };
    expect((await ask('PUT', url, back)).status).toBe(200);
    server.clock.advance(5000);
  });

  it('are named by name and surname, and found by both', async () => {
    const person = { name: 'Вера', surname: 'Ясная' };
    const { body } = await ask('POST', '/api/admin/customers', person);
    await ask('POST', '/api/admin/users', userOf({ login: 'vera', client_id: body.id }));
    const client = { id: body.id, name: 'Вера Ясная' };
    expect((await ask('GET', '/api/admin/users?search=ясная')).body.items).toMatchObject([
      { login: 'vera', client },
    ]);
    expect((await ask('GET', '/api/admin')).body.clients).toContainEqual(client);
  });

  it('refuses a taken name', async () => {
    const made = await ask('POST', '/api/admin/customers', { name: 'Первый' });
    expect([made.status, made.body.field]).toEqual([409, 'name']);
  });
});

describe('users', () => {
  it('lists logins with role, customer and last use', async () => {
    const { body } = await ask('GET', '/api/admin/users?role=ADMIN');
    expect(body.items).toMatchObject([{ login: 'admin', client: null, enabled: true }]);
    expect(body.items[0].last_used_at).toMatch(/Z$/);
    expect(JSON.stringify(body)).not.toContain('password');
    const found = await ask('GET', `/api/admin/users?search=${encodeURIComponent('ИНТЕГР')}`);
    expect(found.body.items).toMatchObject([{ login: 'integrator' }, { login: 'operator' }]);
  });

  it('creates a user who signs in, with rights that end its sessions when they change', async () => {
    const made = await ask(
      'POST',
      '/api/admin/users',
      userOf({ login: 'ivan', client_id: fleet.first }),
    );
    expect(made.body).toMatchObject({ login: 'ivan', role: 'CUSTOMER', can_edit: false });
    const token = await server.signIn('ivan', PASSWORD);
    const url = `/api/admin/users/${made.body.id}`;
    const edits = await ask('PUT', url, { can_edit: true });
    expect(edits.body).toMatchObject({ can_edit: true });
    expect((await ask('GET', '/api/auth/me', undefined, token)).status).toBe(200);
    const role = await ask('PUT', url, { role: 'OPERATOR' });
    expect(role.body.role).toBe('OPERATOR');
    expect((await ask('GET', '/api/auth/me', undefined, token)).status).toBe(401);
    const again = await server.signIn('ivan', PASSWORD);
    expect((await ask('PUT', url, { enabled: false })).body.enabled).toBe(false);
    expect((await ask('GET', '/api/auth/me', undefined, again)).status).toBe(401);
    await expect(server.signIn('ivan', PASSWORD)).rejects.toThrow('user_inactive');
  });

  it('gives the first account of a customer the id of the customer, also of two made at once', async () => {
    const { body: client } = await ask('POST', '/api/admin/customers', { name: 'Первый счёт' });
    const made = await Promise.all(
      ['счёт-1', 'счёт-2'].map((login) =>
        ask('POST', '/api/admin/users', userOf({ login, client_id: client.id })),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    const ids = made.map(({ body }) => body.id);
    expect(ids.filter((id) => id === client.id)).toHaveLength(1);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['a zero-width space', 'iv\u200ban'],
    ['an order from right to left', '\u202eadmin'],
    ['a control character', 'ivan\u0007'],
    ['a line break', 'iv\nan'],
    ['a no-break space', 'iv\u00a0an'],
    ['a filler', 'ivan\u3164'],
    ['a space at its end', 'ivan '],
  ])('refuses a login with %s', async (_, login) => {
    const { status, body } = await ask('POST', '/api/admin/users', userOf({ login }));
    expect([status, body.error, body.field]).toEqual([400, 'invalid_request', 'login']);
  });

  it('takes a login with letters of any script, signs and spaces inside', async () => {
    const wanted = userOf({ login: 'Ёж Иванов-2 @парк', client_id: fleet.first });
    expect((await ask('POST', '/api/admin/users', wanted)).status).toBe(200);
  });

  it('refuses a taken login, a short password, and a role without its customer', async () => {
    const refused = async (fields: object) => {
      const { status, body } = await ask('POST', '/api/admin/users', userOf(fields));
      return [status, body.error, body.field];
    };
    expect(await refused({ login: 'FIRST', client_id: fleet.first })).toEqual([
      409,
      'conflict',
      'login',
    ]);
    expect(await refused({ login: 'x', client_id: fleet.first, password: 'short' })).toEqual([
      400,
      'weak_password',
      'password',
    ]);
    expect(await refused({ login: 'x', client_id: null })).toEqual([
      400,
      'invalid_request',
      'client_id',
    ]);
    expect(await refused({ login: 'x', client_id: fleet.first, role: 'ADMIN' })).toEqual([
      400,
      'invalid_request',
      'client_id',
    ]);
    expect(await refused({ login: 'x', client_id: 999_999 })).toEqual([
      404,
      'not_found',
      undefined,
    ]);
  });

  it('keeps the rights of the user who changes them', async () => {
    const url = `/api/admin/users/${await idOf('admin')}`;
    expect((await ask('PUT', url, { enabled: false })).body.field).toBe('enabled');
    const role = { role: 'OPERATOR', client_id: fleet.first };
    expect((await ask('PUT', url, role)).body.field).toBe('role');
  });

  it('lets an integrator make customers and operators of its customers, and nobody who sees more', async () => {
    const create = async (fields: object) => {
      const made = await ask('POST', '/api/admin/users', userOf(fields), 'integrator');
      return made.status;
    };
    expect(await create({ login: 'i1', client_id: fleet.first })).toBe(200);
    expect(await create({ login: 'i2', client_id: fleet.integrator, role: 'OPERATOR' })).toBe(200);
    expect(await create({ login: 'i3', client_id: null, role: 'ADMIN' })).toBe(403);
    expect(await create({ login: 'i4', client_id: fleet.first, role: 'INTEGRATOR' })).toBe(403);
    expect(await create({ login: 'i5', client_id: fleet.second })).toBe(404);
    const { db } = server.deps.database;
    const third = await insertTestClient(db, 'Третий');
    await db
      .insertInto('integrator_clients')
      .values({ integrator_id: fleet.first, client_id: third })
      .execute();
    expect(await create({ login: 'i6', client_id: fleet.first, role: 'OPERATOR' })).toBe(403);
    await db.deleteFrom('integrator_clients').where('client_id', '=', third).execute();
  });

  it('lets an integrator change neither other integrators nor the role of one', async () => {
    const { db } = server.deps.database;
    const colleague = await insertTestUser(db, 'colleague', 'INTEGRATOR', fleet.integrator);
    const change = async (id: number, fields: object) =>
      (await ask('PUT', `/api/admin/users/${id}`, fields, 'integrator')).status;
    expect(await change(colleague, { enabled: false })).toBe(403);
    expect(await change(await idOf('operator'), { role: 'INTEGRATOR' })).toBe(403);
    expect(await change(await idOf('first'), { client_id: fleet.second })).toBe(404);
    expect(await change(await idOf('second'), { enabled: false })).toBe(404);
    expect(await change(await idOf('admin'), { enabled: false })).toBe(404);
    expect(await change(await idOf('first'), { can_edit: true })).toBe(200);
  });
});
