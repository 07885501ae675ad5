// A preview of a change of several rows: the effects of a hand-over, and every row that is refused.
import type { BusOwner } from '@ridewatch/contract/admin-buses';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { bumpDays } from '../days/bus-days.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const ZONE = 'Europe/Moscow';
let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db, ZONE);
  for (const role of ['admin', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function change(kind: string, ids: readonly number[], wanted: object, preview = true) {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/admin/${kind}/several`,
    headers: { authorization: `Bearer ${tokens.admin}` },
    payload: { ids, preview, change: wanted },
  });
  return { status: answer.statusCode, body: answer.json() };
}
const query = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
  (await server.deps.database.pool.query(text, values)).rows;

let buses = 0;
async function insertBus({ hasData = true, client = fleet.first } = {}): Promise<TestBus> {
  const { db } = server.deps.database;
  buses += 1;
  const bus = await insertTestBus(db, client, `Автобус ${buses + 20}`, ZONE);
  const yesterday = addDays(dayOf(server.clock.nowMs(), ZONE), -1);
  if (hasData) await bumpDays(db, bus.busId, [yesterday]);
  return bus;
}

describe('the preview of a hand-over', () => {
  const tomorrow = () => addDays(dayOf(server.clock.nowMs(), ZONE), 1);
  const effects = async ({ busId }: TestBus, client = fleet.second) => {
    const { body } = await change('buses', [busId], { client_ids: [client] });
    const [{ id: _, clients: __, owners: ___, ...own }] = body.former_clients;
    return own;
  };
  const owners = async (
    ids: readonly number[],
    client: number,
  ): Promise<(string | number | null)[][]> => {
    const { body } = await change('buses', ids, { client_ids: [client] });
    return body.former_clients.flatMap(({ owners: own }: { owners: BusOwner[] }) =>
      own.map((one) => [one.client.id, one.from_day, one.to_day]),
    );
  };

  it('says whose the days are then: of a bus without data, and of one that comes back the same day, all', async () => {
    const today = dayOf(server.clock.nowMs(), ZONE);
    const [bus, empty] = [await insertBus(), await insertBus({ hasData: false })];
    expect(await owners([bus.busId], fleet.second)).toEqual([
      [fleet.second, tomorrow(), null],
      [fleet.first, null, today],
    ]);
    expect(await owners([empty.busId], fleet.second)).toEqual([[fleet.second, null, null]]);
    await change('buses', [bus.busId], { client_ids: [fleet.second] }, false);
    expect(await owners([bus.busId], fleet.first)).toEqual([[fleet.first, null, null]]);
  });

  it('names the first day of the next customer, and that route and fare of the former one end', async () => {
    const bus = await insertBus();
    const before = await query('select * from bus_owners order by 1, 2, 3');
    const ends = { route_ends: true, fare_ends: true };
    expect(await effects(bus)).toEqual({ from: tomorrow(), ...ends });
    expect(await query('select * from bus_owners order by 1, 2, 3')).toEqual(before);
  });

  it('says of a bus that never had data that all of its days pass on', async () => {
    const bus = await insertBus({ hasData: false });
    expect(await effects(bus)).toEqual({ from: null, route_ends: true, fare_ends: false });
  });

  it('says that the fare stays with a customer that stays, and that a bus without a route loses none', async () => {
    const bus = await insertBus();
    await change('buses', [bus.busId], { client_ids: [fleet.first, fleet.second] }, false);
    const left = await effects(bus, fleet.first);
    expect(left).toEqual({ from: tomorrow(), route_ends: false, fare_ends: false });
    const idle = await insertBus();
    const since = { group_id: null, valid_from: '2010-01-01' };
    await change('buses', [idle.busId], since, false);
    expect(await effects(idle)).toMatchObject({ route_ends: false, fare_ends: true });
    const planned = { group_id: idle.routeId, valid_from: addDays(tomorrow(), 9) };
    await change('buses', [idle.busId], planned, false);
    expect(await effects(idle)).toMatchObject({ route_ends: true });
  });
});

describe('a hand-over that is confirmed after midnight', () => {
  const hour = 3_600_000;
  /** The effects of a preview at half a minute before midnight in Moscow, and half a minute after it the change. */
  async function overMidnight(bus: TestBus, isSeenTold = true) {
    const midnightMs = dayRange(dayOf(server.clock.nowMs() + 25 * hour, ZONE), ZONE).startMs;
    server.clock.set(midnightMs - 30_000);
    tokens.admin = await server.signIn('admin');
    const wanted = { client_ids: [fleet.second] };
    const { body: before } = await change('buses', [bus.busId], wanted);
    const seen = before.former_clients.map(({ id, from }: { id: number; from: string | null }) => ({
      id,
      from,
    }));
    server.clock.advance(60_000);
    const done = await change(
      'buses',
      [bus.busId],
      { ...wanted, ...(isSeenTold && { seen }) },
      false,
    );
    const { body: after } = await change('buses', [bus.busId], wanted);
    return { seen, done, after };
  }

  it('is refused, as it would begin on another day than the preview has said', async () => {
    const bus = await insertBus();
    const { seen, done, after } = await overMidnight(bus);
    expect(done).toMatchObject({
      ...{ status: 409 },
      body: { error: 'conflict', field: 'ids.0.client_ids' },
    });
    expect(after.former_clients).toMatchObject([
      { id: bus.busId, from: addDays(seen[0].from, 1), clients: [{ id: fleet.first }] },
    ]);
    const again = { client_ids: [fleet.second], seen: after.former_clients };
    expect(await change('buses', [bus.busId], again, false)).toMatchObject({ status: 200 });
  });

  it('goes on when no day was said, or when all days pass on', async () => {
    expect((await overMidnight(await insertBus(), false)).done.status).toBe(200);
    expect((await overMidnight(await insertBus({ hasData: false }))).done.status).toBe(200);
  });
});

describe('the preview of a change that is refused', () => {
  it('names every refused row with its reason, and those that would become different', async () => {
    const own = await insertBus();
    const foreign = [
      await insertBus({ client: fleet.second }),
      await insertBus({ client: fleet.second }),
    ];
    const ids = [foreign[1]?.busId ?? 0, own.busId, foreign[0]?.busId ?? 0];
    const wanted = { group_id: fleet.firstBus.routeId, valid_from: '2026-12-24' };
    const { status, body } = await change('buses', ids, wanted);
    expect([status, body.changed_ids]).toEqual([200, [own.busId]]);
    expect(body.refused).toEqual(
      foreign.map(({ busId }) => ({
        ...{ id: busId, error: 'conflict', field: 'group_id' },
        message: 'The route belongs to none of the customers of the bus.',
      })),
    );
    const done = await change('buses', ids, wanted, false);
    expect(done).toMatchObject({ status: 409, body: { field: 'ids.2.group_id' } });
  });

  it('names one’s own row among users who would be disabled', async () => {
    const users = await query<{ id: number; login: string }>(
      "select id, login from users where login in ('admin', 'first', 'second') order by id",
    );
    const { body } = await change(
      'users',
      users.map(({ id }) => id),
      { enabled: false },
    );
    const own = users.find(({ login }) => login === 'admin');
    expect(body.refused).toEqual([
      {
        ...{ id: own?.id, error: 'invalid_request', field: 'enabled' },
        message: 'You cannot take away your own rights.',
      },
    ]);
    expect(body.changed).toBe(2);
  });
});
