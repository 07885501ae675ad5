// Customers have their name and surname wherever the administration names them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAudit } from '../audit/api.ts';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAudit, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${admin}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe('the whole name of a customer', () => {
  it('is that of the owner of a spare unit, in the list and in the audit log', async () => {
    const whole = { id: fleet.first, name: 'Первый Первый-фамилия' };
    const { unit } = await ask('POST', '/api/admin/units', {
      ...{ device_id: 'SPARE-1', client_id: fleet.first },
    });
    expect(unit.client).toEqual(whole);
    const { items } = await ask('GET', '/api/admin/units?search=SPARE-1');
    expect(items[0].client).toEqual(whole);
    const second = { id: fleet.second, name: 'Второй Второй-фамилия' };
    const moved = await ask('PUT', `/api/admin/units/${unit.id}`, { client_id: fleet.second });
    expect(moved.client).toEqual(second);
    const log = await ask('GET', `/api/admin/audit?objectType=unit&objectId=${unit.id}`);
    expect(log.items[0]).toMatchObject({ before: { client: whole }, after: { client: second } });
  });

  it('is the name of the object of a command in the audit log', async () => {
    await ask('PUT', `/api/admin/customers/${fleet.first}`, { patronymic: 'Львович' });
    const log = await ask('GET', `/api/admin/audit?objectType=client&objectId=${fleet.first}`);
    expect(log.items[0].object_name).toBe('Первый Первый-фамилия');
  });

  it('does not make integrators that stay a change', async () => {
    const url = `/api/admin/audit?objectType=client&objectId=${fleet.first}`;
    const { total } = await ask('GET', url);
    const same = { integrator_ids: [fleet.integrator] };
    const { integrators } = await ask('PUT', `/api/admin/customers/${fleet.first}`, same);
    expect(integrators).toEqual([{ id: fleet.integrator, name: 'Интегратор Интегратор-фамилия' }]);
    expect((await ask('GET', url)).total).toBe(total);
  });
});
