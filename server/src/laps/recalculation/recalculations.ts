// The rows of lap recalculations.
import { addDays } from '@ridewatch/contract/day';
import type { DayChange, FailedDay, LapRecalculation } from '@ridewatch/contract/lap-recalculation';
import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import { areOwnDays, findKnownBus } from '../../access/own-days.ts';
import type { Db, Tx } from '../../core/db/db.ts';
import { addJob } from '../../core/jobs/jobs.ts';
import type { Viewer } from '../../core/viewer.ts';

/** After this many days that broke a limit the rest is given up: each may have taken 20 s. */
const MOST_FAILED = 3;
const DAY_MS = 86_400_000;

interface Row {
  readonly id: number;
  readonly date_from: string;
  readonly date_to: string;
  readonly next_day: string;
  readonly changed: DayChange[];
  readonly failed: FailedDay[];
  readonly created_at: Date;
  readonly cancelled_at: Date | null;
  readonly ended_at: Date | null;
}

/**
 * The last recalculation of a bus, if all of its days belong to customers of the user; undefined when there is none.
 * @throws AppError not_found for a bus that was never the user's
 */
export async function findOwnLatest(
  db: Db,
  viewer: Viewer,
  busId: number,
): Promise<LapRecalculation | undefined> {
  const { id } = await findKnownBus(db, viewer, busId);
  const latest = await findLatest(db, id);
  if (latest === undefined) return undefined;
  const days = { busId: id, from: latest.dateFrom, to: latest.dateTo };
  return (await areOwnDays(db, viewer, days)) ? latest : undefined;
}

/** The last recalculation of a bus and its progress; undefined when there is none. */
export async function findLatest(db: Db, busId: number): Promise<LapRecalculation | undefined> {
  const { rows } = await sql<Row>`
    select * from lap_recalculations where workplace_id = ${busId}
    order by id desc limit 1`.execute(db);
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    id: row.id,
    dateFrom: row.date_from,
    dateTo: row.date_to,
    created_at: row.created_at.toISOString(),
    state: stateOfRun(row),
    total: daysBetween(row.date_from, row.date_to) + 1,
    done: daysBetween(row.date_from, row.next_day),
    items: row.changed,
    failed: row.failed,
  };
}

function stateOfRun(row: Row): LapRecalculation['state'] {
  const { cancelled_at, ended_at, failed, next_day, date_to } = row;
  if (cancelled_at !== null) return 'cancelled';
  // Nothing is given up when no day is left.
  if (failed.length >= MOST_FAILED && next_day <= date_to) return 'given_up';
  return ended_at === null ? 'running' : 'done';
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Adds the job of a recalculation, after waiting ones. */
export async function addRecalculationJob(db: Db, id: number): Promise<void> {
  await addJob(db, 'recalculate_laps', { id }, { key: `recalculate_laps:${id}` });
}

/** The next day of a recalculation. */
export interface NextDay {
  readonly busId: number;
  readonly day: string;
}

/** @returns undefined when the recalculation has ended or was cancelled */
export async function findNextDay(db: Db, id: number): Promise<NextDay | undefined> {
  const { rows } = await sql<NextDay>`
    select workplace_id as "busId", next_day as day from lap_recalculations
    where id = ${id} and ended_at is null`.execute(db);
  return rows[0];
}

/** The result of a day of a recalculation. */
export interface DayResult {
  readonly change: DayChange | undefined;
  readonly failure: DayLimit | undefined;
}

/**
 * Records a finished day, in the transaction that stores it.
 * @returns false when another worker recorded it, or the recalculation was cancelled: then nothing may be stored
 */
export async function noteDay(
  tx: Tx,
  id: number,
  { day }: NextDay,
  { change, failure }: DayResult,
  nowMs: number,
): Promise<boolean> {
  const changed = JSON.stringify(change === undefined ? [] : [change]);
  const failed = JSON.stringify(failure === undefined ? [] : [{ date: day, reason: failure }]);
  const { rows } = await sql`
    update lap_recalculations set next_day = ${addDays(day, 1)}::date,
      changed = changed || ${changed}::jsonb, failed = failed || ${failed}::jsonb,
      ended_at = case when next_day >= date_to
        or jsonb_array_length(failed || ${failed}::jsonb) >= ${MOST_FAILED}
        then ${new Date(nowMs)}::timestamptz end
    where id = ${id} and next_day = ${day}::date and ended_at is null
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Cancels the running recalculation of a bus. @returns whether there was one */
export async function endRecalculation(tx: Tx, busId: number, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  const { rows } = await sql`
    update lap_recalculations set cancelled_at = ${now}, ended_at = ${now}
    where workplace_id = ${busId} and ended_at is null returning id`.execute(tx);
  return rows.length > 0;
}
