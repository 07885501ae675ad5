// The ticks of statistics: which stretch of a period one mark of the chart is. Pure calendar arithmetic on local days, so
// that a day of 23 or 25 hours is one day.
import { addDays } from './day.ts';

/** The periods of the statistics page; `custom` is any other range. */
export const STAT_PERIODS = ['year', 'quarter', 'month', 'week', 'date', 'custom'] as const;
export type StatPeriod = (typeof STAT_PERIODS)[number];

/** From the finest to the coarsest. */
export const STAT_TICKS = ['day', 'month', 'year'] as const;
export type StatTick = (typeof STAT_TICKS)[number];

/** With more ticks the next coarser grouping is taken. */
export const MAX_TICKS = 400;
/** A custom range shorter than this is grouped by month, otherwise by year. */
const CUSTOM_MONTHS = 4;

/** A range of local days, both ends included, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly dateFrom: string;
  readonly dateTo: string;
}

/**
 * The period that a day belongs to; a week begins on Monday.
 * @param day `YYYY-MM-DD`
 */
export function spanOf(period: Exclude<StatPeriod, 'custom'>, day: string): DaySpan {
  if (period === 'date') return { dateFrom: day, dateTo: day };
  if (period === 'week') {
    const dateFrom = addDays(day, 1 - weekdayOf(day));
    return { dateFrom, dateTo: addDays(dateFrom, 6) };
  }
  const month = monthOf(day);
  const first = { year: 1, quarter: 3 * Math.floor((month - 1) / 3) + 1, month }[period];
  const months = { year: 12, quarter: 3, month: 1 }[period];
  const dateFrom = firstOfMonth(yearOf(day), first);
  return { dateFrom, dateTo: addDays(addMonths(dateFrom, months), -1) };
}

/** Names the period that a range is: a whole week, month, quarter or year, or one day; `custom` otherwise. */
export function periodOf({ dateFrom, dateTo }: DaySpan): StatPeriod {
  const known = (['date', 'week', 'month', 'quarter', 'year'] as const).find((period) => {
    const span = spanOf(period, dateFrom);
    return span.dateFrom === dateFrom && span.dateTo === dateTo;
  });
  return known ?? 'custom';
}

/**
 * The ticks by which the specification groups a range: days of a date, week and month; months of a quarter and year;
 * months of a custom range shorter than 4 months, otherwise years. A coarser one if there would be more than 400.
 * @param period the chosen one; the one that the range is unless given
 * @param wanted another grouping than the period's
 */
export function tickOf(
  span: DaySpan,
  period: StatPeriod = periodOf(span),
  wanted?: StatTick,
): StatTick {
  const own = wanted ?? usualTick(span, period);
  const coarser = STAT_TICKS.slice(STAT_TICKS.indexOf(own));
  return coarser.find((tick) => countTicks(span, tick) <= MAX_TICKS) ?? 'year';
}

function usualTick(span: DaySpan, period: StatPeriod): StatTick {
  if (period === 'date' || period === 'week' || period === 'month') return 'day';
  if (period === 'quarter' || period === 'year') return 'month';
  return span.dateTo < addDays(addMonths(span.dateFrom, CUSTOM_MONTHS), -1) ? 'month' : 'year';
}

function countTicks({ dateFrom, dateTo }: DaySpan, tick: StatTick): number {
  if (tick === 'day') return daysBetween(dateFrom, dateTo) + 1;
  const years = yearOf(dateTo) - yearOf(dateFrom);
  return tick === 'year' ? years + 1 : years * 12 + monthOf(dateTo) - monthOf(dateFrom) + 1;
}

/**
 * The ticks of a range, ascending: the days of each. The first and the last one end where the range does.
 * @throws RangeError when the range is reversed
 */
export function ticksOf({ dateFrom, dateTo }: DaySpan, tick: StatTick): DaySpan[] {
  if (dateTo < dateFrom) throw new RangeError(`${dateTo} is before ${dateFrom}`);
  const ticks: DaySpan[] = [];
  for (let from = dateFrom; from <= dateTo; ) {
    const next = tick === 'day' ? addDays(from, 1) : addDays(spanOf(tick, from).dateTo, 1);
    const last = addDays(next, -1);
    ticks.push({ dateFrom: from, dateTo: last < dateTo ? last : dateTo });
    from = next;
  }
  return ticks;
}

/** The range that another is compared with: the one before it, or the same one a year earlier. */
export type ComparedWith = 'before' | 'year';

/**
 * The range to compare with: the one just before, or the same one a year earlier. A whole month, quarter or year is
 * compared with a whole one, any other range with as many days. The ticks of both are compared by their place.
 * @returns undefined when it would begin before 2000, where days end
 */
export function comparedSpan(
  span: DaySpan,
  compared: ComparedWith,
  period: StatPeriod = periodOf(span),
): DaySpan | undefined {
  const found = compared === 'year' ? aYearBefore(span, period) : justBefore(span, period);
  return found.dateFrom < '2000-01-01' ? undefined : found;
}

function justBefore(span: DaySpan, period: StatPeriod): DaySpan {
  const { dateFrom, dateTo } = span;
  const last = addDays(dateFrom, -1);
  const isWhole = period !== 'custom' && periodOf(span) === period;
  if (isWhole) return spanOf(period, last);
  return { dateFrom: addDays(dateFrom, -(daysBetween(dateFrom, dateTo) + 1)), dateTo: last };
}

// A week or a day is compared with the same weekdays, 52 weeks earlier.
function aYearBefore(span: DaySpan, period: StatPeriod): DaySpan {
  const { dateFrom } = span;
  if (period === 'week' || period === 'date') {
    return { dateFrom: addDays(dateFrom, -364), dateTo: addDays(span.dateTo, -364) };
  }
  const isLastOfMonth = addDays(span.dateTo, 1).endsWith('-01');
  const to = addMonths(span.dateTo, -12);
  const dateTo = isLastOfMonth ? spanOf('month', to).dateTo : to;
  return { dateFrom: addMonths(dateFrom, -12), dateTo };
}

/** The weekday of a day, 1 = Monday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

// The same day of another month, or its last one.
function addMonths(day: string, months: number): string {
  const month = yearOf(day) * 12 + monthOf(day) - 1 + months;
  const [year, inYear] = [Math.floor(month / 12), (month % 12) + 1];
  const next = month + 1;
  const last = addDays(firstOfMonth(Math.floor(next / 12), (next % 12) + 1), -1);
  const same = `${firstOfMonth(year, inYear).slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
}

function firstOfMonth(year: number, month: number): string {
  return `${year}-${String(month).padStart(2, '0')}-01`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

const yearOf = (day: string): number => Number(day.slice(0, 4));
const monthOf = (day: string): number => Number(day.slice(5, 7));
