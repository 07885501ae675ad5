import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { BusInfo } from '@ridewatch/contract/buses';
import type { FleetCredentials, FleetPlan } from '@ridewatch/contract/fleet';
import type { RouteFileAnswer } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusRoutes } from '../bus-routes/api.ts';
import { addBuses } from '../buses/api.ts';
import { addRouteFiles } from '../routes/files/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { formOf, multipart } from '../test/multipart.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addFleet } from './set-up-api.ts';

let server: TestServer;
let authorization: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addBuses, addBusRoutes, addRouteFiles, addFleet]);
  await insertTestFleet(server.deps.database.db);
  authorization = `Bearer ${await server.signIn('admin')}`;
});
afterAll(() => server.close());

const setUp = async (customer: FleetPlan['customers'][number]): Promise<FleetCredentials> => {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/fleet',
    headers: { authorization },
    body: { customers: [customer] },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const get = async <T>(url: string): Promise<T> =>
  (await server.app.inject({ url, headers: { authorization } })).json<T>();

it('a customer is set up, gets a route from a file, and then its first bus, which is on the route', async () => {
  const customer = { name: 'Новый парк', groups: [], buses: [] };
  const [client] = (await setUp(customer)).customers;
  const file = ['name,lat,lon', 'Вокзал,55.75,37.6', 'Школа,55.76,37.61', 'Рынок,55.77,37.62'];
  const form = formOf({ clientId: client?.id ?? 0, valid_from: '2010-01-01' });
  form.append('file', new File([file.join('\n')], 'Линия 7.csv'));
  const made = await server.app.inject({
    method: 'POST',
    url: '/api/groups/from-file',
    ...(await multipart(form, { authorization })),
  });
  expect(made.statusCode, made.body).toBe(200);
  const route = made.json<RouteFileAnswer>().group;
  const { items } = await get<{ items: BusRoute[] }>(`/api/groups/client/${client?.id}`);
  expect(items).toEqual([
    {
      ...{ id: route?.id, name: 'Линия 7', client_id: client?.id },
      ...{ deleted: false, type_calculation: 'FIXED' },
    },
  ]);
  const { customers, units } = await setUp({
    ...customer,
    buses: [
      {
        ...{ name: 'Автобус 1', type: 'COUNTER', timezone: 'Europe/Moscow', gps_trackable: true },
        ...{ group: 'Линия 7', device_id: 'NEW-1', cameras: [] },
      },
    ],
  });
  expect(customers).toEqual([client]);
  const bus = await get<BusInfo>(`/api/bus/info/${units[0]?.bus_id}?date=2020-01-01`);
  expect([bus.group?.id, bus.clients]).toEqual([route?.id, [client?.id]]);
});
