import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { addDays } from '@ridewatch/contract/day';
import type { DayResults, DayTraffic, PassengerTraffic } from '@ridewatch/contract/stats';
import * as contract from '@ridewatch/contract/stats';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod/mini';
import { addAuth } from '../auth/api.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { lockBatches } from '../days/bus-days.ts';
import { requestSettle } from '../days/unsettled.ts';
import { closeDaysJob, settleDaysJob } from '../figures/settle-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addLaps } from '../laps/api.ts';
import { addReview } from '../manual-counts/api.ts';
import {
  insertTestBus,
  insertTestClient,
  insertTestFleet,
  type TestBus,
  type TestFleet,
} from '../test/fleet.ts';
import { passengerRecord, runLapsJob, runRecalculation, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addStats } from './api.ts';

const ZONE = 'Europe/Berlin';
/** A Monday in summer time. */
const DAY = '2026-06-15';
const NOW_MS = Date.parse('2026-07-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps, addReview, addStats]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, ZONE);
  for (const login of ['admin', 'first', 'second']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

const newBus = (clientId = fleet.first): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, clientId, randomUUID(), ZONE);

/** Sends people who get on at local hours of a day. */
async function board(bus: TestBus, day: string, people: Readonly<Record<number, number>>) {
  const records = Object.entries(people).map(([hour, count]) =>
    passengerRecord(atHour(day, Number(hour)), 'entered', count),
  );
  await sendRecords(server.app, bus, records, NOW_MS);
}

const atHour = (day: string, hour: number): number =>
  Date.parse(`${day}T00:00:00+02:00`) + hour * HOUR_MS;

async function settle(bus: TestBus, day: string): Promise<void> {
  await runLapsJob(server.deps, { busId: bus.busId, day });
  await closeDaysJob(server.deps).run({}, job);
  await settleDaysJob(server.deps).run({}, job);
}

async function ask<T>(path: string, query: Record<string, string | string[]>, login = 'first') {
  const text = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of [value].flat()) text.append(key, one);
  }
  const answer = await server.app.inject({
    url: `/api/stat/${path}?${text}`,
    headers: { authorization: `Bearer ${tokens[login]}` },
  });
  const body = answer.json<T & { error?: string; message?: string }>();
  // The server does not check answers that it compresses.
  if (answer.statusCode === 200) schemas[path]?.parse(body);
  return { status: answer.statusCode, body };
}

const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  'passenger-traffic': contract.findPassengerTraffic.response as z.ZodMiniType,
  'day-traffic': contract.findDayTraffic.response as z.ZodMiniType,
};

const week = (day = DAY) => ({ dateFrom: day, dateTo: addDays(day, 6) });
const idsOf = (...buses: TestBus[]): string[] => buses.map(({ busId }) => String(busId));

describe('passenger traffic', () => {
  it('is of buses, or of their routes, by the ticks of the period', async () => {
    const [bus, other] = [await newBus(), await newBus()];
    await board(bus, DAY, { 8: 3, 17: 2 });
    await board(bus, addDays(DAY, 2), { 9: 4 });
    await board(other, DAY, { 9: 1 });
    const query = { ...week(), 'workplaces[]': idsOf(bus, other) };
    const { body } = await ask<PassengerTraffic>('passenger-traffic', query);
    expect(body.tick).toBe('day');
    const shown = body.items.map(({ id, start_time, entered }) => [id, start_time, entered]);
    expect(shown).toEqual([
      [bus.busId, DAY, 5],
      [other.busId, DAY, 1],
      [bus.busId, addDays(DAY, 2), 4],
    ]);
    const byRoute = await ask<PassengerTraffic>('passenger-traffic', {
      ...query,
      groupby: 'route',
      tick: 'month',
    });
    const names = new Map(byRoute.body.series.map(({ id, name }) => [id, name]));
    expect(byRoute.body.items.map(({ id, entered }) => [names.get(id), entered])).toEqual([
      [names.get(bus.routeId), 9],
      [names.get(other.routeId), 1],
    ]);
    expect(byRoute.body.totals).toMatchObject({ entered: 10, fare: '0.00' });
  });

  it('says on how many of its days a chosen bus sent something, and since when', async () => {
    const [bus, other] = [await newBus(), await newBus()];
    for (const day of [DAY, addDays(DAY, 2)]) await board(bus, day, { 8: 1 });
    for (const day of [addDays(DAY, -30), DAY]) await board(other, day, { 8: 1 });
    const read = async (...buses: TestBus[]) =>
      (await ask<PassengerTraffic>('passenger-traffic', { ...week(), workplaces: idsOf(...buses) }))
        .body.totals;
    expect(await read(bus)).toMatchObject({ days_with_data: 2, first_day: DAY });
    expect(await read(bus, other)).toMatchObject({
      ...{ days_with_data: 2, first_day: addDays(DAY, -30) },
    });
    expect(await read(await newBus())).toMatchObject({ days_with_data: 0, first_day: null });
  });

  it('of all buses is that of the own ones only, also when a bus is on the route of another customer', async () => {
    const { db } = server.deps.database;
    const day = '2026-05-11';
    const [own, shared] = [await newBus(), await newBus()];
    await db
      .insertInto('workplace_clients')
      .values({ workplace_id: shared.busId, client_id: fleet.second })
      .execute();
    await board(own, day, { 8: 5 });
    await board(shared, day, { 8: 2 });
    const query = { dateFrom: day, dateTo: day, groupby: 'route' };
    for (const whenSettled of [false, true]) {
      if (whenSettled) for (const bus of [own, shared]) await settle(bus, day);
      const [first, second] = [
        await ask<PassengerTraffic>('passenger-traffic', query, 'first'),
        await ask<PassengerTraffic>('passenger-traffic', query, 'second'),
      ];
      expect([first.body.totals.entered, second.body.totals.entered]).toEqual([7, 2]);
    }
  });

  it('of a bus goes with it from one customer to another, before and after its days are settled', async () => {
    const { db } = server.deps.database;
    const bus = await newBus();
    const day = addDays(DAY, -70);
    const query = { dateFrom: day, dateTo: day, groupby: 'route' };
    const seenBy = async (login: string) =>
      (await ask<PassengerTraffic>('passenger-traffic', query, login)).body.totals.entered;
    await board(bus, day, { 8: 3 });
    await settle(bus, day);
    const both = ['first', 'second'] as const;
    for (const owners of [
      [...both],
      ['second'],
      [],
      ['second'],
      ['first'],
    ] as (typeof both)[number][][]) {
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('workplace_clients').where('workplace_id', '=', bus.busId).execute();
        for (const owner of owners) {
          const row = { workplace_id: bus.busId, client_id: fleet[owner] };
          await tx.insertInto('workplace_clients').values(row).execute();
        }
        await requestSettle(tx, bus.busId, [day]);
      });
      const expected = both.map((one) => (owners.includes(one) ? 3 : 0));
      for (const settleNow of [async () => undefined, settle]) {
        await settleNow(bus, day);
        expect([await seenBy('first'), await seenBy('second')], owners.join()).toEqual(expected);
      }
    }
  });

  it('has one series for all buses without a route', async () => {
    const { db } = server.deps.database;
    const client = await insertTestClient(db, randomUUID());
    const buses = [await newBus(client), await newBus(client)];
    await db
      .updateTable('workplace_settings')
      .set({ group_id: null })
      .where(
        'workplace_id',
        'in',
        buses.map(({ busId }) => busId),
      )
      .execute();
    for (const bus of buses) await board(bus, DAY, { 8: 1 });
    const query = { ...week(), workplaces: idsOf(...buses), groupby: 'route' };
    const { body } = await ask<PassengerTraffic>('passenger-traffic', query, 'admin');
    expect(body.items).toMatchObject([{ id: UNGROUPED, entered: 2 }]);
    expect(body.series).toMatchObject([{ id: UNGROUPED }]);
  });

  it('multiplies the fare by the people within the shift', async () => {
    const { db } = server.deps.database;
    const bus = await newBus();
    await board(bus, DAY, { 6: 10, 8: 3, 17: 2 });
    await db.transaction().execute(async (tx) => {
      await lockBatches(tx, bus.busId);
      await tx
        .updateTable('calculations')
        .set({ fare_kopecks: 4_650, shift_start: new Date(atHour(DAY, 7)) })
        .where('workplace_id', '=', bus.busId)
        .where('day', '=', DAY)
        .execute();
      await rebuildHours(tx, bus.busId, [DAY]);
    });
    const read = async () =>
      (await ask<DayResults>('day-results', { workplaceId: String(bus.busId), date: DAY })).body;
    expect(await read()).toMatchObject({ entered: 5, totalEntered: 5, fare: '232.50' });
    // The next usual batch knows the shift, too.
    await board(bus, DAY, { 5: 7, 9: 1 });
    expect(await read()).toMatchObject({ entered: 6, fare: '279.00' });
  });

  it('takes as many statements for many buses as for one', async () => {
    const buses = [await newBus(), await newBus(), await newBus()];
    for (const bus of buses) await board(bus, DAY, { 8: 1 });
    const statementsFor = async (query: Record<string, string | string[]>) => {
      const spy = vi.spyOn(pg.Client.prototype, 'query');
      await ask<PassengerTraffic>('passenger-traffic', { ...week(), ...query });
      const { length } = spy.mock.calls;
      spy.mockRestore();
      return length;
    };
    // The first call of a session reads the user.
    await statementsFor({});
    expect(await statementsFor({ workplaces: idsOf(...buses.slice(0, 1)) })).toBe(8);
    expect(await statementsFor({ workplaces: idsOf(...buses) })).toBe(8);
    expect(await statementsFor({ groupby: 'route' })).toBe(9);
  });

  it('refuses all buses when one of them is foreign', async () => {
    const [own, foreign] = [await newBus(), await newBus(fleet.second)];
    const query = { ...week(), workplaces: idsOf(own, foreign) };
    expect(await ask('passenger-traffic', query)).toMatchObject({ status: 404 });
    expect(await ask('day-traffic', query)).toMatchObject({ status: 404 });
  });

  it('refuses a reversed range and one of more than 5 years', async () => {
    for (const dateTo of ['2026-01-01', '2032-01-01']) {
      const { status, body } = await ask('passenger-traffic', { dateFrom: DAY, dateTo });
      expect({ status, ...body }).toMatchObject({ status: 400, field: 'dateTo' });
    }
  });
});

it('thousands of ids are answered with the limit, not with a broken request', async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as AddressInfo;
  const { busId } = await newBus();
  const asked = async (ids: number, groupby: string) => {
    // The same id again and again, and as long as ids get.
    const query = new URLSearchParams({ ...week(), groupby });
    for (let n = 0; n < ids; n += 1) query.append('workplaces', String(busId));
    const answer = await fetch(`http://127.0.0.1:${port}/api/stat/passenger-traffic?${query}`, {
      headers: { authorization: `Bearer ${tokens.first}` },
    });
    const body = (await answer.json()) as { error?: string; message?: string };
    return [answer.status, body.error, /\d+/.exec(body.message ?? '')?.[0]];
  };
  expect(await asked(1, 'bus')).toEqual([200, undefined, undefined]);
  expect(await asked(300, 'bus')).toEqual([400, 'too_many_buses', '200']);
  expect(await asked(300, 'route')).toEqual([200, undefined, undefined]);
  expect(await asked(1000, 'route')).toEqual([200, undefined, undefined]);
  expect(await asked(5000, 'route')).toEqual([400, 'too_many_buses', '1000']);
});

it('a manual count changes how many people there were, and not what the counter saw', async () => {
  const { db } = server.deps.database;
  const bus = await newBus();
  await board(bus, DAY, { 8: 3, 17: 2 });
  const iso = (ms: number): string => new Date(ms).toISOString();
  const times = { start_time: iso(atHour(DAY, 8)), end_time: iso(atHour(DAY, 9)) };
  const announced = {
    type: 'segment',
    camera: 'door1',
    video: 'kept',
    time: iso(NOW_MS),
    ...times,
  };
  await sendRecords(server.app, bus, [announced], NOW_MS);
  const { id } = await db
    .selectFrom('segments')
    .select('id')
    .where('unit_id', '=', bus.unitId)
    .executeTakeFirstOrThrow();
  const saved = await server.app.inject({
    method: 'POST',
    url: `/api/segments/update-events/${id}`,
    headers: { authorization: `Bearer ${tokens.admin}` },
    body: {
      entered_manual: { adult: 7, kids: null },
      exited_manual: { adult: null, kids: null },
    },
  });
  expect(saved.statusCode, saved.body).toBe(200);
  const question = { workplaceId: String(bus.busId), date: DAY };
  expect((await ask<DayResults>('day-results', question)).body).toMatchObject({
    entered: 9,
    totalEntered: 5,
  });
  await settle(bus, DAY);
  const settled = await db
    .selectFrom('day_traffic')
    .select(['entered_adults', 'entered_manual'])
    .where('workplace_id', '=', bus.busId)
    .where('day', '=', DAY)
    .executeTakeFirst();
  expect(settled).toEqual({ entered_adults: 9, entered_manual: 4 });
});

describe('day traffic', () => {
  it('is by day, by hour, and by weekday and hour of the clock', async () => {
    const bus = await newBus();
    await board(bus, DAY, { 8: 3, 17: 2 });
    await board(bus, addDays(DAY, 7), { 8: 4 });
    const query = { dateFrom: DAY, dateTo: addDays(DAY, 13), workplaces: idsOf(bus) };
    const read = async (by: string) =>
      (await ask<{ items: DayTraffic[] }>('day-traffic', { ...query, by })).body.items;
    expect(await read('day')).toMatchObject([
      { date: DAY, weekday: 1, hour: null, entered: 5 },
      { date: addDays(DAY, 7), weekday: 1, entered: 4 },
    ]);
    expect((await read('hour')).map(({ date, hour, entered }) => [date, hour, entered])).toEqual([
      [DAY, 8, 3],
      [DAY, 17, 2],
      [addDays(DAY, 7), 8, 4],
    ]);
    expect(await read('weekday_hour')).toMatchObject([
      { date: null, weekday: 1, hour: 8, entered: 7 },
      { date: null, weekday: 1, hour: 17, entered: 2 },
    ]);
  });

  it('refuses the single hours of more than a month', async () => {
    const query = { dateFrom: DAY, dateTo: addDays(DAY, 40), by: 'hour' };
    expect(await ask('day-traffic', query)).toMatchObject({
      status: 413,
      body: { error: 'too_large', field: 'dateTo' },
    });
  });
});

describe('hours of silence', () => {
  it('are those between two records, and the usual ones of a day on which nothing came', async () => {
    const bus = await newBus();
    const read = async (day: string) => {
      const query = { dateFrom: day, dateTo: day, workplaces: idsOf(bus) };
      return (await ask<PassengerTraffic>('passenger-traffic', query)).body.totals;
    };
    await board(bus, DAY, { 6: 1, 7: 1, 11: 1, 12: 1 });
    await settle(bus, DAY);
    expect(await read(DAY)).toMatchObject({ silent_hours: 3, heard_hours: 4 });
    // The unit sent nothing a week later.
    expect(await read(addDays(DAY, 7))).toMatchObject({ silent_hours: 4, heard_hours: 0 });
    await board(bus, addDays(DAY, 7), { 6: 1, 12: 1 });
    await settle(bus, addDays(DAY, 7));
    expect(await read(addDays(DAY, 7))).toMatchObject({ silent_hours: 5, heard_hours: 2 });
    // On other weekdays nothing is usual.
    expect(await read(addDays(DAY, 1))).toMatchObject({ silent_hours: 0, heard_hours: 0 });
  });
});

it('a recalculation of a bus rebuilds hours that are not what the records say', async () => {
  const { db } = server.deps.database;
  const bus = await newBus();
  await board(bus, DAY, { 8: 3 });
  await settle(bus, DAY);
  await db
    .updateTable('hourly_traffic')
    .set({ entered_adults: 99 })
    .where('workplace_id', '=', bus.busId)
    .execute();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/stat/passenger-traffic/recalculate-bus',
    headers: { authorization: `Bearer ${tokens.admin}` },
    body: { workplaceId: bus.busId, dateFrom: DAY, dateTo: DAY },
  });
  expect(answer.json()).toMatchObject({ recalculation: { state: 'running', total: 1, done: 0 } });
  expect(await runRecalculation(server.deps)).toMatchObject({ state: 'done', done: 1 });
  const query = { dateFrom: DAY, dateTo: DAY, workplaces: idsOf(bus) };
  expect((await ask<PassengerTraffic>('passenger-traffic', query)).body.totals.entered).toBe(3);
  expect(
    (await ask('passenger-traffic/recalculate-bus', { workplaceId: String(bus.busId) })).body,
  ).toMatchObject({ recalculation: { state: 'done' } });
});
