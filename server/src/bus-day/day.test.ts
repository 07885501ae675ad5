import { randomUUID } from 'node:crypto';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { bumpDays, lockBatches } from '../days/bus-days.ts';
import { writeBusSettings } from '../days/bus-settings.ts';
import { listHours } from '../figures/hours.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addReview } from '../manual-counts/api.ts';
import { adoptEgts } from '../test/egts.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusDay } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const headers: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addReview]);
  server.clock.set(Date.parse('2026-11-20T20:00:00Z'));
  fleet = await insertTestFleet(server.deps.database.db);
  headers.authorization = `Bearer ${await server.signIn('admin')}`;
});
afterAll(() => server.close());

const busIn = (zone: string): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`, zone);

const moveUnit = (unitId: number, busId: number | null) =>
  server.deps.database.db
    .updateTable('units')
    .set({ workplace_id: busId })
    .where('id', '=', unitId)
    .execute();

type Fields = Record<string, unknown>;

async function send(bus: TestBus, records: readonly Fields[]): Promise<void> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: {
      stream: randomUUID(),
      sent_at: new Date(server.clock.nowMs()).toISOString(),
      records: records.map((record, seq) => ({ seq, ...record })),
    },
  });
  expect(answer.json<{ refused: unknown[] }>().refused).toEqual([]);
}

const entered = (time: string, more: Fields = {}): Fields => ({
  type: 'passenger',
  time,
  door: 1,
  direction: 'entered',
  passenger: 'adult',
  ...more,
});
const fragment = (start_time: string, end_time: string, more: Fields = {}): Fields => ({
  type: 'segment',
  time: end_time,
  camera: 'door1',
  start_time,
  end_time,
  video: 'kept',
  ...more,
});

async function dayOfBus(bus: TestBus, date: string): Promise<DayFragments> {
  const url = `/api/segments/day-segments?workplaceId=${bus.busId}&date=${date}`;
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe("a bus's day", () => {
  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])(
    'of %s in Berlin has %d hours, and loses nobody in the hour that is left out or twice',
    async (date, hours) => {
      const bus = await busIn('Europe/Berlin');
      const startMs = Date.parse(`${date}T00:00:00Z`) - 2 * 3_600_000;
      const everyHalfHour = Array.from({ length: 60 }, (_, n) =>
        entered(new Date(startMs + n * 1_800_000).toISOString()),
      );
      await send(bus, everyHalfHour);
      const day = await dayOfBus(bus, date);
      const rows = day.events[0]?.events ?? [];
      expect(rows.map((row) => row.entered)).toEqual(Array.from({ length: hours }, () => 2));
      expect(day.totalEntered).toBe(2 * hours);
      expect((Date.parse(day.end) - Date.parse(day.start)) / 3_600_000).toBe(hours);
    },
  );

  it('counts children apart and each event by how many it says', async () => {
    const bus = await busIn('Europe/Moscow');
    await send(bus, [
      entered('2026-11-19T06:00:00Z', { count: 3 }),
      entered('2026-11-19T06:00:01Z', { passenger: 'child' }),
      entered('2026-11-19T07:00:00Z', { direction: 'exited', door: 2 }),
    ]);
    const day = await dayOfBus(bus, '2026-11-19');
    expect([day.entered, day.exited, day.inside]).toEqual([
      { adult: 3, kids: 1 },
      { adult: 1, kids: 0 },
      3,
    ]);
  });

  it('says whether its counter tells children apart, which other protocols do not', async () => {
    const { db } = server.deps.database;
    const bus = await busIn('Europe/Moscow');
    const told = async (date: string) => (await dayOfBus(bus, date)).tells_children;
    // Signed addresses change with the hour.
    server.clock.advance(2000);
    expect(await told('2026-11-17')).toBe(true);
    await adoptEgts(db, bus.unitId, bus.unitId);
    server.clock.advance(2000);
    expect([await told('2026-11-17'), await told('2026-11-18')]).toEqual([false, false]);
    // Programs that count in video see who is a child.
    await db
      .updateTable('workplace_settings')
      .set({ count_source: 'video' })
      .where('workplace_id', '=', bus.busId)
      .execute();
    expect(await told('2026-11-19')).toBe(true);
  });

  it('shows each fragment with its people, of overlapping ones the earlier one', async () => {
    const bus = await busIn('Europe/Moscow');
    await send(bus, [
      fragment('2026-11-19T06:00:00Z', '2026-11-19T06:00:30Z', { max_objects_count: 5 }),
      fragment('2026-11-19T06:00:20Z', '2026-11-19T06:01:00Z'),
      entered('2026-11-19T06:00:10Z'),
      entered('2026-11-19T06:00:25Z'),
      entered('2026-11-19T06:00:45Z'),
    ]);
    const { segments } = await dayOfBus(bus, '2026-11-19');
    expect(segments.map((one) => [one.entered.adult, one.max_objects_count])).toEqual([
      [2, 5],
      [1, 0],
    ]);
    expect(segments[0]?.events?.map((one) => one.offset_ms)).toEqual([10_000, 25_000]);
  });

  it('has a fragment that runs over midnight once, on the day it starts; its people on theirs', async () => {
    const bus = await busIn('Europe/Moscow');
    await send(bus, [
      fragment('2026-11-18T20:59:50Z', '2026-11-18T21:00:20Z'),
      entered('2026-11-18T20:59:55Z'),
      entered('2026-11-18T21:00:05Z'),
    ]);
    const before = await dayOfBus(bus, '2026-11-18');
    const after = await dayOfBus(bus, '2026-11-19');
    expect([before.segments.length, before.segments[0]?.entered.adult]).toEqual([1, 2]);
    expect([before.totalEntered, after.totalEntered, after.segments]).toEqual([1, 1, []]);
  });

  it('books what people counted by hand at the start of the fragment, beside the automatic count', async () => {
    const bus = await busIn('Europe/Moscow');
    await send(bus, [
      fragment('2026-11-19T06:59:50Z', '2026-11-19T07:00:20Z'),
      entered('2026-11-19T07:00:05Z'),
      entered('2026-11-19T09:00:00Z'),
    ]);
    const { segments } = await dayOfBus(bus, '2026-11-19');
    const counted = await server.app.inject({
      method: 'POST',
      url: `/api/segments/update-events/${segments[0]?.id}`,
      headers,
      body: {
        entered_manual: { adult: 4, kids: null },
        exited_manual: { adult: null, kids: null },
      },
    });
    expect(counted.statusCode, counted.body).toBe(200);
    const day = await dayOfBus(bus, '2026-11-19');
    expect([day.totalEntered, day.totalEnteredManual]).toEqual([2, 5]);
    const hours = new Map(day.events[0]?.events.map((row) => [row.start_time, row.entered]));
    expect(hours.get('2026-11-19T06:00:00.000Z')).toBe(3);
    expect(hours.get('2026-11-19T07:00:00.000Z')).toBe(1);
    expect(day.segments[0]?.entered).toEqual({ adult: 1, kids: 0 });
    expect(day.segments[0]?.entered_manual).toEqual({ adult: 4, kids: null });
  });

  it('on which its unit was exchanged has the people of each, and those outside the shift in none', async () => {
    const { db } = server.deps.database;
    const [bus, spare] = [await busIn('Europe/Moscow'), await busIn('Europe/Moscow')];
    await send(bus, [entered('2026-11-19T05:30:00Z'), entered('2026-11-19T06:30:00Z')]);
    await moveUnit(bus.unitId, null);
    await moveUnit(spare.unitId, bus.busId);
    const exited = { direction: 'exited', passenger: 'child', count: 2 };
    await send(spare, [
      entered('2026-11-19T06:40:00Z', { count: 3 }),
      entered('2026-11-19T06:50:00Z', exited),
      entered('2026-11-19T09:00:00Z', { count: 9 }),
    ]);
    await db.transaction().execute(async (tx) => {
      await lockBatches(tx, bus.busId);
      await sql`update calculations set shift_start = '2026-11-19 06:00Z', shift_end = '2026-11-19 09:00Z'
        where workplace_id = ${bus.busId} and day = '2026-11-19'`.execute(tx);
      await rebuildHours(tx, bus.busId, ['2026-11-19']);
      await bumpDays(tx, bus.busId, ['2026-11-19']);
    });
    const day = await dayOfBus(bus, '2026-11-19');
    expect(day).toMatchObject({
      ...{ totalEntered: 4, totalExited: 2, entered: { adult: 4, kids: 0 }, inside: 12 },
      ...{ exited: { adult: 0, kids: 2 } },
      devices: [
        { deviceId: bus.unitId, totalEntered: 1, totalExited: 0 },
        { deviceId: spare.unitId, totalEntered: 3, totalExited: 2 },
      ],
    });
    const hours = day.events.map(({ events }) =>
      events.filter((one) => one.entered + one.exited > 0).map((one) => [one.entered, one.exited]),
    );
    expect(hours).toEqual([[[1, 0]], [[3, 2]]]);
  });

  it('costs one statement while it is kept, and answers 304 to who has it', async () => {
    const bus = await busIn('Europe/Moscow');
    await send(bus, [entered('2026-11-19T06:00:00Z')]);
    const url = `/api/segments/day-segments?workplaceId=${bus.busId}&date=2026-11-19`;
    const first = await server.app.inject({ url, headers });
    const etag = String(first.headers.etag);
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const again = await server.app.inject({
        url,
        headers: { ...headers, 'if-none-match': etag },
      });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      expect((await server.app.inject({ url, headers })).body).toBe(first.body);
      expect(statements).toHaveBeenCalledTimes(2);
    } finally {
      statements.mockRestore();
    }
    await send(bus, [entered('2026-11-19T06:00:05Z')]);
    const changed = await server.app.inject({
      url,
      headers: { ...headers, 'if-none-match': etag },
    });
    expect([changed.statusCode, changed.json<DayFragments>().totalEntered]).toEqual([200, 2]);
  });

  it.each([
    ['2026-13-45', 'date'],
    ['1999-01-01', 'date'],
    ['today', 'date'],
  ])('refuses the date %s and names the field', async (date, field) => {
    const url = `/api/segments/day-segments?workplaceId=${fleet.firstBus.busId}&date=${date}`;
    const answer = await server.app.inject({ url, headers });
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, field]);
  });

  it.each(['..%2F..%2Fetc', '1e3', '-1', '0', '99999999999999999999'])(
    'refuses the bus %s',
    async (id) => {
      const url = `/api/segments/day-segments?workplaceId=${id}&date=2026-11-19`;
      const answer = await server.app.inject({ url, headers });
      expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([
        400,
        'workplaceId',
      ]);
    },
  );
});

describe("a camera's fragments", () => {
  const ask = (camera: number, start: string, end: string) =>
    server.app.inject({
      url: `/api/period_list/${camera}?startdate=${start}&enddate=${end}`,
      headers,
    });

  it('are those that overlap the local days, both included', async () => {
    const bus = await busIn('Asia/Yekaterinburg');
    await send(bus, [
      fragment('2026-11-17T18:59:50Z', '2026-11-17T19:00:10Z'),
      fragment('2026-11-19T18:59:00Z', '2026-11-19T18:59:30Z'),
      fragment('2026-11-19T19:00:00Z', '2026-11-19T19:00:30Z'),
    ]);
    const answer = await ask(bus.cameras.door1, '2026-11-18', '2026-11-19');
    const { items, total } = answer.json<{ items: Fragment[]; total: number }>();
    expect([items.map((one) => one.start_time), total]).toEqual([
      ['2026-11-17T18:59:50.000Z', '2026-11-19T18:59:00.000Z'],
      2,
    ]);
  });

  it('end with the last day in the zone that the bus has then', async () => {
    const bus = await busIn('Europe/Moscow');
    const settings = { group_id: null, terminal_stop_id: null, count_source: 'unit' } as const;
    const timezone = 'Asia/Vladivostok';
    await writeBusSettings(server.deps.database.db, [
      { busId: bus.busId, day: '2026-11-19', settings: { ...settings, timezone } },
    ]);
    await send(bus, [
      fragment('2026-11-19T13:59:00Z', '2026-11-19T13:59:30Z'),
      fragment('2026-11-19T14:00:00Z', '2026-11-19T14:00:30Z'),
    ]);
    const answer = await ask(bus.cameras.door1, '2026-11-18', '2026-11-19');
    const { items } = answer.json<{ items: Fragment[] }>();
    expect(items.map((one) => one.start_time)).toEqual(['2026-11-19T13:59:00.000Z']);
  });

  it.each([
    ['2026-11-20', '2026-11-19', 'enddate'],
    ['2020-01-01', '2026-11-19', 'enddate'],
  ])('from %s to %s are refused', async (start, end, field) => {
    const answer = await ask(fleet.firstBus.cameras.door1, start, end);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, field]);
  });
});

describe('days around a change of the zone', () => {
  it.each([
    ['Europe/Moscow', 'Asia/Yekaterinburg'],
    ['Asia/Yekaterinburg', 'Europe/Kaliningrad'],
  ])('from %s to %s show each passenger once, as the hours do', async (before, after) => {
    const bus = await busIn(before);
    const { db } = server.deps.database;
    await db.transaction().execute(async (tx) => {
      const settings = { group_id: null, terminal_stop_id: null, count_source: 'unit' } as const;
      await changeBusSettings(tx, [
        { busId: bus.busId, day: '2026-11-18', settings: { ...settings, timezone: after } },
      ]);
    });
    const firstMs = Date.parse('2026-11-17T12:00:00Z');
    const times = Array.from({ length: 36 }, (_, hour) =>
      new Date(firstMs + hour * 3_600_000).toISOString(),
    );
    await send(
      bus,
      times.map((time) => entered(time)),
    );
    const days = ['2026-11-17', '2026-11-18', '2026-11-19'];
    const shown: number[] = [];
    const booked: number[] = [];
    for (const date of days) {
      const day = await dayOfBus(bus, date);
      shown.push(day.totalEntered);
      const rows = day.events[0]?.events ?? [];
      expect(rows.reduce((sum, row) => sum + row.entered, 0)).toBe(day.totalEntered);
      const hours = await listHours(db, bus.busId, date, date);
      booked.push(hours.reduce((sum, { enteredAdults }) => sum + enteredAdults, 0));
    }
    expect(shown).toEqual(booked);
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(times.length);
  });
});
