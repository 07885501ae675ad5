import type { Calculation } from '@ridewatch/contract/day-calculation';
import { describe, expect, it } from 'vitest';
import { settleDays } from '../figures/settle.ts';
import { DAY, rangeOf, stayOf, timeOf, useReportedDay } from '../test/reported-day.ts';

const world = useReportedDay();
const { ask, rowsOf } = world;

describe('passenger traffic and the calculator', () => {
  const calculate = async (values: object, day = DAY): Promise<void> => {
    const { db } = world.server.deps.database;
    await db
      .insertInto('calculations')
      .values({ workplace_id: world.fleet.firstBus.busId, day, ...values })
      .onConflict((conflict) => conflict.columns(['workplace_id', 'day']).doUpdateSet(values))
      .execute();
    await db
      .transaction()
      .execute((tx) =>
        settleDays(tx, world.fleet.firstBus.busId, [day], world.server.deps.clock.nowMs()),
      );
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

  it('of people say how many days of buses are not over yet', async () => {
    const url = `/api/stat/passenger-traffic/export?${rangeOf({ groupby: 'route', tick: 'month' })}`;
    const nowMs = world.server.deps.clock.nowMs();
    expect(await rowsOf(url)).toMatchObject([{ Entered: 6, 'Days not over': 1 }]);
    world.server.clock.set(nowMs + 24 * 3_600_000);
    expect(await rowsOf(url)).toMatchObject([{ Entered: 6, 'Days not over': null }]);
    world.server.clock.set(nowMs);
  });

  it('have the figures of the calculator, with a shift and a driver, too', async () => {
    await calculate({
      ...{ calculation_event: 'EXITED', driver: '=Иванов', handed_in_kopecks: 20_000 },
      shift_start: new Date(stayOf(1, 0)),
    });
    const [day] = await rowsOf(`/api/stat/tariff-calc/export?${rangeOf()}`);
    const url = `/api/workplaces/calculation?workplaceId=${world.fleet.firstBus.busId}&date=${DAY}`;
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
    await world.server.deps.database.db.deleteFrom('calculations').where('day', '=', day).execute();
  });

  it('name the price table where it is used, and no fare, which it leaves unused', async () => {
    await calculate({ fare_kopecks: 4550 });
    const { db } = world.server.deps.database;
    await db
      .updateTable('laps')
      .set({ revenue_kopecks: 100 })
      .where('workplace_id', '=', world.fleet.firstBus.busId)
      .where('day', '=', DAY)
      .execute();
    await calculate({ fare_kopecks: 4550 });
    const [day] = await rowsOf(`/api/stat/tariff-calc/export?${rangeOf()}`);
    expect(day).toMatchObject({ Calculation: 'by the price table', 'Fare, ₽': null });
    expect(Number(day?.['Total, ₽'])).toBeGreaterThan(0);
    await db
      .updateTable('laps')
      .set({ revenue_kopecks: null })
      .where('workplace_id', '=', world.fleet.firstBus.busId)
      .execute();
  });

  it('by route name the route, or that there is none', async () => {
    const url = `/api/stat/passenger-traffic/export?${rangeOf({ groupby: 'route', tick: 'year' })}`;
    expect(await rowsOf(url)).toMatchObject([{ Route: 'Маршрут Автобус 10', Entered: 6 }]);
  });

  it('have the figures of a day before it is settled', async () => {
    await world.server.deps.database.db.deleteFrom('day_traffic').execute();
    await world.server.deps.database.db
      .insertInto('unsettled_days')
      .values({ workplace_id: world.fleet.firstBus.busId, day: DAY })
      .execute();
    const [traffic] = await rowsOf(`/api/stat/passenger-traffic/export?${rangeOf()}`);
    expect(traffic).toMatchObject({ Entered: 6, Exited: 4 });
  });

  it('have empty cells for a day on which the unit was silent, not nobody', async () => {
    const nobody = { entered_adults: 0, entered_kids: 0, exited_adults: 0, exited_kids: 0 };
    await world.server.deps.database.db
      .insertInto('day_traffic')
      .values({
        ...{
          workplace_id: world.fleet.firstBus.busId,
          day: '2026-01-20',
          ...nobody,
          heard: 0,
          heard_hours: 0,
        },
        ...{ entered_manual: 0, exited_manual: 0, revenue_kopecks: 0, no_price_milli: 0 },
        ...{ silent_hours: 18, closed: true },
      })
      .execute();
    const range = rangeOf({ from: '2026-01-20', to: '2026-01-20' });
    const [traffic] = await rowsOf(`/api/stat/passenger-traffic/export?${range}`);
    expect(traffic).toMatchObject({ Entered: null, 'Revenue, ₽': null, 'Silent hours': 18 });
  });
});
