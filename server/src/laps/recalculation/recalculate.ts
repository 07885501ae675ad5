// Recalculates past days of a bus, with their hours and revenue, with the settings valid on each. A preview runs while the user waits and stores
// nothing; the recalculation is a job whose row has the progress.
import { addDays } from '@ridewatch/contract/day';
import type { DayChange, FailedDay, LapRecalculation } from '@ridewatch/contract/lap-recalculation';
import { MAX_RECALCULATED_DAYS } from '@ridewatch/contract/laps';
import { findBusOnDays, findKnownBus } from '../../access/own-days.ts';
import { asEditable } from '../../access/visible.ts';
import { type Actor, insertAudit } from '../../core/audit.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Turns } from '../../core/turns.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import { tryDay } from '../computation/compute-day.ts';
import { changeOf, findFigures } from '../computation/day-change.ts';
import type { ComputeDay } from '../computation/packed-day.ts';
import { findChange } from '../computation/store-day.ts';
import {
  addRecalculationJob,
  type DayResult,
  endRecalculation,
  findLatest,
  findOwnLatest,
} from './recalculations.ts';

/** A bus and local days, both ends included. */
export interface DayRangeOfBus {
  readonly busId: number;
  readonly dateFrom: string;
  readonly dateTo: string;
}

/** A preview that ran this long begins no further day, ms; 92 ordinary days take 6 s. */
const MAX_PREVIEW_MS = 20_000;
/** After this time a preview yields to those of others at the end of a day, ms. */
const TURN_MS = 2_000;
/** Longest wait of a preview for others, ms. */
const MAX_WAIT_MS = 30_000;

/** Dependencies of previews. */
export interface PreviewTools {
  readonly db: Db;
  readonly computeDay: ComputeDay;
  readonly turns: Turns;
  /** A monotonic clock, ms. */
  readonly elapsedMs?: () => number;
}

/** Days that would change, days that fail, and the last day that was computed. */
interface Preview {
  readonly items: DayChange[];
  readonly failed: FailedDay[];
  readonly looked_until: string | null;
}

/**
 * Computes which days a recalculation would change, and how; stores nothing. It ends early at a day that takes too
 * long, after 20 s of its own computing, or after 30 s of waiting.
 * @throws AppError not_found, no_right, invalid_request for a reversed or too long range, unavailable when others left
 *   no time for any day
 */
export async function previewRecalculation(
  { db, computeDay, turns, elapsedMs = () => performance.now() }: PreviewTools,
  viewer: Viewer,
  range: DayRangeOfBus,
  nowMs: number,
): Promise<Preview> {
  const id = await findRange(db, viewer, range);
  const days = daysOf(range);
  const items: DayChange[] = [];
  const failed: FailedDay[] = [];
  let looked = 0;
  let [ownMs, waitedMs] = [0, 0];
  let isTooLong = false;
  const goesOn = () => looked < days.length && ownMs < MAX_PREVIEW_MS && !isTooLong;
  while (goesOn()) {
    const askedMs = elapsedMs();
    const endTurn = await turns
      .take(viewer.userId, Math.max(0, MAX_WAIT_MS - waitedMs), looked > 0)
      .catch((error: unknown) => {
        // A partial preview is better than none.
        if (looked === 0) throw error;
      });
    if (endTurn === undefined) break;
    const beganMs = elapsedMs();
    waitedMs += beganMs - askedMs;
    const beforeMs = ownMs;
    try {
      for (const day of days.slice(looked)) {
        const { change, failure } = await previewDay(db, computeDay, { busId: id, day }, nowMs);
        looked += 1;
        if (change !== undefined) items.push(change);
        if (failure !== undefined) failed.push({ date: day, reason: failure });
        isTooLong = failure === 'too_long';
        ownMs = beforeMs + elapsedMs() - beganMs;
        if (!goesOn() || ownMs - beforeMs >= TURN_MS) break;
      }
    } finally {
      endTurn();
    }
  }
  return { items, failed, looked_until: days[looked - 1] ?? null };
}

async function previewDay(
  db: Db,
  computeDay: ComputeDay,
  question: DayOfBus,
  nowMs: number,
): Promise<DayResult> {
  const outcome = await tryDay(db, computeDay, question, nowMs);
  if ('failure' in outcome) return { change: undefined, failure: outcome.failure };
  const { computed } = outcome;
  if (computed === undefined) return { change: undefined, failure: undefined };
  const before = await findFigures(db, question);
  const change = changeOf(question, before, computed, await findChange(db, question, computed));
  return { change, failure: undefined };
}

/**
 * Requests the recalculation of days, one after the other. An equal request joins a running one.
 * @throws AppError not_found, no_right, invalid_request as above; conflict while other days of the bus are recalculated
 */
export async function beginRecalculation(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  range: DayRangeOfBus,
  nowMs: number,
): Promise<LapRecalculation | null> {
  const { dateFrom, dateTo } = range;
  daysOf(range);
  return db.transaction().execute(async (tx) => {
    const id = await findRange(tx, viewer, range);
    // Concurrent requests take turns.
    await tx.selectFrom('workplaces').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    const latest = await findLatest(tx, id);
    if (latest?.state === 'running') {
      if (latest.dateFrom === dateFrom && latest.dateTo === dateTo) return latest;
      throw new AppError(
        'conflict',
        'A recalculation of other days of this bus is running. Wait for its end or cancel it.',
      );
    }
    const row = await tx
      .insertInto('lap_recalculations')
      .values({
        workplace_id: id,
        user_id: viewer.userId,
        date_from: dateFrom,
        date_to: dateTo,
        next_day: dateFrom,
        created_at: new Date(nowMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addRecalculationJob(tx, row.id);
    await insertAudit(tx, actor, {
      action: 'recalculate_laps',
      objectType: 'workplace',
      objectId: id,
      after: { date_from: dateFrom, date_to: dateTo },
    });
    return (await findLatest(tx, id)) ?? null;
  });
}

/** Cancels the running recalculation of a bus, if any; finished days stay. @throws AppError not_found, no_right */
export async function cancelRecalculation(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  busId: number,
  nowMs: number,
): Promise<LapRecalculation | null> {
  return db.transaction().execute(async (tx) => {
    const { id } = asEditable(viewer, await findKnownBus(tx, viewer, busId));
    if ((await findOwnLatest(tx, viewer, id)) === undefined) return null;
    if (await endRecalculation(tx, id, nowMs)) {
      await insertAudit(tx, actor, {
        action: 'cancel_recalculate_laps',
        objectType: 'workplace',
        objectId: id,
      });
    }
    return (await findLatest(tx, id)) ?? null;
  });
}

async function findRange(
  db: Db,
  viewer: Viewer,
  { busId, dateFrom, dateTo }: DayRangeOfBus,
): Promise<number> {
  const days = { busId, from: dateFrom, to: dateTo };
  const bus =
    dateTo < dateFrom
      ? findKnownBus(db, viewer, busId)
      : findBusOnDays(db, viewer, days, 'dateFrom');
  return asEditable(viewer, await bus).id;
}

function daysOf({ dateFrom, dateTo }: DayRangeOfBus): string[] {
  if (dateTo < dateFrom) {
    throw new AppError('invalid_request', 'is before dateFrom', { field: 'dateTo' });
  }
  const days: string[] = [];
  for (let day = dateFrom; day <= dateTo; day = addDays(day, 1)) {
    if (days.length === MAX_RECALCULATED_DAYS) {
      const message = `is too late: the range may have at most ${MAX_RECALCULATED_DAYS} days`;
      throw new AppError('invalid_request', message, { field: 'dateTo' });
    }
    days.push(day);
  }
  return days;
}
