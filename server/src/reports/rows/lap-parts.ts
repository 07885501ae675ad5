// The laps of a bus, in parts.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { DayRange, ZonePart } from './parts.ts';

/** Laps of a part: some thousand rows, of which a lap has one for a stop or for an hour. */
const PART_LAPS = 50;

/** The lap that a row is about. */
export interface RowOfLap {
  readonly day: string;
  /** Of the lap in its day. */
  readonly number: number;
}

/**
 * Reads what a statement answers about the laps of a bus that start on the days of a zone part.
 * @param ask makes the statement. `part` is the subquery of some laps, all their columns; each of them has a row at
 *   least, and rows come in the order of the laps
 */
export async function* lapParts<Row extends RowOfLap>(
  db: Db,
  busId: number,
  { fromDay, toDay }: ZonePart,
  ask: (part: RawBuilder<unknown>) => RawBuilder<Row>,
): AsyncGenerator<Row[]> {
  let after: RowOfLap | undefined;
  for (;;) {
    const isNext =
      after === undefined
        ? sql`true`
        : sql`day >= ${after.day}::date and (day, number) > (${after.day}::date, ${after.number}::int)`;
    const part = sql`(
      select * from laps where workplace_id = ${busId}
        and day between ${fromDay}::date and ${toDay}::date and ${isNext}
      order by day, number limit ${PART_LAPS})`;
    const { rows } = await ask(part).execute(db);
    after = rows.at(-1);
    if (after === undefined) return;
    yield rows;
  }
}

/** How many laps start on local days, up to a limit. */
export async function countLaps(
  db: Db,
  busIds: readonly number[],
  { from, to }: DayRange,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ laps: number }>`
    select count(*)::int as laps from (
      select from laps where workplace_id = any(${[...busIds]}::bigint[])
        and day between ${from}::date and ${to}::date limit ${most}) as counted`.execute(db);
  return rows[0]?.laps ?? 0;
}
