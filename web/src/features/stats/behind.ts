// The page to which a press on a tick, or on a figure, leads.
import { type DaySpan, periodOf } from '@ridewatch/contract/stat-ticks';
import { type Filters, problemOf } from './filters.ts';

/** The day of a bus, or the statistics with other filters. */
type Behind =
  | { readonly kind: 'day'; readonly busId: string; readonly day: string }
  | { readonly kind: 'report'; readonly filters: Filters };

/**
 * Finds what is behind a tick: the day of a single bus; the buses of a route, or of a day; otherwise the same
 * statistics of the tick's days.
 * @param seriesId a bus or route of the chart; all of them unless given
 * @param busesOf the ids of a route's buses
 */
export function behindTick(
  filters: Filters,
  span: DaySpan,
  seriesId: string | undefined,
  busesOf: (routeId: string) => readonly number[],
): Behind {
  const { by, buses } = filters;
  const isDay = span.dateFrom === span.dateTo;
  const closer: Filters = { ...filters, span, period: periodOf(span) };
  if (by === 'bus') {
    const [only] = buses !== 'all' && buses.length === 1 ? buses : [];
    const busId = seriesId ?? only?.toString();
    if (busId === undefined) return { kind: 'report', filters: closer };
    if (isDay) return { kind: 'day', busId, day: span.dateFrom };
    return { kind: 'report', filters: { ...closer, buses: [Number(busId)] } };
  }
  if (seriesId !== undefined) {
    const chosen = buses === 'all' ? undefined : new Set(buses);
    const own = busesOf(seriesId).filter((id) => chosen?.has(id) ?? true);
    // Its buses may be on another route by now.
    if (own.length === 0) return { kind: 'report', filters: closer };
    return { kind: 'report', filters: { ...closer, by: 'bus', buses: own } };
  }
  const byBus: Filters = { ...closer, by: 'bus' };
  // More buses than a chart has lines stay together by route.
  const isPossible = isDay && problemOf(byBus) === undefined;
  return { kind: 'report', filters: isPossible ? byBus : closer };
}
