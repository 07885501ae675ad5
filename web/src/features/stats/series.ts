// The series of a chart from the rows of a statistic.
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { addDays, countDays } from '@ridewatch/contract/day';
import { type DaySpan, type StatTick, ticksOf, weekdayOf } from '@ridewatch/contract/stat-ticks';
import type { findPassengerTraffic } from '@ridewatch/contract/stats';
import type { AnswerOf } from '../../calls/request.ts';
import { ALL_WEEKDAYS, type CountKey } from './filters.ts';
import { colourOf } from './palette.ts';

export type Traffic = AnswerOf<typeof findPassengerTraffic>;

/** A line of the chart. Values are of the count key, undefined where there are no records. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  /** Of days that count: those that are over, or all until now. */
  readonly total: number;
  /** Of the compared range; undefined if nothing is compared. */
  readonly beforeTotal: number | undefined;
  /** Of days that are over, and of how many. */
  readonly overTotal: number;
  readonly days: number;
  /** Of hours with records among all that were due; undefined if none were. */
  readonly completeness: number | undefined;
  readonly silentHours: number;
  /** By tick, also of days that run. */
  readonly values: readonly (number | undefined)[];
  /** By tick, of days that count. */
  readonly counted: readonly (number | undefined)[];
  /** Of the compared range, by the place of the tick; empty if nothing is compared. */
  readonly before: readonly (number | undefined)[];
  /** The place of the first tick with a day that runs; the number of ticks if there is none. */
  readonly runsFrom: number;
  /** Of values and those before. */
  readonly greatest: number;
  /** By tick, hours. */
  readonly silence: readonly number[];
}

export interface Chart {
  readonly ticks: readonly DaySpan[];
  readonly tick: StatTick;
  /** As of a series, of all. */
  readonly runsFrom: number;
  /** The largest first. */
  readonly series: readonly Series[];
  /** All series together, by tick, as `values` and `counted` of a series. */
  readonly sums: readonly (number | undefined)[];
  readonly countedSums: readonly (number | undefined)[];
  /** The sums of days that are over. */
  readonly overSums: readonly (number | undefined)[];
  /** Days of the range that are over and have a chosen weekday. */
  readonly days: number;
  /** The days among them of which any chosen bus has records: means are of these. */
  readonly knownDays: number;
  readonly today: string;
  /** Records of the compared range are still arriving. */
  readonly isBeforePartial: boolean;
}

interface ChartOptions {
  readonly key: CountKey;
  readonly today: string;
  readonly weekdays: readonly number[];
  /** Days that run count until now. */
  readonly isUntilNow: boolean;
  /** The name of the series of the buses without a route. */
  readonly nameless: string;
  /** The compared range and its answer. */
  readonly compared?: { readonly span: DaySpan; readonly traffic: Traffic } | undefined;
  /** The place of each route or bus among all that the user sees, by id: its colour is the same in every report. */
  readonly places?: ReadonlyMap<string, number> | undefined;
}

/** Arranges the rows of an answer by series and tick. Days of weekdays that are not chosen are no ticks. */
export function chartOf(traffic: Traffic, span: DaySpan, options: ChartOptions): Chart {
  const { key, today, weekdays, isUntilNow, nameless, compared, places } = options;
  const ticks = ticksWith(span, traffic.tick, weekdays);
  const own = figuresOf(traffic, ticks, key);
  // Ticks are compared by their place; an answer with too many rows has coarser ones. Nothing is compared with no data.
  const earlier =
    compared?.traffic.tick === traffic.tick && compared.traffic.items.length > 0
      ? figuresOf(compared.traffic, ticksWith(compared.span, traffic.tick, weekdays), key)
      : undefined;
  // A route or bus that the user sees no more has a colour after all others.
  const placeOf = (id: string, at: number): number => places?.get(id) ?? (places?.size ?? 0) + at;
  const found = traffic.series.map(({ id, name, missing_hours }, place) => {
    const figures = own.get(String(id)) ?? noFigures();
    const before = earlier && (earlier.get(String(id)) ?? noFigures());
    const { over, running, heardHours, silence } = figures;
    const silentHours = silence.reduce<number>((sum, hours = 0) => sum + hours, 0);
    const due = heardHours + silentHours + missing_hours;
    const values = ticks.map((_, at) => added(over[at], running[at]));
    const counted = isUntilNow ? values : ticks.map((_, at) => over[at]);
    const beforeValues = before
      ? ticks.map((_, at) => added(before.over[at], before.running[at]))
      : [];
    const runsFrom = ticks.findIndex((_, at) => running[at] !== undefined);
    return {
      id: String(id),
      // The server has one name for them in every language.
      name: id === UNGROUPED ? nameless : name,
      colour: colourOf(placeOf(String(id), place)),
      total: sumOfKopecks(counted) / 100,
      beforeTotal: before && sumOfKopecks(beforeValues) / 100,
      overTotal: sumOfKopecks(over) / 100,
      over,
      days: figures.days,
      completeness: due > 0 ? heardHours / due : undefined,
      greatest: Math.max(0, ...[...values, ...beforeValues].map((one = 0) => one)) / 100,
      values: values.map(inUnits),
      counted: counted.map(inUnits),
      before: beforeValues.map(inUnits),
      runsFrom: runsFrom < 0 ? ticks.length : runsFrom,
      silence: ticks.map((_, at) => silence[at] ?? 0),
      silentHours,
    };
  });
  const series = found.toSorted((a, b) => b.total - a.total);
  return {
    ticks,
    tick: traffic.tick,
    runsFrom: series.reduce((first, one) => Math.min(first, one.runsFrom), ticks.length),
    series,
    sums: ticks.map((_, at) => sumAt(series, at)),
    countedSums: ticks.map((_, at) => sumAt(series, at, 'counted')),
    overSums: ticks.map((_, at) =>
      inUnits(series.reduce<number | undefined>((sum, one) => added(sum, one.over[at]), undefined)),
    ),
    days: countChosenDays(span, addDays(today, -1), weekdays),
    knownDays: traffic.totals.days_with_data,
    today,
    isBeforePartial:
      !!compared && !!traffic.arriving && traffic.arriving.from <= compared.span.dateTo,
  };
}

/**
 * The sum of series at a tick, in kopecks inside: sums of floats would not be exact.
 * @returns undefined where none has records
 */
export function sumAt(
  series: readonly Series[],
  at: number,
  of: 'values' | 'counted' | 'before' = 'values',
): number | undefined {
  return inUnits(
    series.reduce<number | undefined>((sum, one) => {
      const value = one[of][at];
      return added(sum, value === undefined ? undefined : Math.round(value * 100));
    }, undefined),
  );
}

/** The sum of the totals of days that are over, exact. */
export function overSumOf(series: readonly Series[]): number {
  return series.reduce((sum, { overTotal }) => sum + Math.round(overTotal * 100), 0) / 100;
}

/** The sum of the totals of series, exact. */
export function sumOf(series: readonly Series[]): number {
  return series.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100;
}

/** The change from a value to another, per cent; undefined where there was nothing before. */
export function changeOf(before: number | undefined, now: number): number | undefined {
  return before ? ((now - before) / before) * 100 : undefined;
}

/**
 * The compared range as far as the own one has passed, so that a running month is compared with a part of one.
 * @param last the last day that counts
 */
export function passedPart(compared: DaySpan, span: DaySpan, last: string): DaySpan {
  if (span.dateTo <= last || span.dateFrom > last) return compared;
  const passed = countDays(span.dateFrom, last);
  const dateTo = addDays(compared.dateFrom, passed - 1);
  return dateTo < compared.dateTo ? { ...compared, dateTo } : compared;
}

/** The figures of one series by tick, in kopecks or hundredths of people. */
interface Figures {
  readonly over: (number | undefined)[];
  readonly running: (number | undefined)[];
  readonly silence: (number | undefined)[];
  days: number;
  heardHours: number;
}

const noFigures = (): Figures => ({ over: [], running: [], silence: [], days: 0, heardHours: 0 });

function figuresOf(
  { items }: Traffic,
  ticks: readonly DaySpan[],
  key: CountKey,
): Map<string, Figures> {
  const places = new Map(ticks.map(({ dateFrom }, at) => [dateFrom, at]));
  const found = new Map<string, Figures>();
  for (const row of items) {
    const at = places.get(row.start_time);
    if (at === undefined) continue;
    const id = String(row.id);
    const figures = found.get(id) ?? noFigures();
    found.set(id, figures);
    const value = Math.round(Number(row[key]) * 100);
    if (row.running) {
      figures.running[at] = value;
      continue;
    }
    // Silent hours alone are no records.
    if (row.days > 0 || value !== 0) figures.over[at] = value;
    figures.silence[at] = row.silent_hours;
    figures.days += row.days;
    figures.heardHours += row.heard_hours;
  }
  return found;
}

const added = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : one + (other ?? 0);
const inUnits = (kopecks: number | undefined): number | undefined =>
  kopecks === undefined ? undefined : kopecks / 100;
const sumOfKopecks = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((sum, one = 0) => sum + one, 0);

function ticksWith(span: DaySpan, tick: StatTick, weekdays: readonly number[]): DaySpan[] {
  const ticks = ticksOf(span, tick);
  if (tick !== 'day' || weekdays.length === ALL_WEEKDAYS.length) return ticks;
  return ticks.filter(({ dateFrom }) => weekdays.includes(weekdayOf(dateFrom)));
}

function countChosenDays(
  { dateFrom, dateTo }: DaySpan,
  last: string,
  weekdays: readonly number[],
): number {
  if (dateFrom > last) return 0;
  const days = countDays(dateFrom, dateTo < last ? dateTo : last);
  const first = weekdayOf(dateFrom) - 1;
  const rest = Array.from({ length: days % 7 }, (_, at) => ((first + at) % 7) + 1);
  const chosen = rest.filter((day) => weekdays.includes(day)).length;
  return Math.floor(days / 7) * weekdays.length + chosen;
}
