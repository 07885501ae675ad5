import { reportTypes } from '@ridewatch/contract/reports';
import { describe, expect, it } from 'vitest';
import { DAY, rangeOf, timeOf, useReportedDay } from '../test/reported-day.ts';

const world = useReportedDay();
const { ask, rowsOf, tokens } = world;

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
    const { time } = await world.server.deps.database.db
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
    const { busId } = world.fleet.secondBus;
    const missing = [404, 'not_found'];
    expect(await refusalOf(`${path}?${rangeOf({ workplaceIds: `${busId}` })}`)).toEqual(missing);
    const both = `${rangeOf({ workplaceIds: `${world.fleet.firstBus.busId}` })}&workplaceIds=${busId}`;
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
    const answer = await world.server.app.inject({
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
    await world.server.deps.database.db
      .updateTable('calculations')
      .set({ fare_kopecks: 1250 })
      .where('workplace_id', '=', world.fleet.firstBus.busId)
      .execute();
    const answer = await ask(`/api/stat/tariff-calc/export?${rangeOf({ language })}`, { accept });
    const [head, row] = answer.body.split('\r\n').map((line) => line.split(sign));
    const at = head?.findIndex((title) => /^"?(Тариф|Fare)/.test(title)) ?? -1;
    expect(row?.at(at)).toBe(fare);
  });

  it('leaves a row in the audit log', async () => {
    await rowsOf(`/api/stat/test-export?${rangeOf()}`);
    const row = await world.server.deps.database.db
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
    const laps = await world.server.deps.database.db
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
    const { db } = world.server.deps.database;
    const capacity = { capacity_seated: 8, capacity_standing: 10 };
    await db
      .updateTable('workplaces')
      .set(capacity)
      .where('id', '=', world.fleet.firstBus.busId)
      .execute();
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
  const url = () =>
    `/api/stat/advanced-report/export?${rangeOf({ groupIds: `${world.fleet.firstBus.routeId}` })}`;

  it('has laps, passengers and the greatest load of a route by hour', async () => {
    const rows = await rowsOf(url(), 'admin');
    const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name]), 0);
    expect([sum('Laps begun'), sum('Entered'), sum('Exited')]).toEqual([3, 6, 4]);
    expect(Math.max(...rows.map((row) => Number(row['Greatest load'])))).toBe(4.5);
    expect(rows[0]).toMatchObject({ Route: 'Маршрут Автобус 10', Date: new Date(DAY) });
  });
});
