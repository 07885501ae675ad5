// A bus passes from one customer to another: every screen, on that day and on the next one. The day of the move is whole
// the former customer's; only where the bus is at present is the next one's.
import type { AdminBus } from '@ridewatch/contract/admin-buses';
import type { BusList } from '@ridewatch/contract/buses';
import type { BusPlace, Home } from '@ridewatch/contract/home';
import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { insertTestClient, insertTestUser } from '../test/fleet.ts';
import { FIRST_DAY, LAST_DAY, type MovedBus, makeMovedBus } from '../test/moved-bus.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

const logins = ['admin', 'of A', 'of B', 'integrator of A', 'integrator of B', 'of both'] as const;
type Login = (typeof logins)[number];
type Choice = 'A' | 'B';

let server: TestServer;
let world: MovedBus;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  world = await makeMovedBus(server);
  const { db } = server.deps.database;
  const { first, second } = world.fleet;
  await insertTestUser(db, 'of A', 'CUSTOMER', first);
  await insertTestUser(db, 'of B', 'CUSTOMER', second);
  await sql`update users set can_edit = true where login like 'of %'`.execute(db);
  const integrators: [Login, number[]][] = [
    ['integrator of A', [first]],
    ['integrator of B', [second]],
    ['of both', [first, second]],
  ];
  for (const [login, clients] of integrators) {
    const id = await insertTestClient(db, login);
    await insertTestUser(db, login, 'INTEGRATOR', id);
    const own = clients.map((client_id) => ({ integrator_id: id, client_id }));
    await db.insertInto('integrator_clients').values(own).execute();
  }
  // A cause belongs to those whose bus it is now.
  const at = new Date(server.clock.nowMs());
  const { busId, cameras } = world.bus;
  await db
    .insertInto('attention_causes')
    .values({
      ...{ kind: 'camera_offline', client_id: second, workplace_id: busId },
      ...{ camera_id: cameras.door1, since: at, opened_at: at },
      details: JSON.stringify({ kind: 'camera_offline' }),
    })
    .execute();
});
afterAll(() => server.close());

async function begin(day: string): Promise<void> {
  if (day === FIRST_DAY) await world.goOn();
  // The fragment of the morning waits for review; the others are announced only.
  await sql`update segments set status = 'PROCESSED', max_objects_count = 9
    where start_time < ${`${LAST_DAY}T12:00:00Z`}`.execute(server.deps.database.db);
  for (const login of logins) tokens.set(login, await server.signIn(login));
}

async function read<T>(login: Login, url: string): Promise<T> {
  const headers = { authorization: `Bearer ${tokens.get(login)}` };
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer.json();
}
async function statusOf(login: Login, url: string): Promise<number> {
  const headers = { authorization: `Bearer ${tokens.get(login)}` };
  return (await server.app.inject({ url, headers })).statusCode;
}

const idOf = (choice: Choice) => world.fleet[choice === 'A' ? 'first' : 'second'];
const isMoved = ({ id }: { id: number }) => id === world.bus.busId;

/** The heading under which the bus list has the bus, as web/src/buses/order.ts reads it. */
async function headingOf(login: Login, choice: Choice | undefined): Promise<string> {
  const bus = (await read<BusList>(login, '/api/bus_list')).items.find(isMoved);
  const until = bus?.passes?.until_then ?? [];
  const today = until.length > 0 ? until : (bus?.clients ?? []);
  const headings = (['A', 'B'] as const).filter((one) => today.includes(idOf(one)));
  return headings.filter((one) => choice === undefined || one === choice).join();
}

async function isAdministered(login: Login, query: string): Promise<boolean> {
  const url = `/api/admin/buses?perPage=100&${query}`;
  if ((await statusOf(login, url)) !== 200) return false;
  return (await read<{ items: AdminBus[] }>(login, url)).items.some(isMoved);
}

/** Reads what the screens tell a user, in the columns of the tables. */
async function toldTo(login: Login, choice: Choice | undefined, day: string) {
  const query = choice === undefined ? '' : `clientId=${idOf(choice)}`;
  const { buses, entered } = await read<Home>(login, `/api/home?${query}`);
  const places = await read<{ items: BusPlace[] }>(login, `/api/gps/all?${query}`);
  const routes = await read<{ total: number }>(login, `/api/gps/routes?${query}`);
  const review = await read<{ total: number }>(login, `/api/segments/review-queue?${query}`);
  const ofDay = `dateFrom=${day}&dateTo=${day}&until=now`;
  const { totals } = await read<PassengerTraffic>(login, `/api/stat/passenger-traffic?${ofDay}`);
  const cells = [
    ...[login, choice ?? '', await headingOf(login, choice)],
    ...[Object.values(buses).reduce((sum, one) => sum + one), entered.now],
    places.items.some(([id]) => id === world.bus.busId),
    ...[routes.total, review.total, await isAdministered(login, query)],
    // These know no choice.
    ...[totals.entered, (await statusOf(login, `/api/gps?busId=${world.bus.busId}`)) === 200],
  ];
  return cells.map((cell) => (typeof cell === 'boolean' ? (cell && 'yes') || '' : `${cell}`));
}

/**
 * The columns: a user and the chosen customer; the customer under whom the bus list has the bus; buses and people of the
 * home page, whether its map has the bus, and how many routes; fragments to review; whether the bus is administered;
 * people of the day in statistics; whether the bus can be followed.
 */
const tables: readonly (readonly [string, string])[] = [
  [
    LAST_DAY,
    `
    viewer          | of | list | home | people | map | routes | review | admin | counted | followed
    admin           |    | A    | 4    | 1      | yes | 2      | 1      | yes   | 1       | yes
    admin           | A  | A    | 2    | 1      | yes | 1      | 1      | yes   | 1       | yes
    admin           | B  |      | 2    | 0      |     | 1      | 0      | yes   | 1       | yes
    of A            |    |      | 1    | 0      |     | 0      | 1      |       | 1       |
    of B            |    | B    | 3    | 0      | yes | 1      | 0      |       | 0       | yes
    integrator of A |    |      | 1    | 0      |     | 0      | 1      |       | 1       |
    integrator of A | A  |      | 1    | 0      |     | 0      | 1      |       | 1       |
    integrator of B |    | B    | 3    | 0      | yes | 1      | 0      | yes   | 0       | yes
    integrator of B | B  | B    | 3    | 0      | yes | 1      | 0      | yes   | 0       | yes
    of both         |    | A    | 4    | 1      | yes | 2      | 1      | yes   | 1       | yes
    of both         | A  | A    | 2    | 1      | yes | 1      | 1      | yes   | 1       | yes
    of both         | B  |      | 2    | 0      |     | 1      | 0      | yes   | 1       | yes`,
  ],
  [
    FIRST_DAY,
    `
    viewer          | of | list | home | people | map | routes | review | admin | counted | followed
    admin           |    | B    | 4    | 6      | yes | 1      | 1      | yes   | 6       | yes
    admin           | A  |      | 1    | 0      |     | 0      | 1      |       | 6       | yes
    admin           | B  | B    | 3    | 6      | yes | 1      | 0      | yes   | 6       | yes
    of A            |    |      | 1    | 0      |     | 0      | 1      |       | 0       |
    of B            |    | B    | 3    | 6      | yes | 1      | 0      |       | 6       | yes
    integrator of A |    |      | 1    | 0      |     | 0      | 1      |       | 0       |
    integrator of A | A  |      | 1    | 0      |     | 0      | 1      |       | 0       |
    integrator of B |    | B    | 3    | 6      | yes | 1      | 0      | yes   | 6       | yes
    integrator of B | B  | B    | 3    | 6      | yes | 1      | 0      | yes   | 6       | yes
    of both         |    | B    | 4    | 6      | yes | 1      | 1      | yes   | 6       | yes
    of both         | A  |      | 1    | 0      |     | 0      | 1      |       | 6       | yes
    of both         | B  | B    | 3    | 6      | yes | 1      | 0      | yes   | 6       | yes`,
  ],
];

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
const rowsOf = (table: string) => table.trim().split('\n').slice(1).map(cellsOf);

describe.each(tables)('on %s', (day, table) => {
  beforeAll(() => begin(day));

  it('every screen says the same of whose bus it is, to everybody', async () => {
    for (const row of rowsOf(table)) {
      const [login, choice] = row as [Login, Choice | ''];
      expect(await toldTo(login, choice || undefined, day)).toEqual(row);
    }
  });

  it('the home page has as many fragments to review as the queue', async () => {
    for (const [login, choice] of rowsOf(table) as [Login, Choice | ''][]) {
      const query = choice && `clientId=${idOf(choice)}`;
      const { review } = await read<Home>(login, `/api/home?${query}`);
      const queue = await read<{ total: number }>(login, `/api/segments/review-queue?${query}`);
      expect(review.waiting, `${login} ${choice}`).toBe(queue.total);
    }
  });

  it('the home page counts its bus and what is wrong with it under the same customer', async () => {
    const owner = day === LAST_DAY ? 'A' : 'B';
    for (const login of ['admin', 'of both'] as const) {
      const { customers } = await read<Home>(login, '/api/home');
      const counts = customers.map(({ id, buses }) => [id, buses]);
      expect(new Map(counts as [number, number][])).toEqual(
        new Map([
          [idOf('A'), day === LAST_DAY ? 2 : 1],
          [idOf('B'), day === LAST_DAY ? 2 : 3],
        ]),
      );
      for (const choice of ['A', 'B'] as const) {
        const { attention } = await read<Home>(login, `/api/home?clientId=${idOf(choice)}`);
        const broken = attention.faulty.items.filter(({ camera }) => camera !== null);
        expect(broken.length, choice).toBe(choice === owner ? 1 : 0);
      }
    }
  });
});
