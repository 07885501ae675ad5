// Passenger traffic: people and revenue of buses or routes by day, month or year, as in the statistics.

import { type DaySpan, tickOf, ticksOf } from '@ridewatch/contract/stat-ticks';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { sql } from 'kysely';
import { isOwnDay, knownRoute } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { earliestDayAt, localDayAt } from '../../days/bus-settings.ts';
import { dayFiguresOf } from '../../figures/many-days.ts';
import type { ParametersOf, Question } from '../question.ts';
import { headings } from '../words.ts';
import type { Column, Row } from '../writing/table.ts';
import { listLiveDays } from './live-days.ts';
import { PART_ROWS } from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

const words = {
  from: ['С', 'From'],
  to: ['По', 'To'],
  enteredAdults: ['Вошло взрослых', 'Entered, adults'],
  enteredKids: ['Вошло детей', 'Entered, children'],
  exitedAdults: ['Вышло взрослых', 'Exited, adults'],
  exitedKids: ['Вышло детей', 'Exited, children'],
  enteredByCounter: ['Вошло по счётчику', 'Entered by the counter'],
  exitedByCounter: ['Вышло по счётчику', 'Exited by the counter'],
  revenue: ['Выручка, ₽', 'Revenue, ₽'],
  noPrice: ['Без цены, чел.', 'No price, people'],
  silent: ['Часов без связи', 'Silent hours'],
  noRoute: ['Без маршрута', 'No route'],
  running: ['Дней не окончено', 'Days not over'],
} as const satisfies Record<string, Words>;

/** Rows of passenger traffic: those with anybody in them. */
export function passengerTraffic(
  { viewer, buses, language, nowMs }: Question,
  parameters: ParametersOf<'passenger-traffic'>,
): ReportRows {
  const { from, to, groupby } = parameters;
  const say = (text: Words): string => wordIn(language, text);
  const range = { dateFrom: from, dateTo: to };
  const tick = parameters.tick ?? tickOf(range);
  const counts = [
    ...[headings.entered, words.enteredAdults, words.enteredKids],
    ...[headings.exited, words.exitedAdults, words.exitedKids],
    ...[words.enteredByCounter, words.exitedByCounter],
  ];
  const columns: Column[] = [
    { title: say(words.from), type: 'day' },
    { title: say(words.to), type: 'day' },
    { title: say(groupby === 'bus' ? headings.bus : headings.route), type: 'text' },
    ...counts.map((title): Column => ({ title: say(title), type: 'integer', width: 13 })),
    { title: say(words.revenue), type: 'money' },
    { title: say(words.noPrice), type: 'decimal', width: 14 },
    { title: say(words.silent), type: 'integer', width: 14 },
    { title: say(words.running), type: 'integer', width: 14 },
  ];
  const ticks = ticksOf(range, tick);
  // By route there are never more series than buses.
  const series = Math.max(1, buses.length);
  const busIds = buses.map(({ id }) => id);
  const noRoute = say(words.noRoute);
  return {
    columns,
    count: async (_db, most) => Math.min(most, ticks.length * series),
    read: (db, onShare) =>
      oneByOne(
        partsOfTicks(ticks, Math.max(1, Math.floor(PART_ROWS / series))),
        onShare,
        async function* (part) {
          const sums = await readSums(db, { viewer, busIds, nowMs }, part, parameters);
          yield sums.map((sum) => rowOf(sum, noRoute));
        },
      ),
  };
}

function partsOfTicks(ticks: readonly DaySpan[], most: number): (readonly DaySpan[])[] {
  return Array.from({ length: Math.ceil(ticks.length / most) }, (_, part) =>
    ticks.slice(part * most, (part + 1) * most),
  );
}

/** A bus or route at a tick. */
interface Sum {
  readonly start: string;
  readonly end: string;
  readonly name: string | null;
  readonly enteredAdults: number;
  readonly enteredKids: number;
  readonly exitedAdults: number;
  readonly exitedKids: number;
  readonly enteredManual: number;
  readonly exitedManual: number;
  readonly revenueKopecks: number;
  readonly noPriceMilli: number;
  readonly heardHours: number;
  readonly silentHours: number;
  /** Days of buses that were not over when the report was asked for. */
  readonly running: number;
}

function rowOf(sum: Sum, noRoute: string): Row {
  const running = sum.running > 0 ? sum.running : null;
  // Silent hours alone are no records, and no records are not nobody.
  if (sum.heardHours === 0 && PEOPLE.every((key) => sum[key] === 0) && sum.revenueKopecks === 0) {
    const nothing = Array.from({ length: 10 }, () => null);
    return [sum.start, sum.end, sum.name ?? noRoute, ...nothing, sum.silentHours, running];
  }
  const entered = sum.enteredAdults + sum.enteredKids;
  const exited = sum.exitedAdults + sum.exitedKids;
  return [
    ...[sum.start, sum.end, sum.name ?? noRoute],
    ...[entered, sum.enteredAdults, sum.enteredKids, exited, sum.exitedAdults, sum.exitedKids],
    ...[entered - sum.enteredManual, exited - sum.exitedManual],
    ...[sum.revenueKopecks, Math.round(sum.noPriceMilli / 10) / 100, sum.silentHours],
    running,
  ];
}

const PEOPLE = ['enteredAdults', 'enteredKids', 'exitedAdults', 'exitedKids'] as const;

async function readSums(
  db: Db,
  { viewer, busIds, nowMs }: { viewer: Viewer; busIds: readonly number[]; nowMs: number },
  ticks: readonly DaySpan[],
  { groupby, dayOfWeek }: ParametersOf<'passenger-traffic'>,
): Promise<Sum[]> {
  const [from, to] = [ticks[0]?.dateFrom ?? '', ticks.at(-1)?.dateTo ?? ''];
  const span = { busIds, from, to };
  const live = await listLiveDays(db, span);
  const isWeekday =
    dayOfWeek === undefined
      ? sql`true`
      : sql`extract(isodow from day) = any(${[...dayOfWeek]}::int[])`;
  const [table, key] =
    groupby === 'bus'
      ? ['workplaces', sql.ref('workplace_id')]
      : ['route_groups', knownRoute(viewer, sql.ref('group_id'))];
  const busId = sql<number>`figures.workplace_id`;
  // The zone is read for the newest days only.
  const isRunning = sql`day >= ${earliestDayAt(nowMs)}::date and day >= ${localDayAt(busId, nowMs)}`;
  const sumOf = (column: string) => sql`sum(${sql.ref(column)})::bigint`;
  const { rows } = await sql<Sum>`
    select start, "end", series.name, sums.*
    from (
      select tick.start, tick.end, ${key} as id,
        ${sumOf('entered_adults')} as "enteredAdults", ${sumOf('entered_kids')} as "enteredKids",
        ${sumOf('exited_adults')} as "exitedAdults", ${sumOf('exited_kids')} as "exitedKids",
        ${sumOf('entered_manual')} as "enteredManual", ${sumOf('exited_manual')} as "exitedManual",
        ${sumOf('revenue_kopecks')} as "revenueKopecks", ${sumOf('no_price_milli')} as "noPriceMilli",
        ${sumOf('heard_hours')} as "heardHours", ${sumOf('silent_hours')} as "silentHours",
        count(*) filter (where ${isRunning})::int as running
      from (${dayFiguresOf(span, live)}) as figures
      join unnest(${ticks.map(({ dateFrom }) => dateFrom)}::date[],
        ${ticks.map(({ dateTo }) => dateTo)}::date[]) as tick (start, "end")
        on day between tick.start and tick.end
      where ${isWeekday}
        and ${isOwnDay(viewer, sql.ref('figures.workplace_id'), sql.ref('figures.day'))}
      group by 1, 2, 3) as sums
    left join ${sql.table(table)} as series on series.id = sums.id
    where ("enteredAdults", "enteredKids", "exitedAdults", "exitedKids", "revenueKopecks",
      "noPriceMilli", "silentHours") <> (0, 0, 0, 0, 0, 0, 0)
    order by start, series.name collate natural_ru nulls first, sums.id`.execute(db);
  return rows;
}
