// The locks of users and customers that commands take, so that nobody takes rights away before a command is done.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { listBlocked, whileLocked } from '../test/blocked.ts';
import { insertTestBus, insertTestUser, type TestBus } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTableServer, type TableServer } from '../test/tables.ts';

let server: TableServer['server'];
let fleet: TableServer['fleet'];
let tokens: TableServer['tokens'];
let calls: TableServer['calls'];
/** A bus that a table changes, and another one of its customer. */
let inTable: TestBus;
let other: TestBus;
let driver: number;
let place: number;
beforeAll(async () => {
  ({ server, fleet, tokens, calls } = await createTableServer('admin', 'integrator', 'operator'));
  const { db } = server.deps.database;
  await insertTestUser(db, 'colleague', 'INTEGRATOR', fleet.integrator);
  driver = await insertTestUser(db, 'driver', 'OPERATOR', fleet.first);
  tokens.colleague = await server.signIn('colleague');
  inTable = await insertTestBus(db, fleet.first, 'В таблице');
  other = await insertTestBus(db, fleet.first, 'Другой');
  await insertTestRoute(db, fleet.first, '1');
  ({ id: place } = await db
    .selectFrom('stop_classifiers')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow());
});
afterAll(() => server.close());

type Command = readonly [method: 'POST' | 'PUT', url: string, body: object];
const ask = (login: string, [method, url, body]: Command) =>
  askJson(server, tokens[login], method, url, body);

/** @returns the status of the answer, or that it waits for a lock. @param waiting commands that wait already */
async function askNow(login: string, command: Command, waiting: number): Promise<number | 'waits'> {
  const { db } = server.deps.database;
  let state: number | 'waits' | undefined;
  void ask(login, command).then(({ status }) => {
    state ??= status;
  });
  await vi.waitFor(
    async () => {
      if ((await listBlocked(db)).length > waiting) state ??= 'waits';
      expect(state).toBeDefined();
    },
    { timeout: 10_000 },
  );
  return state ?? 'waits';
}

const commands: readonly (readonly [string, (bus: TestBus) => Command])[] = [
  [
    'a new bus',
    () => [
      ...(['POST', '/api/admin/buses'] as const),
      { name: `${Math.random()}`, client_ids: [fleet.first], timezone: 'Europe/Moscow' },
    ],
  ],
  ['fields of a bus', ({ busId }) => ['PUT', `/api/admin/buses/${busId}`, { description: 'с' }]],
  [
    'settings of a bus',
    ({ busId }) => [
      'PUT',
      `/api/admin/buses/${busId}/settings`,
      { timezone: 'Asia/Omsk', valid_from: '2026-11-21' },
    ],
  ],
  [
    'several buses',
    ({ busId }) => [
      ...(['POST', '/api/admin/buses/several'] as const),
      { ids: [busId], change: { retired: false } },
    ],
  ],
  [
    'a new camera',
    ({ busId }) => [
      ...(['POST', '/api/admin/cameras'] as const),
      { bus_id: busId, name: 'К', stream_id: `${Math.random()}` },
    ],
  ],
  ['a camera', ({ cameras }) => ['PUT', `/api/admin/cameras/${cameras.door1}`, { name: 'Задняя' }]],
  [
    'several cameras',
    ({ cameras }) => [
      ...(['POST', '/api/admin/cameras/several'] as const),
      { ids: [cameras.door2], change: { enabled: false } },
    ],
  ],
  [
    'a new spare unit',
    () => ['POST', '/api/admin/units', { device_id: `${Math.random()}`, client_id: fleet.first }],
  ],
  ['a unit', ({ unitId }) => ['PUT', `/api/admin/units/${unitId}`, { enabled: true }]],
  [
    'several units',
    ({ unitId }) => [
      ...(['POST', '/api/admin/units/several'] as const),
      { ids: [unitId], change: { enabled: true } },
    ],
  ],
  ['a credential', ({ unitId }) => ['POST', `/api/admin/units/${unitId}/credential`, {}]],
  ['a look at batches', ({ unitId }) => ['POST', `/api/admin/units/${unitId}/feed`, {}]],
  ['a test', ({ unitId }) => ['PUT', `/api/admin/units/${unitId}/test`, { test: true }]],
  ['a place', () => ['PUT', `/api/admin/classifiers/${place}`, { name: `Двор ${Math.random()}` }]],
  [
    'a new route',
    () => ['POST', '/api/admin/groups', { client_id: fleet.first, name: `${Math.random()}` }],
  ],
];

const ofUsers: typeof commands = [
  [
    'several users',
    () => [
      ...(['POST', '/api/admin/users/several'] as const),
      { ids: [driver], change: { enabled: true } },
    ],
  ],
];

const holdBus = (tx: Tx) =>
  sql`select from workplaces where id = ${inTable.busId} for no key update`.execute(tx);
const loadTable = () =>
  calls.post(
    '',
    {
      ...{ kind: 'buses', file: 'парк.xlsx', columns: ['name', 'description'] },
      rows: [['В таблице', `${Math.random()}`]],
    },
    'integrator',
  );

describe('a table that is being written', () => {
  it.each(commands)('lets its user and colleagues change %s meanwhile', async (_, commandOf) => {
    const statuses: (number | 'waits')[] = [];
    const [loaded] = await whileLocked(server.deps.database.db, holdBus, [loadTable], async () => {
      for (const login of ['integrator', 'colleague']) {
        statuses.push(await askNow(login, commandOf(other), 1));
      }
    });
    expect([loaded?.status, ...statuses]).toEqual([200, 200, 200]);
  });

  it('is written before its user loses the customer', async () => {
    const url = `/api/admin/customers/${fleet.first}`;
    const [loaded, lost] = await whileLocked<{ status: number; body: { changed?: number } }>(
      server.deps.database.db,
      holdBus,
      [loadTable, () => ask('admin', ['PUT', url, { integrator_ids: [] }])],
    );
    const back = await ask('admin', ['PUT', url, { integrator_ids: [fleet.integrator] }]);
    server.clock.advance(5000);
    expect([loaded?.status, loaded?.body.changed, lost?.status, back.status]).toEqual([
      ...[200, 1, 200, 200],
    ]);
  });
});

describe('a command of a user who administers nothing', () => {
  it.each([...commands, ...ofUsers])(
    'about %s is refused while others hold locks',
    async (_, commandOf) => {
      const status = await server.deps.database.db.transaction().execute(async (tx) => {
        await sql`select from users for no key update`.execute(tx);
        await sql`select from clients for no key update`.execute(tx);
        return askNow('operator', commandOf(other), 0);
      });
      expect(status).toBe(403);
    },
  );
});
