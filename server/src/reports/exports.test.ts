import type { Calculation } from '@ridewatch/contract/day-calculation';
import { reportTypes } from '@ridewatch/contract/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { settleDays } from '../counts/settle.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addMoney } from '../money/api.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  sendRecords,
} from '../test/laps.ts';
import { type ReadCell, readXlsx } from '../test/read-xlsx.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addReports } from './api.ts';

const DAY = '2026-03-10';
/** 06:00 in Moscow. */
const START_MS = Date.parse('2026-03-10T03:00:00Z');
const MINUTE_MS = 60_000;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const truth = drive(street, { seed: 1, startMs: START_MS, laps: 3 });
const stayOf = (lap: number, stop: number): number => truth.laps[lap]?.stays[stop]?.[0] ?? 0;

let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addMoney, addReports]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  bus = fleet.firstBus;
  for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens[login] = await server.signIn(login);
  }
  await insertTestRoute(db, bus.routeId, street);
  const nowMs = START_MS + 10 * 60 * MINUTE_MS;
  server.clock.set(nowMs);
  const passengers = [
    // On the second lap five ride from the sixth stop on, and the counter misses one who gets off.
    passengerRecord(stayOf(1, 5) + 5000, 'entered', 5),
    passengerRecord(stayOf(1, 11) + 5000, 'exited', 4),
    { ...passengerRecord(stayOf(2, 1) + 5000, 'entered'), passenger: 'child' },
  ];
  await sendRecords(server.app, bus, [...positionRecords(truth.points), ...passengers], nowMs);
  await computeDay(server.deps, { busId: bus.busId, day: DAY });
});
afterAll(() => server.close());

const rangeOf = (more: Readonly<Record<string, string>> = {}): string =>
  `${new URLSearchParams({ from: DAY, to: DAY, language: 'en_US', ...more })}`;

async function ask(url: string, { login = 'first', accept = '' } = {}) {
  const headers = { authorization: `Bearer ${tokens[login]}`, ...(accept && { accept }) };
  return server.app.inject({ url, headers });
}

/** The rows of an export as objects by heading. */
async function rowsOf(url: string, login?: string): Promise<Record<string, ReadCell>[]> {
  const answer = await ask(url, login === undefined ? {} : { login });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  const [sheet] = await readXlsx(answer.rawPayload);
  const [heading = [], ...rows] = sheet?.rows ?? [];
  return rows.map((row) =>
    Object.fromEntries(heading.map((name, at) => [String(name), row[at] ?? null])),
  );
}

const timeOf = (cell: ReadCell | undefined): number =>
  cell instanceof Date ? cell.getTime() : Number.NaN;

const refusalOf = async (url: string, login?: string) => {
  const answer = await ask(url, login === undefined ? {} : { login });
  const { error, field } = answer.json<{ error: string; field?: string }>();
  return [answer.statusCode, error, ...(field === undefined ? [] : [field])];
};

describe('the test export', () => {
  const url = (more?: Record<string, string>) => `/api/stat/test-export?${rangeOf(more)}`;

  it('has every raw event with its source, in the time of the bus', async () => {
    const rows = await rowsOf(url());
    expect(
      rows.map(({ Direction, Passenger, Count, Source, Counts, Door }) => [
        ...[Direction, Passenger, Count, Source, Counts, Door],
      ]),
    ).toEqual([
      ['entered', 'adult', 5, 'unit', 'yes', 1],
      ['exited', 'adult', 4, 'unit', 'yes', 1],
      ['entered', 'child', 1, 'unit', 'yes', 1],
    ]);
    const [first] = rows;
    const { time } = await server.deps.database.db
      .selectFrom('passenger_events')
      .select('time')
      .orderBy('time')
      .executeTakeFirstOrThrow();
    expect(first).toMatchObject({ Bus: 'Автобус 10', 'Time zone': 'Europe/Moscow' });
    expect(timeOf(first?.Time)).toBeCloseTo(time.getTime() + 3 * 3_600_000, -1);
  });

  it('leaves out other days and the buses of others', async () => {
    expect(await rowsOf(url({ from: '2026-03-09', to: '2026-03-09' }))).toEqual([]);
    expect(await rowsOf(url(), 'second')).toEqual([]);
    expect(await rowsOf(url(), 'admin')).toHaveLength(3);
  });
});

describe('an export', () => {
  const paths = [
    '/api/stat/passenger-traffic/export',
    '/api/stat/tariff-calc/export',
    '/api/stat/workplaces-report',
    '/api/stat/bus-load/export',
    '/api/stat/test-export',
  ];

  it.each(paths)('%s names the missing field, and the wrong one', async (path) => {
    expect(await refusalOf(path)).toEqual([400, 'invalid_request', 'from']);
    expect(await refusalOf(`${path}?from=${DAY}`)).toEqual([400, 'invalid_request', 'to']);
    const reversed = rangeOf({ to: '2026-03-09' });
    expect(await refusalOf(`${path}?${reversed}`)).toEqual([400, 'invalid_request', 'to']);
    const long = rangeOf({ from: '2020-01-01', to: '2026-01-01' });
    expect(await refusalOf(`${path}?${long}`)).toEqual([400, 'invalid_request', 'to']);
  });

  it.each(paths)('%s of a foreign bus, or of one among own ones, does not exist', async (path) => {
    const { busId } = fleet.secondBus;
    const missing = [404, 'not_found'];
    expect(await refusalOf(`${path}?${rangeOf({ workplaceIds: `${busId}` })}`)).toEqual(missing);
    const both = `${rangeOf({ workplaceIds: `${bus.busId}` })}&workplaceIds=${busId}`;
    expect(await refusalOf(`${path}?${both}`)).toEqual(missing);
    expect((await ask(`${path}?${both}`, { login: 'admin' })).statusCode).toBe(200);
  });

  it.each(paths)('%s names at most 200 buses, and says so', async (path) => {
    const ids = Array.from({ length: 201 }, (_, n) => `workplaceIds=${n + 1}`).join('&');
    const answer = await ask(`${path}?${rangeOf()}&${ids}`);
    expect(answer.json()).toMatchObject({ error: 'too_many_buses', field: 'workplaceIds' });
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining('200'),
    ]);
  });

  it('is a spreadsheet or CSV as Accept asks, in the language of the user', async () => {
    const url = `/api/stat/test-export?from=${DAY}&to=${DAY}`;
    const answer = await server.app.inject({
      url,
      headers: {
        authorization: `Bearer ${tokens.first}`,
        accept: 'text/csv',
        'accept-language': 'ru-RU,ru;q=0.9',
      },
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-disposition']).toContain(
      encodeURIComponent(`Тестовая-выгрузка_${DAY}.csv`),
    );
    expect(answer.headers['content-disposition']).toContain(
      `filename="Testovaia-vygruzka_${DAY}.csv"`,
    );
    const lines = answer.body.split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\ufeffАвтобус;Время;/);
    expect(lines[1]).toContain('датчик');
    const sheet = await ask(url);
    expect(sheet.headers['content-type']).toBe(reportTypes.xlsx);
    expect(sheet.headers['content-disposition']).toContain(`Test-export_${DAY}.xlsx`);
  });

  it.each([
    ['ru_RU', 'text/csv', ';', '12,50'],
    ['en_US', 'text/csv', ',', '12.50'],
    ['ru_RU', 'text/csv; delimiter=comma', ',', '12.50'],
    ['en_US', 'text/csv;delimiter="semicolon"', ';', '12,50'],
  ])('in %s as %s separates by "%s" and writes %s', async (language, accept, sign, fare) => {
    await server.deps.database.db
      .updateTable('calculations')
      .set({ fare_kopecks: 1250 })
      .where('workplace_id', '=', bus.busId)
      .execute();
    const answer = await ask(`/api/stat/tariff-calc/export?${rangeOf({ language })}`, { accept });
    const [head, row] = answer.body.split('\r\n').map((line) => line.split(sign));
    const at = head?.findIndex((title) => /^"?(Тариф|Fare)/.test(title)) ?? -1;
    expect(row?.at(at)).toBe(fare);
  });

  it('leaves a row in the audit log', async () => {
    await rowsOf(`/api/stat/test-export?${rangeOf()}`);
    const row = await server.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('object_type', '=', 'report')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ action: 'export', after: { kind: 'test-export', from: DAY } });
  });
});

describe('the report of buses', () => {
  it('has the stops of every lap, and adds up to the laps', async () => {
    const rows = await rowsOf(`/api/stat/workplaces-report?${rangeOf()}`);
    const laps = await server.deps.database.db
      .selectFrom('laps')
      .select(['number', 'entered', 'exited'])
      .orderBy('number')
      .execute();
    const sums = laps.map(({ number }) => {
      const own = rows.filter(({ Lap }) => Lap === number);
      const sum = (name: string) => own.reduce((all, row) => all + Number(row[name]), 0);
      return { number, entered: sum('Entered'), exited: sum('Exited') };
    });
    expect(sums).toEqual(laps);
    const stop = rows.find(({ Lap, Entered }) => Lap === 2 && Entered === 5);
    expect(stop).toMatchObject({
      Bus: 'Автобус 10',
      Stop: 'FORWARD 5',
      Direction: 'Forward',
      Inside: 4.5,
      Complete: 'yes',
      'Time zone': 'Europe/Moscow',
    });
    expect(new Date(timeOf(stop?.Arrival)).toISOString()).toMatch(/^2026-03-10T0[6-9]/);
    expect(Number(stop?.Departure)).toBeGreaterThan(Number(stop?.Arrival));
  });
});

describe('the load of buses', () => {
  it('has the greatest and the mean load of each hour of a lap, and their share of the capacity', async () => {
    const { db } = server.deps.database;
    const capacity = { capacity_seated: 8, capacity_standing: 10 };
    await db.updateTable('workplaces').set(capacity).where('id', '=', bus.busId).execute();
    const rows = await rowsOf(`/api/stat/bus-load/export?${rangeOf()}`);
    const full = rows.filter((row) => row['Greatest load'] === 4.5);
    expect(full.length).toBeGreaterThan(0);
    expect(full[0]).toMatchObject({ Lap: 2, Capacity: 18, 'Greatest, % of capacity': 25 });
    for (const row of rows) {
      expect(new Date(timeOf(row.Hour)).getUTCMinutes()).toBe(0);
      expect(Number(row['Mean load'])).toBeLessThanOrEqual(Number(row['Greatest load']));
    }
  });
});

describe('the advanced report', () => {
  const url = (more: Record<string, string> = {}) =>
    `/api/stat/advanced-report/export?${rangeOf({ groupIds: `${bus.routeId}`, ...more })}`;

  it('has laps, passengers and the greatest load of a route by hour', async () => {
    const rows = await rowsOf(url(), 'admin');
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name]), 0);
    expect([sum('Laps begun'), sum('Entered'), sum('Exited')]).toEqual([3, 6, 4]);
    expect(Math.max(...rows.map((row) => Number(row['Greatest load'])))).toBe(4.5);
    expect(rows[0]).toMatchObject({ Route: 'Маршрут Автобус 10', Date: new Date(DAY) });
  });
});

describe('passenger traffic and the calculator', () => {
  const calculate = async (values: object, day = DAY): Promise<void> => {
    const { db } = server.deps.database;
    await db
      .insertInto('calculations')
      .values({ workplace_id: bus.busId, day, ...values })
      .onConflict((conflict) => conflict.columns(['workplace_id', 'day']).doUpdateSet(values))
      .execute();
    await db
      .transaction()
      .execute((tx) => settleDays(tx, bus.busId, [day], server.deps.clock.nowMs()));
  };

  it('have the same people and the same money', async () => {
    await calculate({ fare_kopecks: 4550, salary_percent: '18.5', cashless_kopecks: 1000 });
    const [traffic, ...others] = await rowsOf(`/api/stat/passenger-traffic/export?${rangeOf()}`);
    expect(others).toEqual([]);
    expect(traffic).toMatchObject({
      From: new Date(DAY),
      Bus: 'Автобус 10',
      Entered: 6,
      'Entered, adults': 5,
      'Entered, children': 1,
      Exited: 4,
      'Entered by the counter': 6,
      'Revenue, ₽': 273,
    });
    const [day] = await rowsOf(`/api/stat/tariff-calc/export?${rangeOf()}`);
    expect(day).toMatchObject({
      Date: new Date(DAY),
      Calculation: 'by the fare',
      Counted: 'entered',
      'Fare, ₽': 45.5,
      Passengers: 6,
      'Total, ₽': 273,
      'Salary, %': 18.5,
      'Salary, ₽': 50.51,
      'Cashless, ₽': 10,
      'Result, ₽': 212.49,
    });
  });

  it('have the figures of the calculator, with a shift and a driver, too', async () => {
    await calculate({
      ...{ calculation_event: 'EXITED', driver: '=Иванов', handed_in_kopecks: 20_000 },
      shift_start: new Date(stayOf(1, 0)),
    });
    const [day] = await rowsOf(`/api/stat/tariff-calc/export?${rangeOf()}`);
    const url = `/api/workplaces/calculation?workplaceId=${bus.busId}&date=${DAY}`;
    const shown = (await ask(url)).json<Calculation>();
    expect(day).toMatchObject({
      Counted: 'exited',
      'Fare, ₽': Number(shown.fare),
      Passengers: shown.count,
      'Total, ₽': Number(shown.total),
      'Salary, ₽': Number(shown.salary),
      'Result, ₽': Number(shown.result),
      Driver: '=Иванов',
      'Handed in, ₽': 200,
      'Difference, ₽': Number(shown.difference),
      'Shift ends': null,
    });
    const startMs = Date.parse(shown.shift_start ?? '') + 3 * 3_600_000;
    expect(timeOf(day?.['Shift begins']) / 1000).toBeCloseTo(startMs / 1000, 0);
  });

  it('have no figures on a day without a record, only what was typed', async () => {
    const day = '2026-03-05';
    await calculate({ fare_kopecks: 4550, driver: 'Петров', handed_in_kopecks: 20_000 }, day);
    const url = `/api/stat/tariff-calc/export?${rangeOf({ from: day, to: day })}`;
    expect(await rowsOf(url)).toMatchObject([
      {
        ...{ 'Fare, ₽': 45.5, Driver: 'Петров', 'Handed in, ₽': 200 },
        ...{ Passengers: null, 'Total, ₽': null, 'Salary, ₽': null, 'Result, ₽': null },
        ...{ 'No price, people': null, 'Difference, ₽': null },
      },
    ]);
    await server.deps.database.db.deleteFrom('calculations').where('day', '=', day).execute();
  });

  it('name the price table where it is used, and no fare, which it leaves unused', async () => {
    await calculate({ fare_kopecks: 4550 });
    const { db } = server.deps.database;
    await db
      .updateTable('laps')
      .set({ revenue_kopecks: 100 })
      .where('workplace_id', '=', bus.busId)
      .where('day', '=', DAY)
      .execute();
    await calculate({ fare_kopecks: 4550 });
    const [day] = await rowsOf(`/api/stat/tariff-calc/export?${rangeOf()}`);
    expect(day).toMatchObject({ Calculation: 'by the price table', 'Fare, ₽': null });
    expect(Number(day?.['Total, ₽'])).toBeGreaterThan(0);
    await db
      .updateTable('laps')
      .set({ revenue_kopecks: null })
      .where('workplace_id', '=', bus.busId)
      .execute();
  });

  it('by route name the route, or that there is none', async () => {
    const url = `/api/stat/passenger-traffic/export?${rangeOf({ groupby: 'route', tick: 'year' })}`;
    expect(await rowsOf(url)).toMatchObject([{ Route: 'Маршрут Автобус 10', Entered: 6 }]);
  });

  it('have the figures of a day before it is settled', async () => {
    await server.deps.database.db.deleteFrom('day_traffic').execute();
    await server.deps.database.db
      .insertInto('unsettled_days')
      .values({ workplace_id: bus.busId, day: DAY })
      .execute();
    const [traffic] = await rowsOf(`/api/stat/passenger-traffic/export?${rangeOf()}`);
    expect(traffic).toMatchObject({ Entered: 6, Exited: 4 });
  });

  it('have empty cells for a day on which the unit was silent, not nobody', async () => {
    const nobody = { entered_adults: 0, entered_kids: 0, exited_adults: 0, exited_kids: 0 };
    await server.deps.database.db
      .insertInto('day_traffic')
      .values({
        ...{ workplace_id: bus.busId, day: '2026-01-20', ...nobody, heard: 0, heard_hours: 0 },
        ...{ entered_manual: 0, exited_manual: 0, revenue_kopecks: 0, no_price_milli: 0 },
        ...{ silent_hours: 18, closed: true },
      })
      .execute();
    const range = rangeOf({ from: '2026-01-20', to: '2026-01-20' });
    const [traffic] = await rowsOf(`/api/stat/passenger-traffic/export?${range}`);
    expect(traffic).toMatchObject({ Entered: null, 'Revenue, ₽': null, 'Silent hours': 18 });
  });
});
