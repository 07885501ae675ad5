// Until when the days of each bus count. Days are compared as far as both sides have them: those that are over, or the
// running one until the present time of the clock on both.
import { addDays } from '@ridewatch/contract/day';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import { earliestDayAt, localDayAt } from '../days/bus-settings.ts';

const DAY_MS = 86_400_000;

/** The ends of the days of each bus. */
export interface Cut {
  /** The present, ms since 1970 UTC. */
  readonly nowMs: number;
  /** From the running day of a bus to the day on which its days are cut: 0, or back to a compared range. */
  readonly shiftDays: number;
  /** The last day of the other range; a bus for which it is over has no cut. */
  readonly otherTo: string | undefined;
  /** The day of the cut counts until the present time of the clock. */
  readonly isUntilNow: boolean;
}

/**
 * Reads where the days of a range end.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError invalid_request for one end of a compared range without the other
 */
export function cutOf(
  query: {
    readonly dateFrom: string;
    readonly until?: 'now' | undefined;
    readonly comparedFrom?: string | undefined;
    readonly comparedTo?: string | undefined;
  },
  nowMs: number,
): Cut {
  const { dateFrom, comparedFrom, comparedTo: otherTo, until } = query;
  if ((comparedFrom === undefined) !== (otherTo === undefined)) {
    const field = comparedFrom === undefined ? 'comparedFrom' : 'comparedTo';
    throw new AppError('invalid_request', 'is required beside the other end', { field });
  }
  const shiftMs = Date.parse(dateFrom) - Date.parse(comparedFrom ?? dateFrom);
  return { nowMs, shiftDays: Math.round(shiftMs / DAY_MS), otherTo, isUntilNow: until === 'now' };
}

/** The first local day, `YYYY-MM-DD`, on which the days of any bus may be cut. All earlier ones are whole. */
export function firstCutDay({ nowMs, shiftDays }: Cut): string {
  return addDays(earliestDayAt(nowMs), shiftDays);
}

/**
 * Whether a local day of a bus is not before its cut, as SQL.
 * @param busId a bigint; qualify a column with its table
 * @param day a date
 */
export function isCut(
  cut: Cut,
  busId: RawBuilder<number>,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  // The zone is read for the newest days only.
  return sql<boolean>`(${day} >= ${firstCutDay(cut)}::date and ${day} >= ${cutDayOf(cut, busId)})`;
}

/** The local day on which the days of a bus are cut, as SQL; infinity if they are not. @param busId as above */
export function cutDayOf(
  { nowMs, shiftDays, otherTo = 'infinity' }: Cut,
  busId: RawBuilder<number>,
): RawBuilder<string> {
  return sql<string>`(
    select case when today <= ${otherTo}::date then today + ${shiftDays}::int else 'infinity' end
    from ${localDayAt(busId, nowMs)} as local (today))`;
}
