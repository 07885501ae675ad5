import { addDays } from '@ridewatch/contract/day';
import { type DayChange, MAX_RECALCULATED_DAYS } from '@ridewatch/contract/laps';
import { asEditable, findBus } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import { bumpDays } from '../bus-days.ts';
import type { Db, Tx } from '../db.ts';
import { AppError } from '../errors.ts';
import type { WorkOut } from './packed-day.ts';
import type { LapsOfDay } from './queries.ts';
import { roublesOf } from './rows.ts';
import { type DayDifference, findChange, storeChange } from './store-day.ts';
import { type WorkedDay, workOutDay } from './work-out-day.ts';

export interface Recalculation {
  readonly workplaceId: number;
  readonly dateFrom: string;
  readonly dateTo: string;
  /** Only says what would change. */
  readonly preview: boolean;
}

/**
 * Works out the laps of past days anew, with what is valid on each of them.
 * @returns the days that change
 * @throws AppError not_found, no_right, invalid_request for a range that is upside down or too long
 */
export async function recalculateLaps(
  { db, workOut }: { readonly db: Db; readonly workOut: WorkOut },
  viewer: Viewer,
  actor: Actor,
  { workplaceId, dateFrom, dateTo, preview }: Recalculation,
  nowMs: number,
): Promise<DayChange[]> {
  return db.transaction().execute(async (tx) => {
    const bus = asEditable(viewer, await findBus(tx, viewer, workplaceId));
    const items: DayChange[] = [];
    const written: string[] = [];
    for (const day of daysOf(dateFrom, dateTo)) {
      const changed = await changeDay(tx, workOut, { workplaceId: bus.id, day }, nowMs, preview);
      if (changed === null) continue;
      written.push(day);
      if (changed.item !== null) items.push(changed.item);
    }
    if (preview) return items;
    await insertAudit(tx, actor, {
      action: 'recalculate_laps',
      objectType: 'workplace',
      objectId: bus.id,
      after: { date_from: dateFrom, date_to: dateTo, changed: items },
    });
    await bumpDays(tx, bus.id, written);
    return items;
  });
}

/** @returns null when all is as stored; an `item` when that is worth telling */
async function changeDay(
  tx: Tx,
  workOut: WorkOut,
  question: LapsOfDay,
  nowMs: number,
  preview: boolean,
): Promise<{ item: DayChange | null } | null> {
  const worked = await workOutDay(tx, workOut, question, nowMs);
  if (worked === undefined) return null;
  const before = await tx
    .selectFrom('laps')
    .select(({ fn }) => [
      fn.countAll<number>().as('laps'),
      fn.sum<string | null>('revenue_kopecks').as('revenue'),
    ])
    .where('workplace_id', '=', question.workplaceId)
    .where('day', '=', question.day)
    .executeTakeFirstOrThrow();
  const change = await findChange(tx, question, worked);
  if (!change.isAny) return null;
  if (!preview) await storeChange(tx, question, change);
  const revenues = worked.laps.flatMap(({ revenueKopecks }) => revenueKopecks ?? []);
  const after = revenues.length === 0 ? null : revenues.reduce((sum, one) => sum + one, 0);
  const revenueBefore = before.revenue === null ? null : Number(before.revenue);
  const sameFigures = before.laps === worked.laps.length && revenueBefore === after;
  if (sameFigures && isUnderWay(worked, change)) return { item: null };
  const item = {
    date: question.day,
    laps_before: before.laps,
    laps_after: worked.laps.length,
    revenue_before: roublesOf(revenueBefore),
    revenue_after: roublesOf(after),
  };
  return { item };
}

// Of a bus on the road there is always something newer than what is stored; that comes by itself.
function isUnderWay({ laps }: WorkedDay, change: DayDifference): boolean {
  return laps.some(({ open }) => open) && change.laps.every(({ lap }) => lap.open);
}

function daysOf(from: string, to: string): string[] {
  if (to < from) throw new AppError('invalid_request', 'is before dateFrom', { field: 'dateTo' });
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (days.length === MAX_RECALCULATED_DAYS) {
      const message = `is too late: at most ${MAX_RECALCULATED_DAYS} days are worked out at once`;
      throw new AppError('invalid_request', message, { field: 'dateTo' });
    }
    days.push(day);
  }
  return days;
}
