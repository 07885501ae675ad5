// The rollup of effective counts by unit and local hour, updated in the transaction that changes anything they depend on
// (rebuild-hours.ts).
import { hoursOf } from '@ridewatch/contract/hours';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { createDayFinder, type LocalDay, type ZoneSpan } from '../days/bus-days.ts';
import type { BoardingEvent } from './effective.ts';
import { isInShift, NO_SHIFTS, type Shifts } from './shifts.ts';

/** People of an hour, in the order of the columns of hourly_traffic. */
const PEOPLE = {
  entered_adults: 'enteredAdults',
  entered_kids: 'enteredKids',
  exited_adults: 'exitedAdults',
  exited_kids: 'exitedKids',
  entered_manual: 'enteredManual',
  exited_manual: 'exitedManual',
  entered_outside: 'enteredOutside',
  exited_outside: 'exitedOutside',
} as const;

/** People who got on and off within an hour, as a unit and manual counts have them. */
export interface HourPeople {
  /** Effective counts within the shift; negative where manual counts remove more than were counted in the hour. */
  enteredAdults: number;
  enteredKids: number;
  exitedAdults: number;
  exitedKids: number;
  /** People whom manual counts add to them; negative where they remove people. */
  enteredManual: number;
  exitedManual: number;
  /** Effective counts outside the shift, which are in no other figure. */
  enteredOutside: number;
  exitedOutside: number;
}

/** People of one unit within an hour. */
export interface HourSum extends HourPeople {
  /** ms since 1970 UTC */
  readonly hourMs: number;
  readonly unitId: number;
}

/** Nobody. */
export const NO_PEOPLE: Readonly<HourPeople> = {
  ...{ enteredAdults: 0, enteredKids: 0, exitedAdults: 0, exitedKids: 0 },
  ...{ enteredManual: 0, exitedManual: 0, enteredOutside: 0, exitedOutside: 0 },
};

/**
 * Sums events by unit and by the hours of the bus's clock.
 * @param shifts of the days of the events
 * @returns the hours that have any, ascending: all transactions lock hours in this order
 */
export function sumHours(
  events: Iterable<BoardingEvent>,
  zones: readonly ZoneSpan[],
  shifts: Shifts = NO_SHIFTS,
): HourSum[] {
  const localDay = createDayFinder(zones);
  const sums = new Map<string, HourSum>();
  let lastDay: LocalDay | undefined;
  let hours: readonly number[] = [];
  for (const event of events) {
    const { timeMs, unitId } = event;
    const local = localDay(timeMs);
    if (local !== lastDay) hours = hoursOf(local, local.zone);
    lastDay = local;
    const hourMs = hours.findLast((startMs) => startMs <= timeMs) ?? local.startMs;
    const key = `${hourMs} ${unitId}`;
    const sum = sums.get(key) ?? { hourMs, unitId, ...NO_PEOPLE };
    addTo(sum, event, isInShift(shifts, local.day, timeMs));
    sums.set(key, sum);
  }
  return [...sums.values()].filter(hasPeople).sort(byHour);
}

function addTo(
  sum: HourSum,
  { direction, adult, kids, isManual }: BoardingEvent,
  isInside: boolean,
): void {
  if (!isInside) {
    sum[`${direction}Outside`] += adult + kids;
    return;
  }
  sum[`${direction}Adults`] += adult;
  sum[`${direction}Kids`] += kids;
  if (isManual) sum[`${direction}Manual`] += adult + kids;
}

function byHour(a: HourSum, b: HourSum): number {
  return a.hourMs - b.hourMs || a.unitId - b.unitId;
}

function hasPeople(sum: HourSum): boolean {
  return Object.values(PEOPLE).some((name) => sum[name] !== 0);
}

/** Adds to the rollup. @param hours ascending */
export async function addHours(tx: Tx, busId: number, hours: readonly HourSum[]): Promise<void> {
  if (hours.length === 0) return;
  const sums = eachColumn((column) => sql`${column} = kept.${column} + excluded.${column}`);
  await sql`
    insert into hourly_traffic as kept (workplace_id, hour_start, unit_id, ${hourPeople})
    select ${busId}::bigint, hours.* from ${hourRows(hours)} as hours
    on conflict (workplace_id, hour_start, unit_id) do update set ${sums}`.execute(tx);
}

/** Writes the columns of people of hourly_traffic in a list. */
export function eachColumn(
  write: (column: RawBuilder<unknown>, field: keyof HourPeople) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(Object.entries(PEOPLE).map(([name, field]) => write(sql.ref(name), field)));
}

/** The columns of people of hourly_traffic. */
export const hourPeople = eachColumn((column) => column);

/** The hours as a subquery with the columns of hourly_traffic, without the bus. */
export function hourRows(hours: readonly HourSum[]): RawBuilder<unknown> {
  const sums = Object.values(PEOPLE).map((name) => sql`${hours.map((sum) => sum[name])}::int[]`);
  return sql`(
    select * from unnest(${hours.map(({ hourMs }) => new Date(hourMs))}::timestamptz[],
      ${hours.map(({ unitId }) => unitId)}::bigint[], ${sql.join(sums)}
    ) as hours (hour_start, unit_id, ${hourPeople}))`;
}
