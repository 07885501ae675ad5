import type { Correction } from '@ridewatch/contract/unit';
import { isPossible, type Place, placeBatch } from '../store/place-times.ts';
import { type CheckedRecord, isUnplaced, type SentRecord } from '../store/records.ts';

/** The records of a batch with their places in time. */
export interface CorrectedTimes {
  readonly timed: CheckedRecord[];
  /** Records that no rule places. */
  readonly timeless: SentRecord[];
  /** Corrections of the timed ones, one for each reason. */
  readonly corrected: Correction[];
}

/**
 * Places the valid records of a batch in time.
 * @param offsetMs of the unit's clock, from clockOffsetMs
 * @param receivedMs the server's clock at arrival
 */
export function correctTimes(
  sent: readonly SentRecord[],
  offsetMs: number,
  receivedMs: number,
): CorrectedTimes {
  const places = placeBatch(sent, offsetMs, receivedMs);
  const timed: CheckedRecord[] = [];
  const timeless: SentRecord[] = [];
  const corrected = new Map<string, Correction>();
  for (const [n, record] of sent.entries()) {
    const place = places[n];
    const timeMs = timeOf(record, place, receivedMs);
    if (timeMs === null) {
      timeless.push(record);
      continue;
    }
    timed.push({ ...record, timeMs });
    const reason = place?.reason ?? null;
    if (reason === null || isUnplaced(record)) continue;
    const known = corrected.get(reason);
    corrected.set(reason, {
      reason,
      added_ms: known?.added_ms ?? timeMs - record.sentMs,
      count: (known?.count ?? 0) + 1,
      index: known?.index ?? record.index,
    });
  }
  return { timed, timeless, corrected: [...corrected.values()] };
}

function timeOf(record: SentRecord, place: Place | undefined, receivedMs: number): number | null {
  // Only the number of such a record is stored.
  if (isUnplaced(record)) return receivedMs;
  const timeMs = place?.timeMs ?? null;
  if (timeMs === null || record.type !== 'segment') return timeMs;
  const edges = [record.startMs, record.endMs].map((ms) => ms + timeMs - record.sentMs);
  return edges.every((ms) => isPossible(ms, receivedMs)) ? timeMs : null;
}
