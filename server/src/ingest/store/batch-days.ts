import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { createDayFinder, listZoneSpans } from '../../days/bus-days.ts';
import { MAX_BATCH_DAYS } from './bounds.ts';
import type { Sender } from './by-bus.ts';
import type { CheckedRecord } from './records.ts';

/**
 * A period of this length never touches more days than a batch may, in any zone, ms; then no zone is read. It is four
 * days shorter, for two partial days and a bus that moved between opposite ends of the earth.
 */
const CERTAIN_MS = (MAX_BATCH_DAYS - 4) * 24 * 3_600_000;

/**
 * Refuses a batch whose records touch more local days of the bus than allowed. One record touches at most two, so
 * halving a refused batch always ends.
 * @param checked the valid records, by corrected time
 * @throws AppError too_many_days
 */
export async function checkDays(
  db: Db,
  { busId }: Pick<Sender, 'busId'>,
  checked: readonly CheckedRecord[],
): Promise<void> {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  const include = (momentMs: number): void => {
    firstMs = Math.min(firstMs, momentMs);
    lastMs = Math.max(lastMs, momentMs);
  };
  for (const record of checked) {
    if (record.type === 'segment') momentsOf(record).forEach(include);
    else include(record.timeMs);
  }
  if (!(lastMs - firstMs > CERTAIN_MS)) return;
  const localDay = createDayFinder(busId === null ? [] : await listZoneSpans(db, busId));
  const days = new Set<string>();
  for (const momentMs of checked.flatMap(momentsOf)) {
    days.add(localDay(momentMs).day);
    if (days.size <= MAX_BATCH_DAYS) continue;
    const message = `The records of a batch lie in at most ${MAX_BATCH_DAYS} days; send smaller batches.`;
    throw new AppError('too_many_days', message, { field: 'records' });
  }
}

/** The moments in which a record lies, ms since 1970 UTC: a fragment also where it begins and ends. */
export function momentsOf(record: CheckedRecord): number[] {
  const { timeMs, sentMs } = record;
  if (record.type !== 'segment') return [timeMs];
  const offsetMs = timeMs - sentMs;
  return [timeMs, record.startMs + offsetMs, record.endMs - 1 + offsetMs];
}
