// The calculator of every bus and day. Amounts are exact: the database sums kopecks, and the formulas are those of the
// screens.

import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { hundredthsOf, resultOf, salaryOf } from '@ridewatch/contract/money';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { sql } from 'kysely';
import { isOfVisibleClient } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { isKnownDay } from '../../figures/day-figures.ts';
import { type DaysOfBuses, dayFiguresOf } from '../../figures/many-days.ts';
import type { Question } from '../question.ts';
import { headings } from '../words.ts';
import type { Column, Row } from '../writing/table.ts';
import { listLiveDays } from './live-days.ts';
import { listZoneParts, rangesOf, type ZonePart } from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

/** Days of a part. */
const PART_DAYS = 366;

const words = {
  basis: ['Расчёт', 'Calculation'],
  event: ['Считаются', 'Counted'],
  fare: ['Тариф, ₽', 'Fare, ₽'],
  count: ['Пассажиров', 'Passengers'],
  total: ['Выручка, ₽', 'Total, ₽'],
  percent: ['Зарплата, %', 'Salary, %'],
  salary: ['Зарплата, ₽', 'Salary, ₽'],
  correction: ['Безнал, ₽', 'Cashless, ₽'],
  result: ['К сдаче, ₽', 'Result, ₽'],
  noPrice: ['Без цены, чел.', 'No price, people'],
  shiftStart: ['Начало смены', 'Shift begins'],
  shiftEnd: ['Конец смены', 'Shift ends'],
  driver: ['Водитель', 'Driver'],
  handedIn: ['Сдано, ₽', 'Handed in, ₽'],
  difference: ['Разница, ₽', 'Difference, ₽'],
} as const satisfies Record<string, Words>;
const byFare: Words = ['по тарифу', 'by the fare'];
const byPrices: Words = ['по таблице цен', 'by the price table'];
const events: Readonly<Record<CalculationEvent, Words>> = {
  ENTERED: ['вошедшие', 'entered'],
  EXITED: ['вышедшие', 'exited'],
};

/** Rows of the calculator: the days of buses that have it. */
export function tariffCalc(question: Question): ReportRows {
  const { viewer, buses, parameters, language } = question;
  const { from, to } = parameters;
  const say = (text: Words): string => wordIn(language, text);
  const columns: Column[] = [
    { title: say(headings.bus), type: 'text' },
    { title: say(headings.day), type: 'day' },
    { title: say(headings.route), type: 'text' },
    { title: say(words.basis), type: 'text', width: 15 },
    { title: say(words.event), type: 'text', width: 13 },
    { title: say(words.fare), type: 'money' },
    { title: say(words.count), type: 'integer' },
    { title: say(words.total), type: 'money' },
    { title: say(words.percent), type: 'percent' },
    { title: say(words.salary), type: 'money' },
    { title: say(words.correction), type: 'money', width: 16 },
    { title: say(words.result), type: 'money' },
    { title: say(words.noPrice), type: 'decimal', width: 14 },
    { title: say(words.shiftStart), type: 'moment' },
    { title: say(words.shiftEnd), type: 'moment' },
    { title: say(words.driver), type: 'text' },
    { title: say(words.handedIn), type: 'money' },
    { title: say(words.difference), type: 'money' },
    { title: say(headings.zone), type: 'text', width: 18 },
  ];
  return {
    columns,
    count: async (db, most) => {
      const { rows } = await sql<{ days: number }>`
        select count(*)::int as days from (
          select from calculations where workplace_id = any(${buses.map(({ id }) => id)}::bigint[])
            and day between ${from}::date and ${to}::date limit ${most}) as counted`.execute(db);
      return rows[0]?.days ?? 0;
    },
    read: (db, onShare) =>
      oneByOne(buses, onShare, async function* ({ id, name, days: own }) {
        if (!(await hasCalculator(db, id))) return;
        for (const part of await listZoneParts(db, { id, days: own })) {
          for (const range of rangesOf({ from: part.fromDay, to: part.toDay }, PART_DAYS)) {
            const days = await readDays(db, viewer, { busIds: [id], ...range }, part);
            yield days.map((day) => [...rowOf(name, day, say), part.zone]);
          }
        }
      }),
  };
}

async function hasCalculator(db: Db, busId: number): Promise<boolean> {
  const bus = await db
    .selectFrom('workplaces')
    .select('bus_calculation')
    .where('id', '=', busId)
    .executeTakeFirst();
  return bus?.bus_calculation === true;
}

/** A day with the values of its calculation, or those that it would copy. Amounts in kopecks. */
interface Day {
  readonly day: string;
  readonly route: string | null;
  readonly event: CalculationEvent;
  readonly byPrices: boolean;
  /** Whether the unit said anything: without a record its figures are not known. */
  readonly isKnown: boolean;
  readonly fare: number;
  /** `18.50` */
  readonly percent: string;
  readonly cashless: number;
  readonly count: number;
  readonly total: number;
  readonly noPriceMilli: number;
  /** Local wall times, ms since 1970 as if UTC. */
  readonly shiftStartMs: number | null;
  readonly shiftEndMs: number | null;
  readonly driver: string | null;
  readonly handedIn: number | null;
}

function rowOf(bus: string, one: Day, say: (text: Words) => string): Row {
  const hundredths = hundredthsOf(one.percent);
  const salary = salaryOf(one.total, hundredths);
  const result = resultOf(one.total, salary, one.cashless);
  const known = (figure: number): number | null => (one.isKnown ? figure : null);
  return [
    ...[bus, one.day, one.route, say(one.byPrices ? byPrices : byFare), say(events[one.event])],
    // The price table leaves the fare unused.
    ...[one.byPrices ? null : one.fare, known(one.count), known(one.total), hundredths / 100],
    ...[known(salary), one.cashless, known(result)],
    known(Math.round(one.noPriceMilli / 10) / 100),
    ...[one.shiftStartMs, one.shiftEndMs, one.driver, one.handedIn],
    one.handedIn === null ? null : known(one.handedIn - result),
  ];
}

// A day without passengers is left out unless it has a calculation of its own.
async function readDays(
  db: Db,
  viewer: Viewer,
  span: DaysOfBuses,
  { zone }: ZonePart,
): Promise<Day[]> {
  const live = await listLiveDays(db, span);
  const wall = (column: string) =>
    sql`(extract(epoch from ${sql.ref(column)} at time zone ${zone}::text) * 1000)::float8`;
  const { rows } = await sql<Day>`
    select figures.day, route_groups.name as route, coalesce(calc.calculation_event, 'ENTERED') as event,
      by_laps as "byPrices",
      coalesce(fare_kopecks, 0) as fare, coalesce(salary_percent, 0)::text as percent,
      case when own then cashless_kopecks else 0 end as cashless,
      case when calc.calculation_event = 'EXITED' then exited_adults + exited_kids
        else entered_adults + entered_kids end as count,
      ${isKnownDay} as "isKnown",
      revenue_kopecks as total, no_price_milli as "noPriceMilli",
      case when own then ${wall('shift_start')} end as "shiftStartMs",
      case when own then ${wall('shift_end')} end as "shiftEndMs",
      case when own then driver end as driver, case when own then handed_in_kopecks end as "handedIn"
    from (${dayFiguresOf(span, live)}) as figures
    left join route_groups on route_groups.id = figures.group_id
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    left join lateral (
      select latest.*, latest.day = figures.day as own from calculations as latest
      where latest.workplace_id = figures.workplace_id and latest.day <= figures.day
      order by latest.day desc limit 1) as calc on true
    where own or entered_adults + entered_kids <> 0 or exited_adults + exited_kids <> 0
      or revenue_kopecks <> 0
    order by figures.day`.execute(db);
  return rows;
}
