// A customer's buses have different names: tables find a bus by its customer and name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'integrator']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

const ask = (method: 'POST' | 'PUT', url: string, body: object, login = 'admin') =>
  askJson(server, tokens[login], method, url, body);
const create = (name: string, client_ids = [fleet.first], login = 'admin') =>
  ask('POST', '/api/admin/buses', { name, client_ids, timezone: 'Europe/Moscow' }, login);
const change = (id: number, body: object, login = 'admin') =>
  ask('PUT', `/api/admin/buses/${id}`, body, login);
const taken = { status: 409, body: { error: 'conflict', field: 'name' } };

describe('a name that the customer has', () => {
  it('is refused for a new bus, in any case and with any spaces, by integrators, too', async () => {
    for (const name of ['Автобус 10', 'АВТОБУС 10', 'автобус  10']) {
      expect(await create(name)).toMatchObject(taken);
      expect(await create(name, [fleet.second, fleet.first])).toMatchObject(taken);
    }
    expect(await create('Автобус 10', [fleet.first], 'integrator')).toMatchObject(taken);
    expect(await create('Автобус 10', [fleet.second])).toMatchObject({ status: 200 });
  });

  it('is refused for a bus that is renamed; another case of its own name is not', async () => {
    const { id } = (await create('А 1')).body;
    expect(await change(id, { name: 'Автобус 10' })).toMatchObject(taken);
    expect(await change(id, { name: 'а 1' })).toMatchObject({ status: 200 });
    const { body } = await create('А 1', [fleet.second]);
    expect(await change(body.id, { name: 'А 2', client_ids: [fleet.first] })).toMatchObject({
      status: 200,
    });
    expect(await change(body.id, { name: 'А 1' })).toMatchObject(taken);
  });

  it('is free again when the bus has left the fleet', async () => {
    const { id } = (await create('Б 1')).body;
    expect((await change(id, { retired: true })).status).toBe(200);
    expect(await create('Б 1')).toMatchObject({ status: 200 });
  });

  it('is given once when two ask for it at once', async () => {
    const made = await Promise.all([create('В 1'), create('В 1')]);
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('stays with buses that have it both, which can be changed otherwise', async () => {
    const { db } = server.deps.database;
    const { id } = (await create('Г 1')).body;
    const other = (await create('Г 2')).body;
    await db.updateTable('workplaces').set({ name: 'Г 1' }).where('id', '=', other.id).execute();
    const same = { name: 'Г 1', description: 'с подъёмником' };
    expect(await change(id, same)).toMatchObject({ status: 200 });
  });
});
