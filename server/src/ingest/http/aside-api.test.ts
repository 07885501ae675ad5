// Records that are kept aside and their customers: a unit goes from bus to bus, and a bus from customer to customer.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockAudit, whileLocked } from '../../test/blocked.ts';
import { deleteTestUnit, insertTestBus, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { askJson, sendBatch } from '../../test/requests.ts';
import type { TestServer } from '../../test/test-deps.ts';
import { createWholeServer } from '../../test/whole-server.ts';

/** 2026-11-20, 12:00 in Moscow. */
const NOW_MS = Date.UTC(2026, 10, 20, 9);
/** The time of the unit's clock when it had none, as no rule corrects it. */
const CLOCK_MS = Date.UTC(2001, 0, 1, 12);

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
});
afterAll(() => server.close());

/** A bus with a unit of the second customer, and one without of the first, whom the integrator looks after. */
let from: TestBus;
let to: TestBus;
beforeEach(async () => {
  await setClock(NOW_MS);
  [from, to] = [await freshBus(fleet.second), await freshBus(fleet.first)];
  await deleteTestUnit(server.deps.database.db, to.unitId);
});

const freshBus = (client: number): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, client, `Автобус ${randomUUID()}`, 'Europe/Moscow');
const iso = (ms: number): string => new Date(ms).toISOString();
async function setClock(nowMs: number): Promise<void> {
  server.clock.set(nowMs);
  for (const login of ['admin', 'integrator']) tokens[login] = await server.signIn(login);
}
const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, login = 'admin') =>
  askJson(server, tokens[login], method, url, body);
/** Every process learns of it within four seconds. */
async function moveUnit(busId: number | null): Promise<void> {
  const { status } = await ask('PUT', `/api/admin/units/${from.unitId}`, { bus_id: busId });
  expect(status).toBe(200);
  server.clock.advance(4000);
}
const aside = (part = '', body?: object, login = 'integrator') =>
  ask(body ? 'POST' : 'GET', `/api/admin/units/${from.unitId}/aside${part}`, body, login);
const groupIds = async (login: string): Promise<number[]> => {
  const { items, total } = (await aside('', undefined, login)).body;
  expect(total).toBe(items.length);
  return items.map(({ id }: { id: number }) => id);
};

let seq = 0;
const passenger = (ms: number) => ({
  ...{ type: 'passenger', seq: ++seq, time: iso(ms), door: 1 },
  ...{ direction: 'entered', passenger: 'adult' },
});
/** An announcement of a fragment: minutes from its own time to the start and to the end. */
const fragment = (start: number, end: number) => ({
  ...{ type: 'segment', seq: ++seq, time: iso(CLOCK_MS), camera: 'door1', video: 'kept' },
  ...{ start_time: iso(CLOCK_MS + start * 60_000), end_time: iso(CLOCK_MS + end * 60_000) },
});
/** Sends records as a stream of their own. @returns how many are kept aside */
async function send(...records: readonly object[]): Promise<number> {
  const answer = await sendBatch(server, from.credential, { stream: randomUUID(), records });
  expect(answer.statusCode, answer.body).toBe(200);
  const { refused, kept_aside = [] } = answer.json();
  expect(refused).toEqual([]);
  return kept_aside.reduce(
    (sum: number, [first, last]: [number, number]) => sum + last - first + 1,
    0,
  );
}
/** Keeps a record aside; what follows happens a second later. */
async function keepAside(): Promise<void> {
  expect(await send(passenger(CLOCK_MS))).toBe(1);
  server.clock.advance(1000);
}

describe('records that are kept aside', () => {
  it('are not shown to the customer to whom their unit goes, who discards and places none', async () => {
    await keepAside();
    await moveUnit(to.busId);
    const [groupId] = await groupIds('admin');
    expect(await groupIds('integrator')).toEqual([]);
    const place = { groupId, firstTime: iso(NOW_MS) };
    const refused = [await aside('/discard', { groupId }), await aside('/place', place)];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(await groupIds('admin')).toEqual([groupId]);
    // Records that arrive from now on are the integrator's.
    await keepAside();
    const [own] = await groupIds('integrator');
    expect(await groupIds('admin')).toEqual([groupId, own]);
    expect((await aside('/discard', { groupId: own })).status).toBe(200);
    expect(await groupIds('admin')).toEqual([groupId]);
  });

  it('are left alone by an integrator who has lost the customer, though the process does not know it yet', async () => {
    await moveUnit(to.busId);
    await keepAside();
    const [groupId] = await groupIds('integrator');
    const { pool } = server.deps.database;
    const rights = [fleet.integrator, fleet.first];
    await pool.query(
      'delete from integrator_clients where integrator_id = $1 and client_id = $2',
      rights,
    );
    const place = { groupId, firstTime: iso(NOW_MS) };
    const refused = [await aside('/place', place), await aside('/discard', { groupId })];
    await pool.query(
      'insert into integrator_clients (integrator_id, client_id) values ($1, $2)',
      rights,
    );
    expect(refused.map(({ status }) => status)).toEqual([404, 404]);
    expect((await aside('/place', place)).status).toBe(200);
  });

  it('stay with the customer whose bus has passed on, until the end of the day, though it has sent nothing else', async () => {
    await keepAside();
    const bus = `/api/admin/buses/${from.busId}`;
    expect((await ask('PUT', bus, { client_ids: [fleet.first] })).status).toBe(200);
    await keepAside();
    expect(await groupIds('integrator')).toEqual([]);
    expect(await groupIds('admin')).toHaveLength(2);
    await setClock(NOW_MS + 86_400_000);
    await keepAside();
    expect(await groupIds('integrator')).toEqual((await groupIds('admin')).slice(2));
  });

  it('keep the days of the bus with its customer, though their unit has left it since', async () => {
    await keepAside();
    await moveUnit(null);
    const bus = `/api/admin/buses/${from.busId}`;
    expect((await ask('PUT', bus, { client_ids: [fleet.first] })).status).toBe(200);
    const { owners } = (await ask('GET', bus)).body;
    expect(owners).toMatchObject([{ from_day: '2026-11-21' }, { to_day: '2026-11-20' }]);
  });

  it('of a spare unit are those of its customer as long as it is a spare one', async () => {
    const { unitId } = from;
    const spare = { bus_id: null, client_id: fleet.first };
    await keepAside();
    expect((await ask('PUT', `/api/admin/units/${unitId}`, spare)).status).toBe(200);
    server.clock.advance(4000);
    await keepAside();
    const [, own] = await groupIds('admin');
    expect(await groupIds('integrator')).toEqual([own]);
    await moveUnit(to.busId);
    expect(await groupIds('integrator')).toEqual([]);
  });
});

describe('an announcement that is kept aside', () => {
  const announced = async (start: number, end: number): Promise<number> => {
    expect(await send(fragment(start, end))).toBe(1);
    return (await groupIds('admin')).at(-1) ?? 0;
  };
  const place = (groupId: number, ms: number, login = 'admin') =>
    aside('/place', { groupId, firstTime: iso(ms) }, login);
  const camerasOf = async (): Promise<number[]> => {
    const { rows } = await sql<{ camera: number }>`select camera_id as camera from segments
      where unit_id = ${from.unitId} order by start_time`.execute(server.deps.database.db);
    return rows.map(({ camera }) => camera);
  };
  /** The unit was in its first bus until now, and is in the second one an hour later. */
  const moveNow = async (): Promise<void> => {
    await send(passenger(NOW_MS - 60_000));
    await moveUnit(to.busId);
    await setClock(NOW_MS + 3_600_000);
  };

  it('goes to the bus in which the fragment began, also when the unit announced it in the next one', async () => {
    await moveNow();
    // It began five minutes before the move, and was announced ten minutes after it.
    expect((await place(await announced(-15, -10), NOW_MS + 600_000)).status).toBe(200);
    expect((await place(await announced(-5, -4), NOW_MS + 600_000)).status).toBe(200);
    expect(await camerasOf()).toEqual([from.cameras.door1, to.cameras.door1]);
  });

  it('is not placed where the fragment would begin on a day of others', async () => {
    await moveNow();
    const groupId = await announced(-15, -10);
    const early = await place(groupId, NOW_MS + 600_000, 'integrator');
    expect([early.status, early.body.field]).toEqual([400, 'firstTime']);
    expect((await place(groupId, NOW_MS + 1_200_000, 'integrator')).status).toBe(200);
    expect(await camerasOf()).toEqual([to.cameras.door1]);
  });

  it('is not placed where the fragment would begin before 2010 or end in the future', async () => {
    const groupId = await announced(-15, 10);
    const tries = [Date.UTC(2010, 0, 1, 0, 10), NOW_MS - 300_000, NOW_MS - 900_000];
    const statuses: number[] = [];
    for (const ms of tries) statuses.push((await place(groupId, ms)).status);
    expect(statuses).toEqual([400, 400, 200]);
  });
});

it('records that one user discards are not placed by another one at the same moment', async () => {
  const { db } = server.deps.database;
  await keepAside();
  const [groupId] = await groupIds('admin');
  const answers = await whileLocked(db, lockAudit, [
    () => aside('/discard', { groupId }, 'admin'),
    () => aside('/place', { groupId, firstTime: iso(NOW_MS - 60_000) }, 'admin'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  const { rows } = await sql`select from passenger_events
    where unit_id = ${from.unitId}`.execute(db);
  expect(rows).toEqual([]);
});

it('records of a unit that is going to a bus of others are not placed in it by its former customer', async () => {
  const { unitId } = from;
  await moveUnit(to.busId);
  await keepAside();
  const [groupId] = await groupIds('integrator');
  await setClock(NOW_MS + 3_600_000);
  const moved_from = iso(NOW_MS + 60_000);
  const answers = await whileLocked(server.deps.database.db, lockAudit, [
    () => ask('PUT', `/api/admin/units/${unitId}`, { bus_id: from.busId, moved_from }),
    () => aside('/place', { groupId, firstTime: iso(NOW_MS + 600_000) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  const { rows } = await sql`select from passenger_events
    where unit_id = ${unitId}`.execute(server.deps.database.db);
  expect(rows).toEqual([]);
});
