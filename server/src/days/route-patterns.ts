import type { Point } from '@ridewatch/contract/primitives';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** A pattern of a route: a named list of its stops. */
export interface PatternValue {
  readonly name: string;
  /** Stops in order within each direction; null for the default pattern, which has the stops of the route. */
  readonly stopIds: readonly number[] | null;
  /** Its own track; null: the route's track, from the pattern's first stops to its last ones. */
  readonly track: readonly Point[] | null;
  /** Its runs for each run of the default pattern, by the timetable; null where unknown. */
  readonly runs: number | null;
}

export interface PatternRow extends PatternValue {
  readonly id: number;
}

/**
 * The patterns of a route that are valid on a local day, the default first; none for a route that never had a further
 * one. A listed stop may have left the route since.
 * @param day `YYYY-MM-DD`
 */
export async function listPatternRowsOn(
  db: Db,
  routeId: number,
  day: string,
): Promise<PatternRow[]> {
  const { rows } = await sql<PatternRow>`
    select id, name, stop_ids as "stopIds", track, runs
    from route_patterns join route_pattern_versions on pattern_id = id
    where group_id = ${routeId} and valid_from <= ${day}::date
      and (valid_to is null or valid_to > ${day}::date)
    order by stop_ids is not null, id`.execute(db);
  return rows;
}
