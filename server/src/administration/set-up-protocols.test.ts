// A plan may set up units that do not speak the unit interface, each with its id in its protocol.
import type { FleetCredentials } from '@ridewatch/contract/fleet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addFleet } from './set-up-api.ts';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addFleet]);
  await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

interface Protocol {
  readonly protocol?: string;
  readonly protocol_id?: string;
  readonly cameras?: readonly object[];
}

async function setUp(deviceId: string, protocol: Protocol) {
  const bus = {
    ...{ name: `Автобус ${deviceId}`, type: 'COUNTER', timezone: 'Europe/Moscow', group: null },
    ...{ gps_trackable: true, device_id: deviceId, cameras: [], ...protocol },
  };
  const answer = await server.app.inject({
    ...{ method: 'POST', url: '/api/fleet', headers: { authorization: `Bearer ${admin}` } },
    body: { customers: [{ name: 'Парк', groups: [], buses: [bus] }] },
  });
  const { error, field, units } = answer.json<
    FleetCredentials & { error?: string; field?: string }
  >();
  return { status: answer.statusCode, error, field, units };
}

const camera = (stream_id: string) => ({ name: stream_id, stream_id, live: true, door: null });

const protocolOf = async (deviceId: string): Promise<unknown> => {
  const { rows } = await server.deps.database.pool.query(
    'select protocol, protocol_id from units where device_id = $1',
    [deviceId],
  );
  return rows[0];
};

it('a new unit gets the protocol and the id of the plan, and one that is known keeps its own', async () => {
  const egts = { protocol: 'egts', protocol_id: '4021' };
  expect((await setUp('P-1', egts)).status).toBe(200);
  expect(await protocolOf('P-1')).toEqual(egts);
  expect((await setUp('P-1', { protocol: 'egts', protocol_id: '4022' })).status).toBe(200);
  expect(await protocolOf('P-1')).toEqual(egts);
  expect((await setUp('P-2', {})).status).toBe(200);
  expect(await protocolOf('P-2')).toEqual({ protocol: null, protocol_id: null });
});

it('a spare unit gets them with its bus, unless it has its own', async () => {
  await server.deps.database.pool.query(
    `insert into units (device_id, created_at, protocol, protocol_id)
     values ('S-1', now(), null, null), ('S-2', now(), 'egts', '77')`,
  );
  const osmand = { protocol: 'osmand', protocol_id: 'phone-1' };
  expect((await setUp('S-1', osmand)).status).toBe(200);
  expect(await protocolOf('S-1')).toEqual(osmand);
  expect((await setUp('S-2', { protocol: 'jt808', protocol_id: '13800000001' })).status).toBe(200);
  expect(await protocolOf('S-2')).toEqual({ protocol: 'egts', protocol_id: '77' });
});

it('an id that another unit of the protocol has is refused, and nothing is made', async () => {
  const jt808 = { protocol: 'jt808', protocol_id: '13800000002' };
  expect((await setUp('T-1', jt808)).status).toBe(200);
  expect(await setUp('T-2', jt808)).toMatchObject({
    ...{ status: 409, error: 'conflict', field: 'customers.0.buses.0.protocol_id' },
  });
  expect(await protocolOf('T-2')).toBeUndefined();
  // Each protocol has ids of its own.
  expect((await setUp('T-3', { ...jt808, protocol: 'osmand' })).status).toBe(200);
});

it('a camera with the channel of one that the bus of a terminal has is refused', async () => {
  const terminal = { protocol: 'jt808', protocol_id: '13800000010' };
  expect((await setUp('C-1', { ...terminal, cameras: [camera('ch1')] })).status).toBe(200);
  expect((await setUp('C-1', { ...terminal, cameras: [camera('ch2')] })).status).toBe(200);
  const refused = { status: 409, error: 'conflict', field: 'customers.0.buses.0.cameras' };
  // A plan need not say again how a unit speaks.
  for (const said of [terminal, {}]) {
    expect(await setUp('C-1', { ...said, cameras: [camera('cam1')] })).toMatchObject(refused);
  }
});

it.each([
  ['a protocol without an id', { protocol: 'egts' }, 'protocol_id'],
  ['an id without a protocol', { protocol_id: '5' }, 'protocol'],
  [
    'an id in the form of another protocol',
    { protocol: 'egts', protocol_id: 'phone' },
    'protocol_id',
  ],
  [
    'two cameras of one channel of a terminal',
    { protocol: 'jt808', protocol_id: '13800000009', cameras: [camera('ch1'), camera('cam1')] },
    'cameras.1.stream_id',
  ],
  ['an unknown protocol', { protocol: 'wialon', protocol_id: '5' }, 'protocol'],
])('%s is refused with its field', async (_, protocol, field) => {
  expect(await setUp('R-1', protocol)).toMatchObject({
    ...{ status: 400, error: 'invalid_request', field: `customers.0.buses.0.${field}` },
  });
  expect(await protocolOf('R-1')).toBeUndefined();
});
