import { type FleetCredentials, type FleetPlan, MAX_PLAN_BYTES } from '@ridewatch/contract/fleet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { findUnitByCredential } from '../auth/unit-credentials.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addFleet } from './set-up-api.ts';

type PlannedBus = FleetPlan['customers'][number]['buses'][number];

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addFleet]);
  await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

const post = (token: string, body: unknown) =>
  server.app.inject({
    method: 'POST',
    url: '/api/fleet',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

function busOf(deviceId: string, overrides: Partial<PlannedBus> = {}): PlannedBus {
  return {
    name: `Автобус ${deviceId}`,
    type: 'VMS',
    timezone: 'Europe/Moscow',
    gps_trackable: true,
    group: null,
    device_id: deviceId,
    cameras: [{ name: 'Дверь 1', stream_id: 'door1', live: false, door: 1 }],
    ...overrides,
  };
}

const planOf = (...buses: PlannedBus[]): FleetPlan => ({
  customers: [{ name: 'Парк', groups: [], buses }],
});

async function countBuses(): Promise<number> {
  const { rows } = await server.deps.database.pool.query('select id from workplaces');
  return rows.length;
}

describe('POST /api/fleet', () => {
  it('answers with a credential for each unit, which opens the unit interface', async () => {
    const answer = await post(admin, planOf(busOf('U-1'), busOf('U-2')));
    expect(answer.statusCode).toBe(200);
    const { units } = answer.json<FleetCredentials>();
    expect(units.map((unit) => unit.device_id)).toEqual(['U-1', 'U-2']);
    for (const { credential, device_id, bus_id } of units) {
      const found = await findUnitByCredential(server.deps.database.db, credential, Date.now());
      expect(found?.unit).toMatchObject({ deviceId: device_id, busId: bus_id });
    }
  });

  it('answers with the id of each customer of the plan, also without buses, and the same id again', async () => {
    const plan = {
      customers: ['Без автобусов', 'Парк', 'Без автобусов'].map((name) => ({
        name,
        groups: [],
        buses: [],
      })),
    };
    const first = (await post(admin, plan)).json<FleetCredentials>();
    expect(first.units).toEqual([]);
    expect(first.customers.map(({ name }) => name)).toEqual(['Без автобусов', 'Парк']);
    const { rows } = await server.deps.database.pool.query(
      'select id, name from clients where id = any($1)',
      [first.customers.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining(first.customers));
    expect((await post(admin, plan)).json<FleetCredentials>().customers).toEqual(first.customers);
  });

  it('gives a unit that exists a new credential beside its old one', async () => {
    const first = (await post(admin, planOf(busOf('U-3')))).json<FleetCredentials>().units[0];
    const second = (await post(admin, planOf(busOf('U-3')))).json<FleetCredentials>().units[0];
    expect(second?.bus_id).toBe(first?.bus_id);
    expect(second?.credential).not.toBe(first?.credential);
    for (const unit of [first, second]) {
      const { db } = server.deps.database;
      const found = await findUnitByCredential(db, unit?.credential ?? '', Date.now());
      expect(found?.unit.deviceId).toBe('U-3');
    }
  });

  it('writes one audit row that names who, what was made and the units, and no secret', async () => {
    const answer = await post(admin, planOf(busOf('U-4')));
    const { rows } = await server.deps.database.pool.query<Record<string, unknown>>(
      `select action, login, after from audit_log join users on users.id = user_id
       where action = 'set_up_fleet' order by audit_log.id desc limit 1`,
    );
    expect(rows[0]).toEqual({
      action: 'set_up_fleet',
      login: 'admin',
      after: { made: { customers: 0, groups: 0, buses: 1, cameras: 1 }, units: ['U-4'] },
    });
    const secret = answer.json<FleetCredentials>().units[0]?.credential ?? '';
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('is for administrators alone', async () => {
    const before = await countBuses();
    for (const login of ['first', 'integrator', 'operator']) {
      const answer = await post(await server.signIn(login), planOf(busOf('U-5')));
      expect([login, answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        login,
        403,
        'no_right',
      ]);
    }
    expect((await post('nonsense', planOf(busOf('U-5')))).statusCode).toBe(401);
    expect(await countBuses()).toBe(before);
  });

  it('sends strangers away before it reads what they send', async () => {
    expect((await post('nonsense', 'x'.repeat(MAX_PLAN_BYTES + 1))).statusCode).toBe(401);
  });

  it('makes one customer of two plans that come at once', async () => {
    const plans = ['U-6', 'U-7'].map((id) => ({
      customers: [{ name: 'Одновременный', groups: [], buses: [busOf(id)] }],
    }));
    const answers = await Promise.all(plans.map((plan) => post(admin, plan)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const { rows } = await server.deps.database.pool.query(
      `select id from clients where name = 'Одновременный'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('takes a plan of several MiB in one request, and answers 413 beyond 16 MiB', async () => {
    const camera = { name: 'К'.repeat(255), stream_id: 'door1', live: false, door: 1 };
    const cameras = Array.from({ length: 10 }, (_, index) => ({
      ...camera,
      stream_id: `stream${index}`,
    }));
    const large = planOf(...Array.from({ length: 400 }, (_, n) => busOf(`L-${n}`, { cameras })));
    expect(Buffer.byteLength(JSON.stringify(large))).toBeGreaterThan(2 * 1024 * 1024);
    expect((await post(admin, large)).statusCode).toBe(200);
    const answer = await post(admin, { customers: [], padding: 'x'.repeat(MAX_PLAN_BYTES) });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([413, 'too_large']);
  });

  it('takes a fleet in parts: later ones name the customer, and routes that are there', async () => {
    const group = { name: '77', type_calculation: 'FIXED', track: [], stops: [] };
    const first = { name: 'По частям', groups: [group], buses: [busOf('P-1', { group: '77' })] };
    const second = { name: 'По частям', groups: [], buses: [busOf('P-2', { group: '77' })] };
    for (const customer of [first, second]) {
      expect((await post(admin, { customers: [customer] })).statusCode).toBe(200);
    }
    const { rows } = await server.deps.database.pool.query(
      `select distinct group_id from workplace_settings
       join units using (workplace_id) where device_id in ('P-1', 'P-2')`,
    );
    expect(rows).toHaveLength(1);
  });

  it('starts the calculator of a new bus with its fare and percent, and leaves that of a known one', async () => {
    const start = { fare: '45.5', salary_percent: '18' };
    for (const fare of [start.fare, '99']) {
      expect((await post(admin, planOf(busOf('F-1', { ...start, fare })))).statusCode).toBe(200);
    }
    const { rows } = await server.deps.database.pool.query(
      `select fare_kopecks, salary_percent, version from calculations
       join units using (workplace_id) where device_id = 'F-1'`,
    );
    expect(rows).toEqual([{ fare_kopecks: 4550, salary_percent: '18.00', version: 0 }]);
  });

  const camera = { name: 'Дверь', stream_id: 'door1', live: false, door: 1 };
  it.each([
    ['a door 0', { cameras: [{ ...camera, door: 0 }] }, 'cameras.0.door'],
    ['a door 17', { cameras: [{ ...camera, door: 17 }] }, 'cameras.0.door'],
    ['a door of 40 digits', { cameras: [{ ...camera, door: 1e40 }] }, 'cameras.0.door'],
    ['501 seats', { capacity_seated: 501 }, 'capacity_seated'],
    ['fewer than no places to stand', { capacity_standing: -1 }, 'capacity_standing'],
    ['a fare below zero', { fare: '-1' }, 'fare'],
    ['a salary above the total', { salary_percent: '101' }, 'salary_percent'],
    ['NUL in a name', { name: 'Авто\0бус' }, 'name'],
    ['NUL in a device id', { device_id: 'U\0' }, 'device_id'],
    ['NUL in a stream', { cameras: [{ ...camera, stream_id: 'door\0' }] }, 'cameras.0.stream_id'],
    ['a zone that is none', { timezone: 'Moscow/Europe' }, 'timezone'],
    ['an offset for a zone', { timezone: '+03:00' }, 'timezone'],
    ['an empty name', { name: '' }, 'name'],
  ])('refuses %s with 400, names the field and makes nothing', async (_, overrides, field) => {
    const before = await countBuses();
    const answer = await post(admin, planOf(busOf('U-8'), busOf('U-9', overrides)));
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([
      400,
      `customers.0.buses.1.${field}`,
    ]);
    expect(await countBuses()).toBe(before);
  });

  it.each([
    ['a cost beyond all money', { from: 0, to: 1, cost: `${'9'.repeat(30)}.00` }, 'cost'],
    ['a negative stop', { from: -1, to: 1, cost: '1.00' }, 'from'],
    ['a stop that the route does not have', { from: 0, to: 7, cost: '1.00' }, 'to'],
  ])('refuses %s with 400 and names the field', async (_, cost, field) => {
    const stop = { name: 'Школа', latitude: 55.7, longitude: 37.6, routeDirection: 'FORWARD' };
    const group = {
      name: '1',
      type_calculation: 'CALCULATION',
      track: [],
      stops: [stop, { ...stop, latitude: 55.71 }],
    };
    const customer = { name: 'Парк', buses: [], groups: [{ ...group, costs: [cost] }] };
    const answer = await post(admin, { customers: [customer] });
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([
      400,
      `customers.0.groups.0.costs.0.${field}`,
    ]);
  });

  it.each([
    ['at one place', 55.7, [400, 'customers.0.groups.0.stops']],
    ['over 200 km apart', 37.6, [409, 'customers.0.groups.0.confirm_far']],
  ])('refuses a route whose stops are %s and names the field', async (_, latitude, said) => {
    const stop = { name: 'Школа', latitude: 55.7, longitude: 37.6, routeDirection: 'FORWARD' };
    const stops = [stop, { ...stop, latitude }];
    const group = { name: 'odd', type_calculation: 'FIXED', track: [], stops };
    const plan = { customers: [{ name: 'Парк', buses: [], groups: [group] }] };
    const answer = await post(admin, plan);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual(said);
  });

  it('refuses a route of more than a thousand stops', async () => {
    const stops = Array.from({ length: 1001 }, (_, n) => {
      return { name: `${n}`, latitude: 55 + n / 1000, longitude: 37.6, routeDirection: 'FORWARD' };
    });
    const group = { name: 'long', type_calculation: 'FIXED', track: [], stops };
    const plan = { customers: [{ name: 'Парк', buses: [], groups: [group] }] };
    const answer = await post(admin, plan);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([
      400,
      'customers.0.groups.0.stops',
    ]);
  });
});
