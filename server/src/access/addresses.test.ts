// Addresses that name nothing, and the list of buses by role.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures } from '../features.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'first', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function ask(method: 'GET', url: string, token?: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers });
  const body = answer.headers['content-type']?.toString().includes('json') ? answer.json() : {};
  return { status: answer.statusCode, body };
}

describe('access', () => {
  it('lists to each the buses of their own, and units and names only to whom they are meant for', async () => {
    const listOf = async (role: string) => (await ask('GET', '/api/bus_list', tokens[role])).body;
    const namesOf = (list: { items: { name: string }[] }) => list.items.map(({ name }) => name);
    expect(namesOf(await listOf('admin'))).toEqual(['Автобус 2', 'Автобус 10']);
    expect(namesOf(await listOf('first'))).toEqual(['Автобус 10']);
    expect(namesOf(await listOf('integrator'))).toEqual(['Автобус 10']);
    expect((await listOf('first')).customers).toEqual([]);
    expect((await listOf('integrator')).customers).toHaveLength(1);
    expect((await listOf('first')).items[0].group_device_id).toBeNull();
    expect((await listOf('admin')).items[0].group_device_id).toMatch(/^unit-/);
  });

  it.each([
    '/api/bus/info/..%2f..%2fetc%2fpasswd',
    '/api/bus/info/1.5',
    '/api/bus/info/-1',
    '/api/bus/info/%00',
    `/api/bus/info/${'9'.repeat(200)}`,
    '//api//bus_list',
    '/api/segments/day-segments?workplaceId=1&date=2026-13-45',
    '/api/segments/day-segments?workplaceId=1',
    '/api/period_list/1?startdate=2026-11-20&enddate=2010-01-01',
  ])('%s is answered clearly', async (url) => {
    const { status, body } = await ask('GET', url, tokens.admin);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.message).toBeTruthy();
  });

  it('names the field of a day that does not exist', async () => {
    const url = `/api/bus/info/${fleet.firstBus.busId}?date=2026-13-45`;
    expect(await ask('GET', url, tokens.admin)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', field: 'date' },
    });
  });
});
