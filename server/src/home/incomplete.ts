import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { BusDay } from '../days/bus-days.ts';
import { isPending } from '../days/day-state.ts';
import { sendsOlder } from '../days/late-records.ts';

/** Twice the age that laps have in the usual run of things (days/due-laps.ts), ms. */
const LAPS_WAIT_MS = 10 * 60_000;
/** Records so late are on their way in the usual run of things, ms. */
const USUAL_DELAY_MS = 5 * 60_000;

/**
 * The buses whose figures of their present day lack something that is on its way: laps of people that nobody has worked
 * out yet, or records that the unit still sends. Their revenue says nothing yet. A day that broke a limit is not on its
 * way.
 * @param days the present local day of each bus
 * @param carrying the buses that carried people on it: laps of the others say nothing of money
 * @param nowMs ms since 1970 UTC
 */
export async function listIncomplete(
  db: Db,
  days: readonly BusDay[],
  carrying: ReadonlySet<number>,
  nowMs: number,
): Promise<Set<number>> {
  const ago = (ms: number): RawBuilder<Date> => sql<Date>`${new Date(nowMs - ms)}::timestamptz`;
  const { rows } = await sql<{ busId: number }>`
    select bus.id as "busId"
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${days.map(({ busId }) => carrying.has(busId))}::boolean[]) as bus (id, day, start, carries)
    where bus.carries and exists (
      select from lap_days where workplace_id = bus.id and day = bus.day and ${isPending(nowMs)}
        and (computed_at is null or asked_at < ${ago(LAPS_WAIT_MS)})
    ) or exists (
      select from units where workplace_id = bus.id and ${sendsOlder(nowMs)}
        and backlog_from >= bus.start and backlog_from < ${ago(USUAL_DELAY_MS)}
    )`.execute(db);
  return new Set(rows.map(({ busId }) => busId));
}
