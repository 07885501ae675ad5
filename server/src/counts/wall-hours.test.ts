// The hour of a count is that of the bus's clock, also where the clock is changed by half an hour or within an hour.
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { DayTrafficAnswer } from '@ridewatch/contract/stats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { lockBatches } from '../days/bus-days.ts';
import { listHours } from '../figures/hours.ts';
import { settleDays } from '../figures/settle.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addReports } from '../reports/api.ts';
import { addStats } from '../stats/api.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { passengerRecord, sendRecords } from '../test/laps.ts';
import { recountHours } from '../test/recount.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { rebuildHours } from './rebuild-hours.ts';

const QUARTER_MS = 900_000;
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addStats, addReports]);
});
afterAll(() => server.close());

async function busIn(zone: string): Promise<TestBus> {
  const { db } = server.deps.database;
  const { first } = await fleetOnce();
  const bus = await insertTestBus(db, first, `Автобус ${zone} ${server.clock.nowMs()}`);
  await db
    .updateTable('workplace_settings')
    .set({ timezone: zone })
    .where('workplace_id', '=', bus.busId)
    .execute();
  return bus;
}

let fleet: ReturnType<typeof insertTestFleet> | undefined;
const fleetOnce = () => {
  fleet ??= insertTestFleet(server.deps.database.db);
  return fleet;
};

async function ask(url: string, accept = 'application/json') {
  const token = await server.signIn('admin');
  const answer = await server.app.inject({
    url,
    headers: { authorization: `Bearer ${token}`, accept },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer;
}

/** The hour that clocks of a zone show at a moment, with their offset: `01 GMT+11`. */
function clockOf(zone: string): (ms: number) => string {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hour: '2-digit', hourCycle: 'h23', timeZoneName: 'longOffset' },
  });
  return (ms) => clock.format(ms);
}

const sumBy = <Of>(all: readonly Of[], keyOf: (one: Of) => string, of: (one: Of) => number) => {
  const sums: Record<string, number> = {};
  for (const one of all) sums[keyOf(one)] = (sums[keyOf(one)] ?? 0) + of(one);
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
};

describe('the hours of a day', () => {
  it.each([
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z', 23.5],
    ['Pacific/Chatham', '2026-04-05', '2026-04-04T10:15:00Z', 25],
    ['Pacific/Chatham', '2026-09-27', '2026-09-26T11:15:00Z', 23],
    ['Asia/Kathmandu', '2026-04-05', '2026-04-04T18:15:00Z', 24],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['Europe/Moscow', '2026-10-25', '2026-10-24T21:00:00Z', 24],
  ])('of %s, %s, are those of its clock in every answer', async (zone, day, start, hours) => {
    const startMs = Date.parse(start);
    const nowMs = startMs + hours * 3_600_000 + 60_000;
    server.clock.set(nowMs);
    const bus = await busIn(zone);
    const times = Array.from({ length: hours * 4 }, (_, n) => startMs + n * QUARTER_MS);
    const records = times.map((ms, n) => passengerRecord(ms, 'entered', 1 + (n % 3)));
    await sendRecords(server.app, bus, records, nowMs);
    const clock = clockOf(zone);
    const right = sumBy(
      times.map((ms, n) => ({ ms, count: 1 + (n % 3) })),
      ({ ms }) => clock(ms),
      ({ count }) => count,
    );
    const byHour = sumBy(
      Object.entries(right),
      ([hour]) => String(Number(hour.slice(0, 2))),
      ([, count]) => count,
    );
    const { db } = server.deps.database;
    const rollup = await listHours(db, bus.busId, day, day);
    expect(
      sumBy(
        rollup,
        ({ hourMs }) => clock(hourMs),
        (sum) => sum.enteredAdults,
      ),
    ).toEqual(right);
    await db.transaction().execute(async (tx) => {
      await lockBatches(tx, bus.busId);
      await rebuildHours(tx, bus.busId, [day]);
      await settleDays(tx, bus.busId, [day], nowMs);
    });
    expect(await listHours(db, bus.busId, day, day)).toEqual(rollup);
    expect(await recountHours(db, bus.busId)).toEqual(rollup);
    const { heard_hours: heard, silent_hours: silent } = await db
      .selectFrom('day_traffic')
      .selectAll()
      .where('workplace_id', '=', bus.busId)
      .executeTakeFirstOrThrow();
    expect([heard, silent]).toEqual([Object.keys(byHour).length, 0]);
    const page = `/api/segments/day-segments?workplaceId=${bus.busId}&date=${day}`;
    const shown = (await ask(page)).json<DayFragments>();
    expect(Date.parse(shown.end) - Date.parse(shown.start)).toBe(hours * 3_600_000);
    const rows = shown.events.flatMap(({ events }) => events);
    expect(
      sumBy(
        rows,
        (row) => clock(Date.parse(row.start_time)),
        ({ entered }) => entered,
      ),
    ).toEqual(right);
    const period = `dateFrom=${day}&dateTo=${day}&workplaces=${bus.busId}`;
    const stats = (await ask(`/api/stat/day-traffic?${period}&by=hour`)).json<DayTrafficAnswer>();
    expect(
      sumBy(
        stats.items,
        (row) => String(row.hour),
        ({ entered }) => entered,
      ),
    ).toEqual(byHour);
    const csv = `/api/stat/test-export?from=${day}&to=${day}&workplaceIds=${bus.busId}`;
    const lines = (await ask(csv, 'text/csv')).body.trim().split('\r\n').slice(1);
    // The time and the zone tell each event from all others.
    expect(new Set(lines.map((line) => line.split(',').slice(1, 3).join())).size).toBe(
      times.length,
    );
  });

  it('tell the same hour of the clock apart in the advanced report', async () => {
    const zone = 'Australia/Lord_Howe';
    server.clock.set(Date.parse('2026-04-06T00:00:00Z'));
    const bus = await busIn(zone);
    const times = ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z', '2026-04-04T15:45:00Z'];
    const records = times.map((time) => passengerRecord(Date.parse(time), 'entered'));
    await sendRecords(server.app, bus, records, server.clock.nowMs());
    const day = '2026-04-05';
    const url = `/api/stat/advanced-report/export?from=${day}&to=${day}&groupIds=${bus.routeId}`;
    const lines = (await ask(url, 'text/csv')).body.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(2))).toEqual([
      ['01:00', '0', '1', '0', '', `${zone} UTC+11`],
      ['01:00', '0', '1', '0', '', `${zone} UTC+10:30`],
      ['02:00', '0', '1', '0', '', zone],
    ]);
  });
});
