import { addDays } from '@ridewatch/contract/day';
import { type RawBuilder, sql } from 'kysely';

/**
 * The jobs that compute the laps of one bus on one local day; their payload names both. Slow days and past days have
 * jobs of their own.
 */
export const LAPS_JOB = 'laps_of_day';
export const SLOW_LAPS_JOB = 'laps_of_slow_day';
export const PAST_LAPS_JOB = 'laps_of_past_day';

/** Priorities within the class: somebody looks at the bus; somebody edited; a change requested it; its job was lost. */
type Reason = 'watched' | 'wanted' | 'changed' | 'lost';

/** Newer past days go first, as far as the priority tells them apart. */
const OLDEST_DAYS = 10_000;
export const priorities = { watched: -20, wanted: -10, changed: 0, lost: 2 * OLDEST_DAYS } as const;

/** The first day that is the present somewhere on earth at a moment (ms since 1970 UTC). */
export function presentDayAt(nowMs: number): string {
  return addDays(new Date(nowMs).toISOString().slice(0, 10), -1);
}

/**
 * SQL that adds the job of a day; each day has one job. Columns in scope: workplace_id, day, is_slow.
 * @param present the first day that is not in the past
 * @param wait an interval until the job is due
 * @param isWatched whether somebody looks at the bus; then its present day goes first, too
 */
export function nudgeDay(
  present: string,
  reason: Reason,
  wait: RawBuilder<unknown> = sql`interval '0'`,
  isWatched: RawBuilder<unknown> = sql`false`,
): RawBuilder<unknown> {
  // A day that somebody waits for goes before past days.
  const isPast =
    reason === 'watched' || reason === 'wanted' ? sql`false` : sql`day < ${present}::date`;
  return sql`graphile_worker.add_job(
    case when ${isPast} then ${PAST_LAPS_JOB} when is_slow then ${SLOW_LAPS_JOB} else ${LAPS_JOB} end,
    payload := json_build_object('workplaceId', workplace_id, 'day', day),
    job_key := 'day:' || workplace_id || ':' || day,
    max_attempts := 10,
    run_at := now() + ${wait},
    priority := case
      when ${isPast} then ${priorities[reason]}::int + least(${present}::date - day, ${OLDEST_DAYS}::int)
      when ${isWatched} then ${priorities.watched}::int
      else ${priorities[reason]}::int end)`;
}
