// A bus passes from one customer to another: which customer owns each of its days, and what ends with the move.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { bumpDays } from '../days/bus-days.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const ZONE = 'Europe/Moscow';
let server: TestServer;
let fleet: TestFleet;
let today: string;
let tomorrow: string;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db, ZONE);
  await signIn();
  today = dayOf(server.clock.nowMs(), ZONE);
  tomorrow = addDays(today, 1);
});
afterAll(() => server.close());

let buses = 0;
let bus: TestBus;
/** A bus of the first customer that had people yesterday and has a fare. */
beforeEach(async () => {
  const { db } = server.deps.database;
  buses += 1;
  bus = await insertTestBus(db, fleet.first, `Переходит ${buses}`, ZONE);
  await bumpDays(db, bus.busId, [addDays(today, -1)]);
  await db
    .insertInto('calculations')
    .values({ workplace_id: bus.busId, day: addDays(today, -1), fare_kopecks: 4500 })
    .execute();
});

async function signIn(): Promise<void> {
  token = await server.signIn('admin');
}
async function ask(method: 'GET' | 'PUT', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const urlOf = () => `/api/admin/buses/${bus.busId}`;
async function change(wanted: object, part = '') {
  const answer = await ask('PUT', `${urlOf()}${part}`, wanted);
  expect(answer).toMatchObject({ status: 200 });
}
const moveTo = (client_ids: readonly number[]) => change({ client_ids });
const read = async () => (await ask('GET', urlOf())).body;
/** Reads the owners of the bus: customer, from, until. */
const owners = async () =>
  (await read()).owners.map(
    (one: { client: { id: number }; from_day: string | null; to_day: string | null }) => [
      one.client.id,
      one.from_day,
      one.to_day,
    ],
  );
const fares = async () =>
  (
    await server.deps.database.db
      .selectFrom('calculations')
      .select(['day', 'fare_kopecks'])
      .where('workplace_id', '=', bus.busId)
      .orderBy('day')
      .execute()
  ).map(({ day, fare_kopecks }) => [day, fare_kopecks]);

describe('a bus that passes to another customer', () => {
  it('leaves the former one this day and all before, and is the new one’s from the next day on', async () => {
    await moveTo([fleet.second]);
    expect(await owners()).toEqual([
      [fleet.second, tomorrow, null],
      [fleet.first, null, today],
    ]);
    expect((await read()).clients.map(({ id }: { id: number }) => id)).toEqual([fleet.second]);
  });

  it('drives no route of the former customer any more, also none that was planned', async () => {
    const later = addDays(today, 9);
    await change({ valid_from: later, group_id: null }, '/settings');
    await change({ valid_from: addDays(today, 20), group_id: bus.routeId }, '/settings');
    await moveTo([fleet.second]);
    const { settings, group } = await read();
    expect(group).toMatchObject({ id: bus.routeId });
    expect(
      settings.map((one: { valid_from: string; group: object | null }) => [
        one.valid_from,
        one.group === null,
      ]),
    ).toEqual([
      [addDays(today, 20), true],
      [later, true],
      [tomorrow, true],
      ['2010-01-01', false],
    ]);
  });

  it('tells the new customer nothing of the fare: it begins with 0', async () => {
    await moveTo([fleet.second]);
    expect(await fares()).toEqual([
      [addDays(today, -1), 4500],
      [tomorrow, 0],
    ]);
  });

  it('shows the new customer none of the batches that somebody listened to before', async () => {
    const { db } = server.deps.database;
    const listen = await server.app.inject({
      method: 'POST',
      url: `/api/admin/units/${bus.unitId}/feed`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(listen.statusCode).toBe(200);
    await sql`insert into unit_feed (unit_id, received_at, status, bytes, body, answer)
      values (${bus.unitId}, ${new Date(server.clock.nowMs())}, 200, 2, '{}', '{}')`.execute(db);
    const feed = async () => (await ask('GET', `/api/admin/units/${bus.unitId}/feed`)).body;
    expect((await feed()).items).toHaveLength(1);
    await moveTo([fleet.second]);
    expect(await feed()).toMatchObject({ items: [], listening_until: null });
  });

  it('has never been away if it comes back the same day', async () => {
    await moveTo([fleet.second]);
    await moveTo([fleet.first]);
    expect(await owners()).toEqual([[fleet.first, null, null]]);
    expect(await fares()).toEqual([[addDays(today, -1), 4500]]);
  });

  it('keeps its route and its fare when a second customer is added, who sees the days from the next one on', async () => {
    await moveTo([fleet.first, fleet.second]);
    expect(await owners()).toEqual([
      [fleet.second, tomorrow, null],
      [fleet.first, null, null],
    ]);
    expect((await read()).settings).toHaveLength(1);
    expect(await fares()).toHaveLength(1);
  });

  it('belongs to the new customer on all days if it never had data: it was entered wrongly', async () => {
    await server.deps.database.db
      .deleteFrom('bus_days')
      .where('workplace_id', '=', bus.busId)
      .execute();
    await moveTo([fleet.second]);
    expect(await owners()).toEqual([[fleet.second, null, null]]);
    expect((await read()).group).toBeNull();
  });

  it('passes on day after day, and keeps every owner’s days', async () => {
    await moveTo([fleet.second]);
    server.clock.set(server.clock.nowMs() + 48 * 3_600_000);
    await signIn();
    await moveTo([fleet.first]);
    expect(await owners()).toEqual([
      [fleet.first, addDays(today, 3), null],
      [fleet.second, tomorrow, addDays(today, 2)],
      [fleet.first, null, today],
    ]);
  });

  it('is changed by its integrator where all days are its own on which the change holds', async () => {
    const { db } = server.deps.database;
    const day = (ago: number) => addDays(today, -ago);
    const stay = (client_id: number, from_day: string, to_day: string) => ({
      ...{ workplace_id: bus.busId, client_id, from_day, to_day },
    });
    await db.deleteFrom('bus_owners').where('workplace_id', '=', bus.busId).execute();
    await db
      .insertInto('bus_owners')
      .values([
        stay(fleet.first, '-infinity', day(20)),
        stay(fleet.second, day(19), day(10)),
        stay(fleet.first, day(9), 'infinity'),
      ])
      .execute();
    const byIntegrator = { authorization: `Bearer ${await server.signIn('integrator')}` };
    const setFrom = async (valid_from: string) => {
      const payload = { valid_from, timezone: 'Asia/Omsk' };
      const url = `${urlOf()}/settings`;
      const { headers, method } = { headers: byIntegrator, method: 'PUT' as const };
      const answer = await server.app.inject({ method, url, headers, payload });
      return [answer.statusCode, answer.json().field];
    };
    expect(await setFrom(day(30))).toEqual([400, 'valid_from']);
    expect(await setFrom(day(9))).toEqual([200, undefined]);
    expect(await setFrom(day(30))).toEqual([400, 'valid_from']);
    await change({ valid_from: day(20), count_source: 'video' }, '/settings');
    expect(await setFrom(day(30))).toEqual([200, undefined]);
  });

  it('keeps one present customer, though its clock goes back to the day on which that one had left', async () => {
    const noonMs = Date.parse(`${addDays(dayOf(server.clock.nowMs(), ZONE), 1)}T09:00:00Z`);
    const [day, next] = [noonMs, noonMs + 24 * 3_600_000].map((ms) => dayOf(ms, ZONE));
    server.clock.set(noonMs);
    await signIn();
    await moveTo([fleet.second]);
    server.clock.set(noonMs + 24 * 3_600_000);
    await signIn();
    await moveTo([fleet.first]);
    for (const valid_from of ['2010-01-01', next]) {
      await change({ valid_from, timezone: 'Pacific/Pago_Pago' }, '/settings');
    }
    await moveTo([fleet.first, fleet.second]);
    expect(await owners()).toEqual([
      [fleet.first, addDays(next ?? '', 1), null],
      [fleet.second, next, null],
      [fleet.first, null, day],
    ]);
  });
});
