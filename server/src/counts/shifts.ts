// The shift of a bus's day. Events outside it are in no hour, total, revenue or statistic; laps and people inside are
// not cut.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** ms since 1970 UTC; the end is excluded. An open side is infinite. */
export interface Shift {
  readonly startMs: number;
  readonly endMs: number;
}

/** The shifts of a bus by local day; most days have none. */
export type Shifts = ReadonlyMap<string, Shift>;

export const NO_SHIFTS: Shifts = new Map();

/**
 * The shifts of a bus.
 * @param fromDay first local day, `YYYY-MM-DD`
 * @param toDay last local day; all later ones unless given
 */
export async function listShifts(
  db: Db,
  busId: number,
  fromDay: string,
  toDay?: string,
): Promise<Shifts> {
  const { rows } = await sql<{ day: string; start: Date | null; end: Date | null }>`
    select day, shift_start as start, shift_end as "end" from calculations
    where workplace_id = ${busId} and day >= ${fromDay}::date
      and (${toDay ?? null}::date is null or day <= ${toDay ?? null}::date)
      and (shift_start is not null or shift_end is not null)`.execute(db);
  if (rows.length === 0) return NO_SHIFTS;
  return new Map(
    rows.map(({ day, start, end }) => [
      day,
      {
        startMs: start?.getTime() ?? Number.NEGATIVE_INFINITY,
        endMs: end?.getTime() ?? Number.POSITIVE_INFINITY,
      },
    ]),
  );
}

/** Whether a moment (ms since 1970 UTC) of a local day counts. */
export function isInShift(shifts: Shifts, day: string, timeMs: number): boolean {
  const shift = shifts.get(day);
  return shift === undefined || (timeMs >= shift.startMs && timeMs < shift.endMs);
}
