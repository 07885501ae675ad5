// The filters of the statistics: how the address says them, and which call they make.
import { addDays } from '@ridewatch/contract/day';
import {
  type ComparedWith,
  type DaySpan,
  STAT_PERIODS,
  type StatPeriod,
  spanOf,
  tickOf,
} from '@ridewatch/contract/stat-ticks';
import { MAX_BUS_IDS, MAX_BUSES_OF_REPORT } from '@ridewatch/contract/stats';
import type { Search } from '../../address.ts';
import type { statsAddress } from './address.ts';

/** The figures that a chart can show. */
export const COUNT_KEYS = ['entered', 'exited', 'fare'] as const;
export type CountKey = (typeof COUNT_KEYS)[number];

export const ALL_WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
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
}

/** The values of the address, as text. */
type StatsSearch = Search<typeof statsAddress>;

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
  const ids = search.buses?.split('.').map(Number) ?? [];
  return {
    period,
    span: period === 'custom' ? customSpan(from, to, today) : spanOf(period, from ?? today),
    key: COUNT_KEYS.find((one) => one === search.key) ?? 'entered',
    by: search.by === 'bus' ? 'bus' : 'route',
    weekdays: weekdays.length > 0 ? weekdays : ALL_WEEKDAYS,
    buses: search.buses === 'all' ? 'all' : ids.filter((id) => Number.isSafeInteger(id) && id > 0),
    compared: (['before', 'year'] as const).find((one) => one === search.with),
  };
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

/** The address of filters. */
export function addressOfFilters(filters: Filters): StatsSearch {
  const { period, span, key, by, weekdays, buses, compared } = filters;
  return {
    period,
    from: span.dateFrom,
    ...(period === 'custom' && { to: span.dateTo }),
    key,
    by,
    ...(weekdays.length < ALL_WEEKDAYS.length && { days: weekdays.join('') }),
    buses: buses === 'all' ? 'all' : buses.join('.'),
    ...(compared && { with: compared }),
  };
}

/** The query of the call for filters, of their own days or of others. */
export function queryOfFilters({ period, by, weekdays, buses, span }: Filters, days = span) {
  return {
    ...days,
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
