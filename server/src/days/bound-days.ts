// Local days of buses as rows of a query.
import { type RawBuilder, sql } from 'kysely';
import type { BusDay, DayOfBus } from './bus-days.ts';

/** A local day, or a part of one, in which the bus has one time zone. */
export interface ZonedDay extends BusDay {
  readonly zone: string;
}

/** Days as rows `bus (id, day, day_start, day_end)`. */
export function boundDays(days: readonly BusDay[]): RawBuilder<unknown> {
  return sql`unnest(${columnsOf(days)}) as bus (id, day, day_start, day_end)`;
}

/** Days or parts of them as rows `bus (id, day, day_start, day_end, zone)`. */
export function zonedDays(days: readonly ZonedDay[]): RawBuilder<unknown> {
  return sql`unnest(${columnsOf(days)}, ${days.map(({ zone }) => zone)}::text[])
    as bus (id, day, day_start, day_end, zone)`;
}

/** Local days of buses, each once, in the order in which everybody locks them: by bus, then by day. */
export function inLockOrder(days: Iterable<DayOfBus>): DayOfBus[] {
  const each = new Map([...days].map((one) => [`${one.busId} ${one.day}`, one]));
  return [...each.values()].sort((a, b) => a.busId - b.busId || (a.day < b.day ? -1 : 1));
}

/** Local days of buses as rows `asked (workplace_id, day)`, in their order. */
export function askedDays(days: readonly DayOfBus[]): RawBuilder<unknown> {
  return sql`unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
    as asked (workplace_id, day)`;
}

function columnsOf(days: readonly BusDay[]): RawBuilder<unknown> {
  return sql`${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
    ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
    ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[]`;
}
