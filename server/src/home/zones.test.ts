// Buses that are not in Moscow, and weeks in which clocks change: the day that home names, and what it compares.
import { dayRange, momentOf } from '@ridewatch/contract/day';
import type { Home } from '@ridewatch/contract/home';
import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addStats } from '../stats/api.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { insertTestBus, insertTestClient, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { passengerRecord, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';
import { commonZoneOf } from './common-zone.ts';
import { earlierDaysOf } from './compare.ts';

const BERLIN = 'Europe/Berlin';
const MOSCOW = 'Europe/Moscow';
const VLADIVOSTOK = 'Asia/Vladivostok';
const HOUR_MS = 3_600_000;
let server: TestServer;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addHome, addStats]);
  await insertTestFleet(server.deps.database.db, MOSCOW);
});
afterAll(() => server.close());

let customers = 0;

/** A customer with a bus in each zone. */
async function fleetIn(zone: string, ...others: readonly string[]) {
  const { db } = server.deps.database;
  customers += 1;
  const clientId = await insertTestClient(db, `Клиент ${customers}`);
  const bus = await insertTestBus(db, clientId, 'Автобус 0', zone);
  for (const [index, other] of others.entries()) {
    await insertTestBus(db, clientId, `Автобус ${index + 1}`, other);
  }
  return { clientId, bus };
}

/** Sends who got on at times of the clock, each of an earlier or of this day, and sets the clock to the last one. */
async function entered(
  bus: TestBus,
  zone: string,
  ...events: readonly [wall: string, count: number][]
) {
  for (const [wall, count] of events) {
    const ms = momentOf(`${wall}:00`, zone);
    server.clock.set(ms);
    await sendRecords(server.app, bus, [passengerRecord(ms, 'entered', count)], ms);
  }
}

async function ask<T>(url: string): Promise<T> {
  const headers = { authorization: `Bearer ${await server.signIn('admin')}` };
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<T>();
}
function homeAt(clientId: number, moment: string): Promise<Home> {
  server.clock.set(Date.parse(moment));
  return ask(`/api/home?clientId=${clientId}`);
}
/** Reads what the statistics to which home links say of who got on. */
async function sourceOf({ day, bus_ids }: Home): Promise<number> {
  const buses = (bus_ids ?? []).map((id) => `workplaces=${id}`).join('&');
  const { totals } = await ask<PassengerTraffic>(
    `/api/stat/passenger-traffic?dateFrom=${day}&dateTo=${day}&groupby=bus&until=now&${buses}`,
  );
  return totals.entered;
}
const named = ({ timezone, zones, day, before_day }: Home) => [timezone, zones, day, before_day];

describe('the day that home names', () => {
  it('is that of Berlin at half past ten in the evening, when Moscow has the next day', async () => {
    const { clientId, bus } = await fleetIn(BERLIN);
    await entered(bus, BERLIN, ['2026-11-19T12:00', 7], ['2026-11-20T22:10', 5]);
    const home = await homeAt(clientId, '2026-11-20T22:30:00+01:00');
    expect(named(home)).toEqual([BERLIN, 1, '2026-11-20', '2026-11-13']);
    expect([home.entered.now, await sourceOf(home)]).toEqual([5, 5]);
  });

  it('is that of Vladivostok at half past five in the afternoon of Moscow', async () => {
    const { clientId, bus } = await fleetIn(VLADIVOSTOK);
    await entered(bus, VLADIVOSTOK, ['2026-11-20T23:50', 7], ['2026-11-21T00:10', 5]);
    const home = await homeAt(clientId, '2026-11-20T17:30:00+03:00');
    expect(named(home)).toEqual([VLADIVOSTOK, 1, '2026-11-21', '2026-11-14']);
    expect([home.entered.now, await sourceOf(home)]).toEqual([5, 5]);
    expect(home.hours.entered).toEqual([5]);
  });

  it('is that of most buses of several zones, each of which counts by its own day', async () => {
    const { clientId, bus } = await fleetIn(VLADIVOSTOK, BERLIN, BERLIN);
    await entered(bus, VLADIVOSTOK, ['2026-11-20T23:50', 7], ['2026-11-21T00:10', 5]);
    const home = await homeAt(clientId, '2026-11-20T17:30:00+03:00');
    expect(named(home)).toEqual([BERLIN, 2, '2026-11-20', '2026-11-13']);
    expect(home.entered.now).toBe(5);
  });

  it('is that of Moscow without buses', async () => {
    const clientId = await insertTestClient(server.deps.database.db, 'Без автобусов');
    const home = await homeAt(clientId, '2026-11-21T00:30:00+03:00');
    expect(named(home)).toEqual([MOSCOW, 0, '2026-11-21', '2026-11-14']);
  });

  it('has what was reviewed since it began', async () => {
    const { clientId, bus } = await fleetIn(VLADIVOSTOK);
    const { db } = server.deps.database;
    const id = await insertAnnouncedFragment(db, bus);
    const reviewedAt = async (wall: string, asked: string): Promise<number> => {
      const reviewed_at = new Date(momentOf(wall, VLADIVOSTOK));
      await db.updateTable('segments').set({ reviewed_at }).where('id', '=', id).execute();
      return (await homeAt(clientId, asked)).review.reviewed;
    };
    expect(await reviewedAt('2026-11-20T23:50:00', '2026-11-20T17:30:00+03:00')).toBe(0);
    expect(await reviewedAt('2026-11-21T00:10:00', '2026-11-20T17:31:00+03:00')).toBe(1);
  });

  it.each([
    ['the fallback zone', [VLADIVOSTOK, MOSCOW, BERLIN], MOSCOW],
    ['the first by name', [BERLIN, VLADIVOSTOK], VLADIVOSTOK],
    ['the one of most', [MOSCOW, BERLIN, BERLIN], BERLIN],
    ['the fallback zone without any', [], MOSCOW],
  ])('is, where zones have as many buses, that of %s', (_name, zones, common) => {
    expect(commonZoneOf(zones)).toBe(common);
  });
});

describe('the same weekday last week at this hour', () => {
  it.each([
    ['had 23 hours', '2026-03-29', '2026-04-05T10:30:00+02:00'],
    ['is followed by a day of 23 hours', '2026-03-22', '2026-03-29T10:30:00+02:00'],
    ['had 25 hours', '2026-10-25', '2026-11-01T10:30:00+01:00'],
    ['is followed by a day of 25 hours', '2026-10-18', '2026-10-25T10:30:00+01:00'],
  ])('ends at the same time of the clock where it %s', async (_name, before, now) => {
    const { clientId, bus } = await fleetIn(BERLIN);
    const today = now.slice(0, 10);
    await entered(
      bus,
      BERLIN,
      [`${before}T01:10`, 1],
      [`${before}T09:10`, 10],
      [`${before}T10:10`, 40],
      [`${before}T11:10`, 200],
      [`${today}T09:10`, 12],
      [`${today}T10:10`, 30],
    );
    const home = await homeAt(clientId, now);
    expect([home.day, home.before_day]).toEqual([today, before]);
    expect(home.entered).toEqual({ now: 42, before: 1 + 10 + 40 / 2 });
    expect(home.hours.entered).toEqual(hoursWith({ 9: 12, 10: 30 }));
    expect(home.hours.entered_before).toEqual(hoursWith({ 1: 1, 9: 10, 10: 40, 11: 200 }));
  });

  it('has both hours that the clock shows twice as one, until the day ends', async () => {
    const { clientId, bus } = await fleetIn(BERLIN);
    const { startMs } = dayRange('2026-10-25', BERLIN);
    for (const [hour, count] of [
      [2, 4],
      [3, 8],
      [24, 16],
    ] as const) {
      const ms = startMs + (hour + 0.2) * HOUR_MS;
      server.clock.set(ms);
      await sendRecords(server.app, bus, [passengerRecord(ms, 'entered', count)], ms);
    }
    const late = await homeAt(clientId, '2026-10-25T23:30:00+01:00');
    expect(late.hours.entered).toEqual(hoursWith({ 2: 12, 23: 16 }));
    const next = await homeAt(clientId, '2026-11-01T23:30:00+01:00');
    expect(next.hours.entered_before).toEqual(hoursWith({ 2: 12, 23: 16 }));
    expect(next.entered.before).toBe(12 + 16 / 2);
  });

  it.each([
    ['was skipped', '2026-04-05T02:30:00+02:00', '2026-03-29T03:00:00+02:00'],
    ['was shown twice', '2026-11-01T02:30:00+01:00', '2026-10-25T02:30:00+02:00'],
    ['is shown again', '2026-10-25T02:30:00.250+01:00', '2026-10-18T02:30:00.250+02:00'],
  ])('is a moment of the clock also where the time %s', (_name, now, before) => {
    const spans = [{ fromMs: Number.NEGATIVE_INFINITY, zone: BERLIN, source: 'unit' as const }];
    const today = { busId: 1, day: now.slice(0, 10), ...dayRange(now.slice(0, 10), BERLIN) };
    const [earlier] = earlierDaysOf(new Map([[1, spans]]), [today], Date.parse(now));
    expect(earlier?.atMs).toBe(Date.parse(before));
  });

  it('is that of the zone which the bus had then', () => {
    const spans = [
      { fromMs: Number.NEGATIVE_INFINITY, zone: MOSCOW, source: 'unit' as const },
      { fromMs: dayRange('2026-11-18', BERLIN).startMs, zone: BERLIN, source: 'unit' as const },
    ];
    const today = { busId: 1, day: '2026-11-20', ...dayRange('2026-11-20', BERLIN) };
    const nowMs = Date.parse('2026-11-20T12:00:00+01:00');
    const [earlier] = earlierDaysOf(new Map([[1, spans]]), [today], nowMs);
    expect(earlier?.atMs).toBe(Date.parse('2026-11-13T12:00:00+03:00'));
  });
});

function hoursWith(people: Readonly<Record<number, number>>): number[] {
  const last = Math.max(...Object.keys(people).map(Number));
  return Array.from({ length: last + 1 }, (_, hour) => people[hour] ?? 0);
}
