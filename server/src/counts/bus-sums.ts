import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** People and revenue of one bus. */
export interface BusSum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  readonly kopecks: number;
}

/**
 * What each bus came to, in one statement.
 * @param figures a day of each bus, as `figuresOf` or `figuresUntil` reads it
 */
export async function sumFigures(db: Db, figures: RawBuilder<unknown>): Promise<BusSum[]> {
  const { rows } = await sql<BusSum>`
    select workplace_id as "busId", (entered_adults + entered_kids)::int as entered,
      (exited_adults + exited_kids)::int as exited, revenue_kopecks::float8 as kopecks
    from (${figures}) as figures`.execute(db);
  return rows;
}
