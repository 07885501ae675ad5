// The series of a chart from the rows of a statistic.
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { addDays } from '@ridewatch/contract/day';
import { type DaySpan, type StatTick, ticksOf, weekdayOf } from '@ridewatch/contract/stat-ticks';
import type { findPassengerTraffic, TrafficRow } from '@ridewatch/contract/stats';
import type { AnswerOf } from '../../request.ts';
import { ALL_WEEKDAYS, type CountKey, countDays } from './filters.ts';
import { colourOf } from './palette.ts';

export type Traffic = AnswerOf<typeof findPassengerTraffic>;

/** A line of the chart. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly total: number;
  /** Of the compared range; undefined if nothing is compared. */
  readonly beforeTotal: number | undefined;
  readonly silentHours: number;
  /** By tick; 0 where the answer has no row, undefined in the future. */
  readonly values: readonly (number | undefined)[];
  /** Of the compared range, by the place of the tick; undefined after its end, empty if nothing is compared. */
  readonly before: readonly (number | undefined)[];
  /** Of both. */
  readonly greatest: number;
  /** By tick, hours. */
  readonly silence: readonly number[];
}

export interface Chart {
  readonly ticks: readonly DaySpan[];
  readonly tick: StatTick;
  /** The place of the tick that is not over; -1 if there is none. */
  readonly open: number;
  /** The largest first. */
  readonly series: readonly Series[];
  /** All series together, by tick. */
  readonly sums: readonly (number | undefined)[];
  /** Days of the range until today that have a chosen weekday. */
  readonly days: number;
  /** Those among them of which any chosen bus has records: means are of these. */
  readonly knownDays: number;
  /** Those among them before the first day at all of which a chosen bus has records. */
  readonly missingDays: number;
  /** Records of the compared range are still arriving. */
  readonly isBeforePartial: boolean;
}

interface ChartOptions {
  readonly key: CountKey;
  readonly today: string;
  readonly weekdays: readonly number[];
  /** The name of the series of the buses without a route. */
  readonly nameless: string;
  /** The compared range and its answer. */
  readonly compared?: { readonly span: DaySpan; readonly traffic: Traffic } | undefined;
}

/** Arranges the rows of an answer by series and tick. Days of weekdays that are not chosen are no ticks. */
export function chartOf(traffic: Traffic, span: DaySpan, options: ChartOptions): Chart {
  const { key, today, weekdays, nameless, compared } = options;
  const ticks = ticksWith(span, traffic.tick, weekdays);
  const isOver = ticks.map(({ dateFrom }) => dateFrom <= today);
  const own = figuresOf(traffic, ticks, key);
  // Ticks are compared by their place; an answer with too many rows has coarser ones. Nothing is compared with no data.
  const earlierTicks =
    compared?.traffic.tick === traffic.tick && compared.traffic.totals.days_with_data > 0
      ? ticksWith(compared.span, traffic.tick, weekdays)
      : undefined;
  const earlier = compared && earlierTicks && figuresOf(compared.traffic, earlierTicks, key);
  const none: Figures = { kopecks: [], silence: [], total: 0 };
  // The colour follows the name: a route keeps it from month to month, whichever is the largest.
  const series = traffic.series.map(({ id, name }, place): Series => {
    const { kopecks, silence, total } = own.get(String(id)) ?? none;
    const before = earlier && (earlier.get(String(id)) ?? none);
    return {
      id: String(id),
      // The server has one name for them in every language.
      name: id === UNGROUPED ? nameless : name,
      colour: colourOf(place),
      total: total / 100,
      beforeTotal: before && before.total / 100,
      greatest: greatestOf([...kopecks, ...(before?.kopecks ?? [])]) / 100,
      values: ticks.map((_, at) => (isOver[at] ? (kopecks[at] ?? 0) / 100 : undefined)),
      before: before
        ? ticks.map((_, at) => (earlierTicks?.[at] ? (before.kopecks[at] ?? 0) / 100 : undefined))
        : [],
      silence: ticks.map((_, at) => silence[at] ?? 0),
      silentHours: silence.reduce((sum, hours) => sum + hours, 0),
    };
  });
  series.sort((a, b) => b.total - a.total);
  return {
    ticks,
    tick: traffic.tick,
    open: ticks.findIndex(({ dateFrom, dateTo }) => dateFrom <= today && today <= dateTo),
    series,
    sums: ticks.map((_, at) => (isOver[at] ? sumAt(series, at) : undefined)),
    days: countChosenDays(span, today, weekdays),
    knownDays: traffic.totals.days_with_data,
    missingDays: countMissingDays(traffic, span, today, weekdays),
    isBeforePartial:
      !!compared && !!traffic.arriving && traffic.arriving.from <= compared.span.dateTo,
  };
}

function countMissingDays(
  { totals: { first_day: first } }: Traffic,
  span: DaySpan,
  today: string,
  weekdays: readonly number[],
): number {
  if (first === null || first > span.dateTo) return countChosenDays(span, today, weekdays);
  if (first <= span.dateFrom) return 0;
  return countChosenDays({ ...span, dateTo: addDays(first, -1) }, today, weekdays);
}

/** The sum of series at a tick, in kopecks inside: sums of floats would not be exact. */
export function sumAt(series: readonly Series[], at: number): number {
  return series.reduce((sum, { values }) => sum + Math.round((values[at] ?? 0) * 100), 0) / 100;
}

/** As `sumAt`, of the compared range. */
export function sumBeforeAt(series: readonly Series[], at: number): number {
  return series.reduce((sum, { before }) => sum + Math.round((before[at] ?? 0) * 100), 0) / 100;
}

/** The sum of the totals of series, exact. */
export function sumOf(series: readonly Series[]): number {
  return series.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100;
}

/** The change from a value to another, per cent; undefined where there was nothing before. */
export function changeOf(before: number | undefined, now: number): number | undefined {
  return before ? ((now - before) / before) * 100 : undefined;
}

/** The compared range as far as the own one has passed, so that a running month is compared with a part of one. */
export function passedPart(compared: DaySpan, span: DaySpan, today: string): DaySpan {
  if (span.dateTo <= today || span.dateFrom > today) return compared;
  const passed = countDays({ dateFrom: span.dateFrom, dateTo: today });
  const dateTo = addDays(compared.dateFrom, passed - 1);
  return dateTo < compared.dateTo ? { ...compared, dateTo } : compared;
}

interface Figures {
  /** Kopecks, or hundredths of people, by tick. */
  readonly kopecks: number[];
  readonly silence: number[];
  total: number;
}

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
    const figures = found.get(id) ?? { kopecks: [], silence: [], total: 0 };
    found.set(id, figures);
    const value = hundredths(row, key);
    figures.kopecks[at] = value;
    figures.silence[at] = row.silent_hours;
    figures.total += value;
  }
  return found;
}

// Ticks without a row are holes.
const greatestOf = (figures: readonly (number | undefined)[]): number =>
  figures.reduce<number>((most, one = 0) => Math.max(most, one), 0);

const hundredths = (row: TrafficRow, key: CountKey): number => Math.round(Number(row[key]) * 100);

function ticksWith(span: DaySpan, tick: StatTick, weekdays: readonly number[]): DaySpan[] {
  const ticks = ticksOf(span, tick);
  if (tick !== 'day' || weekdays.length === ALL_WEEKDAYS.length) return ticks;
  return ticks.filter(({ dateFrom }) => weekdays.includes(weekdayOf(dateFrom)));
}

function countChosenDays(
  { dateFrom, dateTo }: DaySpan,
  today: string,
  weekdays: readonly number[],
): number {
  if (dateFrom > today) return 0;
  const days = countDays({ dateFrom, dateTo: dateTo < today ? dateTo : today });
  const first = weekdayOf(dateFrom) - 1;
  const rest = Array.from({ length: days % 7 }, (_, at) => ((first + at) % 7) + 1);
  const chosen = rest.filter((day) => weekdays.includes(day)).length;
  return Math.floor(days / 7) * weekdays.length + chosen;
}
