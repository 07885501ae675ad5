// The filters of the statistics: how the address says them, and which call they make.
import { addDays, countDays } from '@ridewatch/contract/day';
import { MAX_BUS_IDS, MAX_BUSES_OF_REPORT, MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import {
  type ComparedWith,
  type DaySpan,
  STAT_PERIODS,
  type StatPeriod,
  spanOf,
  tickOf,
} from '@ridewatch/contract/stat-ticks';
import { idsText } from '../../buses/ids-text.ts';
import type { statsAddress } from './address.ts';
import { idsOf } from './bus-ids.ts';

/** The figures that a chart can show. */
export const COUNT_KEYS = ['entered', 'exited', 'fare'] as const;
export type CountKey = (typeof COUNT_KEYS)[number];

export const ALL_WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const WORKDAYS = [1, 2, 3, 4, 5] as const;
const DAY = /^2\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

export interface Filters {
  readonly period: StatPeriod;
  readonly span: DaySpan;
  readonly key: CountKey;
  readonly by: 'bus' | 'route';
  /** 1 = Monday; never empty. */
  readonly weekdays: readonly number[];
  readonly buses: 'all' | readonly number[];
  readonly compared: ComparedWith | undefined;
  /** The running day counts, until now. */
  readonly isUntilNow: boolean;
}

/** The values of the address, as text. */
type StatsSearch = { readonly [Key in keyof typeof statsAddress]?: string | undefined };

/** Whether a text is a day of the calendar, from 2000 on. */
function isDay(text: string | undefined): text is string {
  if (text === undefined || !DAY.test(text)) return false;
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

/** Reads the filters of an address; what it leaves out or misspells gets its usual value. */
export function readFilters(search: StatsSearch, today: string): Filters {
  const period = STAT_PERIODS.find((one) => one === search.period) ?? 'month';
  const from = isDay(search.from) ? search.from : undefined;
  const to = isDay(search.to) ? search.to : undefined;
  const weekdays = ALL_WEEKDAYS.filter((day) => search.days?.includes(String(day)) ?? true);
  const span = period === 'custom' ? customSpan(from, to, today) : spanOf(period, from ?? today);
  return {
    period,
    span,
    key: COUNT_KEYS.find((one) => one === search.key) ?? 'entered',
    by: search.by === 'bus' ? 'bus' : 'route',
    weekdays: weekdays.length > 0 ? weekdays : ALL_WEEKDAYS,
    buses: search.buses === 'all' ? 'all' : idsOf(search.buses ?? ''),
    compared: (['before', 'year'] as const).find((one) => one === search.with),
    isUntilNow: search.until === 'now',
  };
}

/** The filters of the first visit: all buses, compared with the month before. */
export function firstFilters(today: string): Filters {
  return { ...readFilters({}, today), buses: 'all', compared: 'before' };
}

/**
 * The range of the picker of own days: a missing end is the start plus one day, a missing start the end minus one day
 * (spec section 5). A reversed range is turned round.
 */
export function customSpan(
  from: string | undefined,
  to: string | undefined,
  today: string,
): DaySpan {
  const start = from ?? (to === undefined ? today : addDays(to, -1));
  const end = to ?? addDays(start, 1);
  return start <= end ? { dateFrom: start, dateTo: end } : { dateFrom: end, dateTo: start };
}

/** The days of a chosen end of an own range; another end that lies on the wrong side counts as missing. */
export function spanWithEnd(
  { dateFrom, dateTo }: DaySpan,
  end: Partial<DaySpan>,
  today: string,
): DaySpan {
  const from = end.dateFrom ?? dateFrom;
  const to = end.dateTo ?? dateTo;
  if (from <= to) return { dateFrom: from, dateTo: to };
  return customSpan(end.dateFrom, end.dateTo, today);
}

/** The same kind of period before or after; an own range moves by its length. */
export function movedSpan({ period, span }: Filters, by: 1 | -1): DaySpan {
  const { dateFrom, dateTo } = span;
  if (period !== 'custom') return spanOf(period, addDays(by === 1 ? dateTo : dateFrom, by));
  const days = by * countDays(dateFrom, dateTo);
  return { dateFrom: addDays(dateFrom, days), dateTo: addDays(dateTo, days) };
}

/** The address of filters. */
export function addressOfFilters(filters: Filters): StatsSearch {
  const { period, span, key, by, weekdays, buses, compared, isUntilNow } = filters;
  return {
    period,
    from: span.dateFrom,
    ...(period === 'custom' && { to: span.dateTo }),
    key,
    by,
    ...(weekdays.length < ALL_WEEKDAYS.length && { days: weekdays.join('') }),
    buses: buses === 'all' ? 'all' : idsText(buses),
    ...(compared && { with: compared }),
    ...(isUntilNow && { until: 'now' }),
  };
}

/** Whether days that run count: where the user asks for it, and in a range that has no other days. */
export function countsUntilNow({ isUntilNow, span }: Filters, today: string): boolean {
  return isUntilNow || span.dateFrom >= today;
}

/** The query of the call for filters, of their own days or of others that are compared with them. */
export function queryOfFilters(filters: Filters, today: string, days = filters.span) {
  const { period, by, weekdays, buses, span } = filters;
  return {
    ...days,
    ...(countsUntilNow(filters, today) && { until: 'now' as const }),
    ...(days !== span && { comparedFrom: span.dateFrom, comparedTo: span.dateTo }),
    groupby: by,
    tick: tickOf(span, period),
    ...(weekdays.length < ALL_WEEKDAYS.length && { dayOfWeek: weekdays.map(String) }),
    ...(buses !== 'all' && { workplaces: buses.map(String) }),
  };
}

/** The most buses that may be chosen one by one for a grouping. All buses have no limit. */
export function busLimit(by: Filters['by']): number {
  return by === 'bus' ? MAX_BUSES_OF_REPORT : MAX_BUS_IDS;
}

/** Why no report can be made. */
export type FilterProblem = 'noBuses' | 'tooManyBuses' | 'tooManyDays';

/** Why no report can be made of filters; undefined if one can. */
export function problemOf({ buses, by, span }: Filters): FilterProblem | undefined {
  if (countDays(span.dateFrom, span.dateTo) > MAX_STAT_DAYS) return 'tooManyDays';
  if (buses === 'all') return undefined;
  if (buses.length === 0) return 'noBuses';
  return buses.length > busLimit(by) ? 'tooManyBuses' : undefined;
}
