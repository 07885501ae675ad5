// Saves values of a day's record. Users who see the bus may; of two who edit one day the second is told what the first
// stored.
import type { saveCalculation } from '@ridewatch/contract/calculation';
import type { CalculationField } from '@ridewatch/contract/calculation-history';
import type { DayRange } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { hundredthsOf, kopecksOf, percentOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import type { BusRow } from '../access/bus.ts';
import type { Visible } from '../access/visible.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { unseenField } from '../core/refuse-unseen.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { bumpDays, findDayBounds, lockBatches } from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import { requestLaps } from '../days/due-laps.ts';
import { requestSettle } from '../days/unsettled.ts';
import { type DayRecord, type DayValues, findDayRecord, valuesOf } from './day-money.ts';
import { findCalculation } from './find.ts';
import { insertChanges } from './history.ts';

/** Delay of the laps, ms: a user looks at an edit at once. */
const EDIT_WAIT_MS = 0;

/** The user who saves. */
export type Editor = Actor & { readonly userId: number };

type DayEdit = BodyOf<typeof saveCalculation>;
/** Values by their names in the API. */
type Sent = Partial<Omit<DayEdit, 'workplaceId' | 'date' | 'seen' | 'unanswered'>>;

/**
 * Saves values of a bus's day, and creates its record. Values that are stored already are a retry after a lost answer:
 * nothing changes, whatever the user saw.
 * @param nowMs the present by the clock, ms since 1970 UTC
 * @returns the calculation afterwards
 * @throws AppError conflict with the stored calculation; invalid_request for a shift that is not in the day
 */
export async function saveDay(
  db: Db,
  actor: Editor,
  bus: Visible<BusRow>,
  edit: DayEdit,
  nowMs: number,
) {
  const { date: day } = edit;
  const values = valuesIn(edit);
  const question = { busId: bus.id, day };
  return db.transaction().execute(async (tx) => {
    await lockBuses(tx, [bus.id]);
    const before = await findDayRecord(tx, question);
    const after = { ...before, ...values };
    const fields = changedFields(before, after);
    if (fields.length === 0) return findCalculation(tx, question);
    const field = unseenOf(edit, before);
    if (field !== undefined) throw await conflictOf(tx, question, field);
    const bounds = await findDayBounds(tx, bus.id, day);
    checkShift(after, bounds, values);
    await createDayRecords(tx, [question], nowMs);
    await updateRecord(tx, after, { userId: actor.userId, nowMs });
    const [had, has] = [valuesOf(before), valuesOf(after)];
    const version = before.version + 1;
    const made = { version, source: 'hand', userId: actor.userId, nowMs } as const;
    await insertChanges(
      tx,
      fields.map((field) => ({
        ...question,
        field,
        before: had[field],
        after: has[field],
        ...made,
      })),
    );
    const pick = (all: typeof had) =>
      Object.fromEntries(fields.map((field) => [field, all[field]]));
    await insertAudit(tx, actor, {
      action: 'set_calculation',
      objectType: 'workplace',
      objectId: bus.id,
      before: { date: day, ...pick(had) },
      after: { date: day, ...pick(has) },
    });
    // The revenue of laps depends on the event alone.
    if (fields.includes('calculation_event') && bounds.startMs <= nowMs) {
      await requestLaps(tx, bus.id, [day], { nowMs, waitMs: EDIT_WAIT_MS });
    }
    const isOtherShift = fields.some((field) => field === 'shift_start' || field === 'shift_end');
    if (isOtherShift) await rebuildHours(tx, bus.id, [day]);
    await requestSettle(tx, bus.id, [day]);
    await bumpDays(tx, bus.id, [day, ...(await listCopyingDays(tx, question))]);
    return findCalculation(tx, question);
  });
}

/**
 * Locks buses until the transaction ends: their batches, and everything else that changes their settings or records. Call it
 * before any other row is locked.
 */
export async function lockBuses(tx: Tx, busIds: readonly number[]): Promise<void> {
  const ordered = [...busIds].sort((a, b) => a - b);
  await lockBatches(tx, ...ordered);
  await sql`select from workplaces where id = any(${ordered}::bigint[])
    order by id for no key update`.execute(tx);
}

function changedFields(before: DayRecord, after: DayRecord): CalculationField[] {
  const [had, has] = [valuesOf(before), valuesOf(after)];
  return (Object.keys(had) as CalculationField[]).filter((field) => had[field] !== has[field]);
}

// Nobody else's change is overwritten unseen. Texts of one amount may differ: 45 is 45.00.
function unseenOf(edit: DayEdit, stored: DayRecord): string | undefined {
  const asStored = (sent: Sent) => {
    const names = Object.keys(sent);
    const values = Object.entries(valuesOf({ ...stored, ...valuesIn(sent) }));
    return Object.fromEntries(values.filter(([name]) => names.includes(name)));
  };
  const { seen = {}, unanswered = [], ...wanted } = edit;
  return unseenField(valuesOf(stored), asStored(wanted), [seen, ...unanswered].map(asStored));
}

async function conflictOf(tx: Tx, question: DayOfBus, field: string): Promise<AppError> {
  const current = await findCalculation(tx, question);
  const who = current.updated_by ?? 'somebody';
  const message = `${who} has changed this calculation meanwhile.`;
  return new AppError('conflict', message, { field: `seen.${field}`, current });
}

// A shift lies within its local day, which has 23 to 25 hours, and its end is after its start.
function checkShift(
  { shiftStartMs, shiftEndMs }: DayValues,
  { startMs, endMs }: DayRange,
  changed: Partial<DayValues>,
): void {
  if (changed.shiftStartMs === undefined && changed.shiftEndMs === undefined) return;
  const refuse = (field: 'shift_start' | 'shift_end', message: string) => {
    throw new AppError('invalid_request', message, { field });
  };
  const isOutside = (ms: number | null): boolean => ms !== null && (ms < startMs || ms > endMs);
  if (isOutside(shiftStartMs)) refuse('shift_start', 'is not on this local day of the bus');
  if (isOutside(shiftEndMs)) refuse('shift_end', 'is not on this local day of the bus');
  if ((shiftEndMs ?? endMs) > (shiftStartMs ?? startMs)) return;
  const field = changed.shiftEndMs === undefined ? 'shift_start' : 'shift_end';
  refuse(field, 'leaves nothing of the day: the end of a shift is after its start');
}

async function updateRecord(
  tx: Tx,
  record: DayRecord,
  { userId, nowMs }: { userId: number; nowMs: number },
): Promise<void> {
  const moment = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await tx
    .updateTable('calculations')
    .set({
      fare_kopecks: record.fareKopecks,
      salary_percent: percentOf(record.hundredths),
      cashless_kopecks: record.cashlessKopecks,
      calculation_event: record.event,
      shift_start: moment(record.shiftStartMs),
      shift_end: moment(record.shiftEndMs),
      driver: record.driver,
      handed_in_kopecks: record.handedInKopecks,
      version: record.version + 1,
      updated_by: userId,
      updated_at: new Date(nowMs),
    })
    .where('workplace_id', '=', record.busId)
    .where('day', '=', record.day)
    .execute();
}

// Days with data but without a record show the values that they would copy: those after this day, up to the next record.
async function listCopyingDays(tx: Tx, { busId, day }: DayOfBus): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day from bus_days where workplace_id = ${busId} and day > ${day}::date
      and day < coalesce((select min(day) from calculations
        where workplace_id = ${busId} and day > ${day}::date), 'infinity')`.execute(tx);
  return rows.map((row) => row.day);
}

/** The values that a request names. */
export function valuesIn(sent: Sent): Partial<DayValues> {
  const { fare, salary_percent, cashless, calculation_event, handed_in, driver } = sent;
  return {
    ...(fare !== undefined && { fareKopecks: kopecksOf(fare) }),
    ...(salary_percent !== undefined && { hundredths: hundredthsOf(salary_percent) }),
    ...(cashless !== undefined && { cashlessKopecks: kopecksOf(cashless) }),
    ...(calculation_event !== undefined && { event: calculation_event }),
    ...(sent.shift_start !== undefined && { shiftStartMs: msOf(sent.shift_start) }),
    ...(sent.shift_end !== undefined && { shiftEndMs: msOf(sent.shift_end) }),
    ...(driver !== undefined && { driver }),
    ...(handed_in !== undefined && {
      handedInKopecks: handed_in === null ? null : kopecksOf(handed_in),
    }),
  };
}

function msOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment);
}
