import type { FleetPlan } from '@ridewatch/contract/fleet';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { waitForBlockedBy, whileLocked } from '../test/blocked.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { setUpCustomers } from './set-up.ts';

const ADMIN: Viewer = {
  ...{ userId: 0, sessionId: '', login: 'admin', role: 'ADMIN', clientId: null },
  ...{ clientIds: 'all', canEdit: true, viewedBy: null },
};
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const setUp = (plan: FleetPlan) =>
  database.db.transaction().execute((tx) => setUpCustomers(tx, ADMIN, plan, Date.now()));

function planOf(customer: string, deviceId: string): FleetPlan {
  const stop = { name: 'Школа', latitude: 55.75, longitude: 37.6 };
  return {
    customers: [
      {
        name: customer,
        groups: [
          {
            name: '12',
            type_calculation: 'CALCULATION',
            track: [{ latitude: 55.75, longitude: 37.6 }],
            stops: [
              { ...stop, routeDirection: 'FORWARD', terminal: 'first' },
              { ...stop, name: 'Рынок', latitude: 55.78, routeDirection: 'FORWARD' },
              { ...stop, latitude: 55.7501, routeDirection: 'REVERSE' },
            ],
            costs: [{ from: 0, to: 1, cost: '45.00' }],
          },
        ],
        buses: [
          {
            name: 'Автобус 1',
            type: 'VMS',
            timezone: 'Asia/Yekaterinburg',
            gps_trackable: true,
            group: '12',
            device_id: deviceId,
            cameras: [
              { name: 'Дверь 1', stream_id: 'door1', live: false, door: 1 },
              { name: 'Дверь 1, запасная', stream_id: 'door1b', live: false, door: 1 },
              { name: 'Салон', stream_id: 'cabin', live: true, door: null },
            ],
          },
        ],
      },
    ],
  };
}

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const tables = ['clients', 'route_groups', 'route_stops', 'stop_classifiers', 'route_costs'];
  for (const table of [...tables, 'workplaces', 'workplace_settings', 'units', 'cameras']) {
    const { rows } = await database.pool.query<{ n: number }>(`select count(*) as n from ${table}`);
    counts[table] = rows[0]?.n ?? 0;
  }
  return counts;
}

describe('setting up a fleet', () => {
  it('makes customers, routes, buses, units and cameras, and a second time nothing', async () => {
    const first = await setUp(planOf('Первый', 'U-1'));
    expect(first.made).toEqual({ customers: 1, groups: 1, buses: 1, cameras: 3 });
    const before = await countRows();
    const second = await setUp(planOf('Первый', 'U-1'));
    expect(second.made).toEqual({ customers: 0, groups: 0, buses: 0, cameras: 0 });
    expect(second.units).toEqual(first.units);
    expect(await countRows()).toEqual(before);
  });

  it('counts the order of stops within each direction and lets both sides of a street be one place', async () => {
    const stops = await database.db
      .selectFrom('route_stop_versions')
      .select(['name', 'route_direction', 'order_key', 'classifier_id'])
      .orderBy('stop_id')
      .execute();
    expect(stops.map((stop) => [stop.route_direction, stop.order_key])).toEqual([
      ['FORWARD', 0],
      ['FORWARD', 1],
      ['REVERSE', 0],
    ]);
    expect(stops[2]?.classifier_id).toBe(stops[0]?.classifier_id);
    expect(stops[1]?.classifier_id).not.toBe(stops[0]?.classifier_id);
  });

  it('keeps a price as kopecks, exactly', async () => {
    const costs = await database.db.selectFrom('route_costs').select('cost_kopecks').execute();
    expect(costs).toEqual([{ cost_kopecks: 4500 }]);
  });

  it('lets one camera of a door count and makes the settings valid from 2010 on', async () => {
    const cameras = await database.db
      .selectFrom('cameras')
      .select(['stream_id', 'counts'])
      .orderBy('id')
      .execute();
    expect(cameras.filter(({ counts }) => counts).map((camera) => camera.stream_id)).toEqual([
      'door1',
    ]);
    const settings = await database.db
      .selectFrom('workplace_settings')
      .select(['valid_from', 'timezone'])
      .execute();
    expect(settings).toEqual([{ valid_from: '2010-01-01', timezone: 'Asia/Yekaterinburg' }]);
  });

  it("refuses a unit that sits in another customer's bus, names the field and leaves nothing behind", async () => {
    const before = await countRows();
    await expect(setUp(planOf('Второй', 'U-1'))).rejects.toMatchObject({
      code: 'conflict',
      field: 'customers.0.buses.0.device_id',
    });
    expect(await countRows()).toEqual(before);
  });

  it('refuses another unit for a bus that has one', async () => {
    await expect(setUp(planOf('Первый', 'U-2'))).rejects.toMatchObject({
      code: 'conflict',
      field: 'customers.0.buses.0.name',
    });
  });

  it('refuses a price between stops that the route does not have', async () => {
    const plan = planOf('Третий', 'U-3');
    plan.customers[0]?.groups[0]?.costs?.push({ from: 0, to: 3, cost: '1.00' });
    await expect(setUp(plan)).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'customers.0.groups.0.costs.1.to',
    });
  });

  it('refuses a bus on a route that its customer does not have', async () => {
    const plan = planOf('Третий', 'U-3');
    const bus = plan.customers[0]?.buses[0];
    if (bus !== undefined) bus.group = '13';
    await expect(setUp(plan)).rejects.toMatchObject({ field: 'customers.0.buses.0.group' });
  });

  it('takes no spare unit that somebody is putting into another bus', async () => {
    const { db } = database;
    const { units } = await setUp(planOf('Четвёртый', 'U-4'));
    const [{ busId: leftId, unitId } = { busId: 0, unitId: 0 }] = units;
    const [other] = (await setUp(planOf('Пятый', 'U-5'))).units;
    await sql`update units set workplace_id = null where id in (${unitId}, ${other?.unitId})`.execute(
      db,
    );
    // As every move: first the unit, then its buses.
    const again = whileLocked(
      db,
      (tx) => sql`select from units where id = ${unitId} for no key update`.execute(tx),
      [() => setUp(planOf('Четвёртый', 'U-4'))],
      async (tx) => {
        await sql`select from workplaces where id = ${leftId} for no key update`.execute(tx);
        await sql`update units set workplace_id = ${other?.busId} where id = ${unitId}`.execute(tx);
      },
    );
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      field: 'customers.0.buses.0.device_id',
    });
  });

  it('takes no unit out of a bus into which somebody puts it as soon as it is spare', async () => {
    const { db } = database;
    const plan = planOf('Шестой', 'U-6');
    const [left] = (await setUp(plan)).units;
    const [other] = (await setUp(planOf('Седьмой', 'U-7'))).units;
    const seat = (tx: Db, deviceId: string, busId: number | undefined) =>
      sql`update units set workplace_id = ${busId ?? null} where device_id = ${deviceId}`.execute(
        tx,
      );
    await seat(db, 'U-7', undefined);
    const moving = await db.startTransaction().execute();
    const { rows: pids } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      moving,
    );
    const again = whileLocked(
      db,
      (tx) => sql`select from workplaces where id = ${left?.busId} for no key update`.execute(tx),
      [() => setUp(plan).then(undefined, (error: unknown) => error)],
      async () => {
        await seat(db, 'U-6', undefined);
        await seat(moving, 'U-6', other?.busId);
      },
    );
    await waitForBlockedBy(db, pids[0]?.pid ?? 0);
    await moving.commit().execute();
    expect(await again).toMatchObject([
      { code: 'conflict', field: 'customers.0.buses.0.device_id' },
    ]);
    const { rows } = await sql`select workplace_id from units where device_id = 'U-6'`.execute(db);
    expect(rows).toEqual([{ workplace_id: other?.busId }]);
  });
});
