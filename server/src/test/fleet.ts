import { hash } from '@node-rs/argon2';
import { inject } from 'vitest';
import { issueUnitCredential } from '../auth/accounts.ts';
import type { Db } from '../core/db/db.ts';
import { PASSWORD } from './test-deps.ts';

export interface TestBus {
  readonly busId: number;
  readonly unitId: number;
  readonly credential: string;
  readonly routeId: number;
  /** Cameras of doors 1 and 2, and of the cabin. */
  readonly cameras: { readonly door1: number; readonly door2: number; readonly cabin: number };
}

export interface TestFleet {
  /** Two customers, and the integrator of the first. */
  readonly first: number;
  readonly second: number;
  readonly integrator: number;
  readonly firstBus: TestBus;
  readonly secondBus: TestBus;
}

// One hash for all users: hashing is slow.
const passwordHash = hash(PASSWORD);

/**
 * Inserts two customers with a bus each; the logins `admin`, `first`, `second` (customers), `integrator` of the first
 * and its `operator`, all with PASSWORD.
 * @param timezone of the buses
 */
export async function insertTestFleet(db: Db, timezone = inject('fleetZone')): Promise<TestFleet> {
  const first = await insertTestClient(db, 'Первый');
  const second = await insertTestClient(db, 'Второй');
  const integrator = await insertTestClient(db, 'Интегратор');
  await db
    .insertInto('integrator_clients')
    .values({ integrator_id: integrator, client_id: first })
    .execute();
  await insertTestUser(db, 'admin', 'ADMIN', null);
  await insertTestUser(db, 'first', 'CUSTOMER', first);
  await insertTestUser(db, 'second', 'CUSTOMER', second);
  await insertTestUser(db, 'integrator', 'INTEGRATOR', integrator);
  await insertTestUser(db, 'operator', 'OPERATOR', integrator);
  return {
    first,
    second,
    integrator,
    firstBus: await insertTestBus(db, first, 'Автобус 10', timezone),
    secondBus: await insertTestBus(db, second, 'Автобус 2', timezone),
  };
}

/** Inserts a customer. @returns its id */
export async function insertTestClient(db: Db, name: string, status = 1): Promise<number> {
  const { id } = await db
    .insertInto('clients')
    .values({ created_at: new Date(), name, surname: `${name}-фамилия`, status })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts a user. @returns its id */
export async function insertTestUser(
  db: Db,
  login: string,
  role: 'ADMIN' | 'INTEGRATOR' | 'CUSTOMER' | 'OPERATOR',
  clientId: number | null,
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({
      created_at: new Date(),
      login,
      role,
      client_id: clientId,
      password_hash: await passwordHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes a unit that has sent nothing, and its credential. */
export async function deleteTestUnit(db: Db, unitId: number): Promise<void> {
  await db.deleteFrom('unit_credentials').where('unit_id', '=', unitId).execute();
  await db.deleteFrom('units').where('id', '=', unitId).execute();
}

/** Inserts a bus on a route of its own, with two door cameras, a cabin camera and a unit with a credential. */
export async function insertTestBus(
  db: Db,
  clientId: number,
  name: string,
  timezone = inject('fleetZone'),
): Promise<TestBus> {
  const { id: busId } = await db
    .insertInto('workplaces')
    .values({ name, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: routeId } = await db
    .insertInto('route_groups')
    .values({ client_id: clientId, name: `Маршрут ${name}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('workplace_clients')
    .values({ workplace_id: busId, client_id: clientId })
    .execute();
  await db
    .insertInto('workplace_settings')
    .values({ workplace_id: busId, valid_from: '2010-01-01', group_id: routeId, timezone })
    .execute();
  const { id: unitId } = await db
    .insertInto('units')
    .values({ device_id: `unit-${busId}`, workplace_id: busId, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const insertCamera = async (streamId: string, door: number | null): Promise<number> => {
    const { id } = await db
      .insertInto('cameras')
      .values({
        workplace_id: busId,
        name: door === null ? 'Салон' : `Дверь ${door}`,
        stream_id: streamId,
        live: door === null,
        door,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  return {
    busId,
    unitId,
    routeId,
    credential: await issueUnitCredential(db, unitId, Date.now()),
    cameras: {
      door1: await insertCamera('door1', 1),
      door2: await insertCamera('door2', 2),
      cabin: await insertCamera('cabin', null),
    },
  };
}
