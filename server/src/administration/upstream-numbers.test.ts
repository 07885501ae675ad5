// The numbers of buses at an upstream: each bus counts once, two tabs do not overwrite each other, and a bus that the
// upstream gets no longer stands in nobody's way.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { adoptEgts } from '../test/egts.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  token = await server.signIn('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.database.db.deleteFrom('upstreams').execute();
});

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  askJson(server, token, method, `/api/admin/upstreams${url}`, body);
const make = async (
  of: { client_ids: readonly number[] } | { all_clients: true },
): Promise<number> =>
  (await ask('POST', '', { name: 'Регион', host: 'egts.region.example', port: 20_332, ...of })).body
    .id;
type Asked = { id: number; object_id: number | null; seen?: { object_id: number | null } };
const number = (id: number, ...buses: Asked[]) => ask('PUT', `/${id}/buses`, { buses });

it('a bus of two customers counts once, and is found by either', async () => {
  const { db } = server.deps.database;
  const shared = await insertTestBus(db, fleet.first, 'Общий');
  await db
    .insertInto('workplace_clients')
    .values({ workplace_id: shared.busId, client_id: fleet.second })
    .execute();
  const { first, second } = fleet;
  for (const [of, buses, shown] of [
    [{ all_clients: true }, 3, second],
    [{ client_ids: [first, second] }, 3, second],
    [{ client_ids: [first] }, 2, first],
  ] as const) {
    await db.deleteFrom('upstreams').execute();
    const id = await make(of);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ buses, unnumbered: buses });
    const { total, items } = (await ask('GET', `/${id}/buses?search=Общий`)).body;
    expect([total, items]).toMatchObject([1, [{ id: shared.busId, client: { id: shown } }]]);
    const found = (await ask('GET', `/${id}/buses?search=второй`)).body;
    expect(found.items.at(-1)).toMatchObject({ name: 'Общий' });
    expect((await number(id, { id: shared.busId, object_id: 5 })).body).toEqual({
      unnumbered: buses - 1,
    });
  }
  await db
    .updateTable('workplaces')
    .set({ retired_at: new Date(server.clock.nowMs()) })
    .where('id', '=', shared.busId)
    .execute();
});

it('a number that somebody else has changed since it was seen is refused with the present one', async () => {
  const id = await make({ all_clients: true });
  const [a, b] = [fleet.firstBus.busId, fleet.secondBus.busId];
  const unseen = { object_id: null };
  expect((await number(id, { id: a, object_id: 1, seen: unseen })).status).toBe(200);
  expect(
    await number(id, { id: b, object_id: 8, seen: unseen }, { id: a, object_id: 2, seen: unseen }),
  ).toMatchObject({
    status: 409,
    body: { field: 'buses.1.seen.object_id', current: { id: a, object_id: 1 } },
  });
  const { items } = (await ask('GET', `/${id}/buses?search=автобус 2`)).body;
  expect(items).toMatchObject([{ id: b, object_id: null }]);
  // A repeat after a lost answer, and a save over what is known by now.
  expect((await number(id, { id: a, object_id: 1, seen: unseen })).status).toBe(200);
  expect((await number(id, { id: a, object_id: 2, seen: { object_id: 1 } })).status).toBe(200);
});

it('a bus that the upstream gets no longer gives its number to another one', async () => {
  const { db } = server.deps.database;
  const own = await insertTestBus(db, fleet.first, 'Автобус 14');
  await adoptEgts(db, own.unitId, 77);
  const id = await make({ client_ids: [fleet.first, fleet.second] });
  const { busId: former } = fleet.secondBus;
  const { busId } = fleet.firstBus;
  expect((await number(id, { id: former, object_id: 7 })).status).toBe(200);
  await ask('PUT', `/${id}`, { client_ids: [fleet.first] });
  expect((await number(id, { id: busId, object_id: 7 })).status).toBe(200);
  const [log] = await db
    .selectFrom('audit_log')
    .select(['before', 'after'])
    .where('action', '=', 'number_upstream_buses')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect(log).toEqual({
    before: { numbers: ['Автобус 10: —', 'Автобус 2: 7'] },
    after: { numbers: ['Автобус 10: 7', 'Автобус 2: —'] },
  });
  // So does such a bus to one that is left to the number of its unit.
  const both = [
    { id: former, object_id: 77 },
    { id: own.busId, object_id: 78 },
  ];
  expect((await number(id, ...both)).status).toBe(200);
  expect((await number(id, { id: own.busId, object_id: null })).status).toBe(200);
  const { items } = (await ask('GET', `/${id}/buses?search=Автобус 14`)).body;
  expect(items).toMatchObject([{ object_id: null, unit_object_id: 77 }]);
});
