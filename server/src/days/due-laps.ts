import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { askedDays, inLockOrder } from './bound-days.ts';
import type { DayOfBus } from './bus-days.ts';
import { nudgeDay, presentDayAt, priorities } from './nudge.ts';

/** A day's laps are computed from its data and those this long before and after it. */
export const LAP_MARGIN_MS = 6 * 3_600_000;

export interface LapsRequest {
  /** The present by the clock, ms since 1970 UTC. */
  readonly nowMs: number;
  /**
   * How long to wait for more changes, ms; the user looks at an edit at once, and a day that broke a limit is tried
   * again then. Unless given, records came, and the wait depends on whether somebody looks at the bus.
   */
  readonly waitMs?: number;
}

/** Laps of a watched bus are at most 15 s old; the rest is for the pick-up of the job and its work. */
const WATCHED_WAIT_MS = 12_000;
/**
 * Laps of other buses are at most 5 minutes old where the board shows them, because each run covers a whole day: 30 s are
 * for the pick-up of the job and its work, a minute for the cached board and the screen that asks again.
 */
const UNWATCHED_WAIT_MS = 210_000;
/** Old records come as a backlog, in many batches. */
const PAST_WAIT_MS = 45_000;
/** A day whose inputs change during the run is computed again, no sooner than this, ms. */
const AGAIN_MS = 15_000;
/** The same after an edit, for whose money a reviewer waits: as long as a quick day takes at most, so that no two run. */
const EDITED_AGAIN_MS = 2000;

/**
 * Requests the laps of local days. Call it in the transaction that changes their inputs. A day that was requested and is
 * due soon enough is left alone, so that batches neither delay it nor write anything.
 * @param days `YYYY-MM-DD`, duplicates count once
 */
export async function requestLaps(
  tx: Tx,
  busId: number,
  days: Iterable<string>,
  request: LapsRequest,
): Promise<void> {
  await requestLapsOf(
    tx,
    Array.from(days, (day) => ({ busId, day })),
    request,
  );
}

/** Requests the laps of local days of several buses, as `requestLaps`. @param days some hundred at most */
export async function requestLapsOf(
  tx: Tx,
  days: Iterable<DayOfBus>,
  { nowMs, waitMs }: LapsRequest,
): Promise<void> {
  const ordered = inLockOrder(days);
  if (ordered.length === 0) return;
  const present = presentDayAt(nowMs);
  const now = new Date(nowMs);
  const isEdit = waitMs !== undefined;
  // The row stays locked until the transaction ends, even when nothing is written. A job that takes the day waits for
  // this transaction, so its changes are either in that run or request another one.
  await sql`
    with requested as (
      insert into lap_days as kept (workplace_id, day, is_slow, edited_take, asked_at, due_at)
      -- A day starts in the slow class if the day before is in it.
      select asked.workplace_id, asked.day, exists (select from lap_days as before
          where before.workplace_id = asked.workplace_id and before.day = asked.day - 1 and before.is_slow),
        case when ${isEdit} then 1 else 0 end, ${now}::timestamptz, ${now}::timestamptz + interval '1 ms' *
        coalesce(${waitMs ?? null}::float8, case
          when asked.day < ${present}::date then ${PAST_WAIT_MS}::float8
          when ${now}::timestamptz < (select wanted_until from watched_buses as watched
            where watched.workplace_id = asked.workplace_id) then ${WATCHED_WAIT_MS}::float8
          else ${UNWATCHED_WAIT_MS}::float8 end)
      from ${askedDays(ordered)}
      on conflict (workplace_id, day) do update set
        asked_at = coalesce(kept.asked_at, excluded.asked_at),
        edited_take = case when ${isEdit} then kept.taken + 1 else kept.edited_take end,
        -- A day whose last lap is to end may be due sooner.
        due_at = least(kept.due_at, ${soonest(isEdit)}),
        retry_at = case when ${isEdit} then null else kept.retry_at end
      where kept.asked_at is null or kept.due_at is null or kept.due_at > ${soonest(isEdit)}
        or (${isEdit} and kept.edited_take <= kept.taken)
      returning workplace_id, day, due_at, is_slow
    )
    select ${nudgeDay(
      present,
      isEdit ? 'wanted' : 'changed',
      sql`(due_at - ${now}::timestamptz)`,
      sql`exists (select from watched_buses as watched
        where watched.workplace_id = requested.workplace_id and wanted_until > ${now})`,
    )}
    from requested order by workplace_id, day`.execute(tx);
}

// The due time of a day that is requested again: not right after it was taken, and not soon after it broke a limit,
// unless somebody edited its inputs.
function soonest(isEdit: boolean) {
  const again = sql`case when kept.taken > kept.stored
    then kept.taken_at + ${isEdit ? EDITED_AGAIN_MS : AGAIN_MS}::float8 * interval '1 ms' end`;
  return isEdit
    ? sql`greatest(excluded.due_at, ${again})`
    : sql`greatest(excluded.due_at, ${again}, kept.retry_at)`;
}

/** Days that were requested and are due so soon that another request changes nothing. */
interface LapsDue {
  /** Present days, `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  /** Their latest due times with and without somebody looking at the bus, ms since 1970 UTC. */
  readonly watchedMs: number;
  readonly otherMs: number;
  /** Past days, ascending, and their latest due time. */
  readonly pastDays: readonly string[];
  readonly pastMs: number;
}

/** When the locked rows of days, if requested, must be due for `requestLaps` to write nothing. */
export function lapsDueBy(days: Iterable<string>, nowMs: number): LapsDue {
  const ordered = [...new Set(days)].sort();
  const present = presentDayAt(nowMs);
  return {
    days: ordered.filter((day) => day >= present),
    watchedMs: nowMs + WATCHED_WAIT_MS,
    otherMs: nowMs + UNWATCHED_WAIT_MS,
    pastDays: ordered.filter((day) => day < present),
    pastMs: nowMs + PAST_WAIT_MS,
  };
}

/** How long a bus is watched after each look, ms: longer than the polling interval of an open page. */
const WATCHED_MS = 60_000;

/**
 * Records that somebody looks at a bus. Its laps are kept fresh for a minute, and a due day that is looked at goes
 * first.
 */
export async function watchBus(db: Db, { busId, day }: DayOfBus, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await sql`
    with watched as (
      insert into watched_buses as kept (workplace_id, wanted_until)
      values (${busId}, ${new Date(nowMs + WATCHED_MS)})
      on conflict (workplace_id) do update set
        wanted_until = greatest(kept.wanted_until, excluded.wanted_until)
    ), wanted as (
      update lap_days set due_at = ${now}
      where workplace_id = ${busId} and day = ${day}::date
        and asked_at is not null
        and due_at > ${new Date(nowMs + WATCHED_WAIT_MS)}
        and (retry_at is null or retry_at <= ${now})
      returning workplace_id, day, is_slow
    ), waiting as (
      -- A day that waits behind others is moved before them.
      select workplace_id, day, is_slow from lap_days
      where workplace_id = ${busId} and day = ${day}::date and asked_at is not null
        and due_at <= ${now}
        and exists (select from graphile_worker.jobs
          where key = 'day:' || workplace_id || ':' || day
            and priority > ${priorities.watched} and locked_at is null)
    )
    select ${nudgeDay(presentDayAt(nowMs), 'watched')}
    from (select * from wanted union all select * from waiting) as due`.execute(db);
}
