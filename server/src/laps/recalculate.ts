// Working past days of a bus out anew, with what is valid on each of them. A preview is reckoned while somebody waits and
// stores nothing; the work itself is a job, whose row tells how far it is.
import { addDays } from '@ridewatch/contract/day';
import type { DayChange, FailedDay, LapRecalculation } from '@ridewatch/contract/lap-recalculation';
import { MAX_RECALCULATED_DAYS } from '@ridewatch/contract/laps';
import { asEditable, findBus } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { changeOf, findFigures } from './day-change.ts';
import { DayLimitError } from './day-limit.ts';
import type { WorkOut } from './packed-day.ts';
import { addRecalculationJob, endRecalculation, findLatest } from './recalculations.ts';
import { findChange } from './store-day.ts';
import { workOutDay } from './work-out.ts';

/** A bus and local days, both ends included. */
export interface DayRangeOfBus {
  readonly workplaceId: number;
  readonly dateFrom: string;
  readonly dateTo: string;
}

/** No further day is begun for a preview after this, ms; 92 ordinary days take 6 s. */
const MAX_PREVIEW_MS = 20_000;

/**
 * Tells which days a recalculation would change, and how; stores nothing.
 * @throws AppError not_found, no_right, invalid_request for a range that is upside down or too long, too_large when the
 *   days cannot be worked out while somebody waits
 */
export async function previewRecalculation(
  { db, workOut }: { readonly db: Db; readonly workOut: WorkOut },
  viewer: Viewer,
  range: DayRangeOfBus,
  nowMs: number,
): Promise<{ items: DayChange[]; failed: FailedDay[] }> {
  const { id } = asEditable(viewer, await findBus(db, viewer, range.workplaceId));
  const items: DayChange[] = [];
  const failed: FailedDay[] = [];
  const limitMs = performance.now() + MAX_PREVIEW_MS;
  for (const day of daysOf(range)) {
    if (performance.now() > limitMs) throw tooMuch('These days take too long: choose fewer.');
    const question = { workplaceId: id, day };
    try {
      const worked = await workOutDay(db, workOut, question, nowMs);
      if (worked === undefined) continue;
      const before = await findFigures(db, question);
      const change = changeOf(question, before, worked, await findChange(db, question, worked));
      if (change !== undefined) items.push(change);
    } catch (error) {
      if (error instanceof DayLimitError && error.limit === 'too_large') {
        failed.push({ date: day, reason: error.limit });
        continue;
      }
      if (error instanceof DayLimitError)
        throw tooMuch(`${day} cannot be worked out: ${error.message}.`);
      throw error;
    }
  }
  return { items, failed };
}

function tooMuch(message: string): AppError {
  return new AppError('too_large', message, { field: 'dateTo' });
}

/**
 * Has days worked out anew, one after the other. The same days asked for twice are worked out once.
 * @throws AppError not_found, no_right, invalid_request as above; conflict while other days of the bus are worked out
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
    const { id } = asEditable(viewer, await findBus(tx, viewer, range.workplaceId));
    // Two who ask at once take turns.
    await tx.selectFrom('workplaces').select('id').where('id', '=', id).forUpdate().execute();
    const latest = await findLatest(tx, id);
    if (latest?.state === 'running') {
      if (latest.dateFrom === dateFrom && latest.dateTo === dateTo) return latest;
      throw new AppError('conflict', 'Other days of the bus are being worked out anew.');
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

/**
 * Ends the running recalculation of a bus, if there is one; days that are through stay as they are.
 * @throws AppError not_found, no_right
 */
export async function cancelRecalculation(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  workplaceId: number,
  nowMs: number,
): Promise<LapRecalculation | null> {
  return db.transaction().execute(async (tx) => {
    const { id } = asEditable(viewer, await findBus(tx, viewer, workplaceId));
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

function daysOf({ dateFrom, dateTo }: DayRangeOfBus): string[] {
  if (dateTo < dateFrom) {
    throw new AppError('invalid_request', 'is before dateFrom', { field: 'dateTo' });
  }
  const days: string[] = [];
  for (let day = dateFrom; day <= dateTo; day = addDays(day, 1)) {
    if (days.length === MAX_RECALCULATED_DAYS) {
      const message = `is too late: at most ${MAX_RECALCULATED_DAYS} days are worked out at once`;
      throw new AppError('invalid_request', message, { field: 'dateTo' });
    }
    days.push(day);
  }
  return days;
}
