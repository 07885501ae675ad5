// How rows are read: in parts, each by a statement of its own that begins after the last row of the part before. A slow
// reader of a file thus holds neither a connection nor a snapshot of the database.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { offsetIfRepeated } from '@ridewatch/contract/hours';
import type { Db } from '../../core/db/db.ts';
import { boundsOfDay, listZoneSpans, type ZoneSpan } from '../../days/bus-days.ts';

/** Rows of a part. A thousand of them take some milliseconds to read and to write. */
export const PART_ROWS = 1000;

/**
 * Reads parts until one is not full.
 * @param read reads the rows after a row, from the beginning without one
 * @param most rows of a full part
 */
export async function* partsOf<Row>(
  most: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    after = rows.at(-1);
  }
}

/** Local days, both ends included, `YYYY-MM-DD`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Splits local days into ranges of so many days at most. */
export function* rangesOf({ from, to }: DayRange, days: number): Generator<DayRange> {
  for (let first = from; first <= to; first = addDays(first, days)) {
    const last = addDays(first, days - 1);
    yield { from: first, to: to < last ? to : last };
  }
}

/**
 * The zone of a row about a moment, with the offset in an hour that the clocks show twice: `Europe/Berlin UTC+2`.
 * @param momentMs ms since 1970 UTC
 */
export function zoneNameAt(zone: string, momentMs: number): string {
  return `${zone}${offsetIfRepeated(momentMs, zone)}`;
}

/** Local days of a bus in which it has one zone and one counter. */
export interface ZonePart {
  readonly zone: string;
  readonly source: 'unit' | 'video';
  /** Both ends included, `YYYY-MM-DD`. */
  readonly fromDay: string;
  readonly toDay: string;
  /** Their moments, ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Splits local days of a bus where its zone or counter changes. */
export async function listZoneParts(
  db: Db,
  { id, days }: { readonly id: number; readonly days: readonly DayRange[] },
): Promise<ZonePart[]> {
  const spans = await listZoneSpans(db, id);
  return days.flatMap((range) => zonePartsWithin(spans, range));
}

function zonePartsWithin(spans: readonly ZoneSpan[], { from, to }: DayRange): ZonePart[] {
  const begins = spans.map(({ fromMs, zone }) => (fromMs > 0 ? dayOf(fromMs, zone) : from));
  return spans.flatMap(({ zone, source }, at): ZonePart[] => {
    const [own = from, next] = [begins[at], begins[at + 1]];
    // The first settings also hold before their day.
    const fromDay = at === 0 || own < from ? from : own;
    const toDay = next === undefined || next > to ? to : addDays(next, -1);
    if (toDay < fromDay) return [];
    const { startMs } = boundsOfDay(spans, fromDay);
    const { endMs } = boundsOfDay(spans, toDay);
    return [{ zone, source, fromDay, toDay, startMs, endMs }];
  });
}
