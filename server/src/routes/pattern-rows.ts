// The rows of patterns, each with its versions by day.
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { PatternValue } from '../days/route-patterns.ts';
import { changedFrom, type Version } from './valid-from.ts';

/** @throws AppError conflict when a pattern of the route changes on a later day */
export async function refuseLaterPatterns(tx: Tx, routeId: number, day: string): Promise<void> {
  const later = await tx
    .selectFrom('route_pattern_versions')
    .innerJoin('route_patterns', 'route_patterns.id', 'pattern_id')
    .select('valid_from')
    .where('group_id', '=', routeId)
    .where('valid_from', '>', day)
    .orderBy('valid_from', 'desc')
    .executeTakeFirst();
  if (later === undefined) return;
  const message = `The patterns change on ${later.valid_from}. Choose that day or a later one.`;
  throw new AppError('conflict', message, { field: 'valid_from' });
}

/** Adds a pattern without a value. @returns its id */
export async function insertPatternRow(tx: Tx, routeId: number): Promise<number> {
  const { id } = await tx
    .insertInto('route_patterns')
    .values({ group_id: routeId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The row of the default pattern on other days; undefined if the route never had a further one. */
export async function findDefaultRow(tx: Tx, routeId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('route_patterns')
    .innerJoin('route_pattern_versions', 'pattern_id', 'route_patterns.id')
    .select('id')
    .where('group_id', '=', routeId)
    .where('stop_ids', 'is', null)
    .orderBy('valid_from')
    .executeTakeFirst();
  return row?.id;
}

/** Sets the value of a pattern from a day on; later versions stay. @param value null: from then on there is none */
export async function savePattern(
  tx: Tx,
  id: number,
  day: string,
  value: PatternValue | null,
): Promise<void> {
  const { rows } = await sql<PatternValue & { from: string; to: string | null }>`
    select valid_from as "from", valid_to as "to", name, stop_ids as "stopIds", track
    from route_pattern_versions where pattern_id = ${id} order by valid_from`.execute(tx);
  const versions = rows.map(
    ({ from, to, ...own }): Version<PatternValue> => ({
      from,
      to,
      value: own,
    }),
  );
  const changed = changedFrom(versions, day, value);
  await tx.deleteFrom('route_pattern_versions').where('pattern_id', '=', id).execute();
  if (changed.length === 0) return;
  await tx
    .insertInto('route_pattern_versions')
    .values(
      changed.map(({ from, to, value: { name, stopIds, track } }) => ({
        pattern_id: id,
        valid_from: from,
        valid_to: to,
        name,
        stop_ids: stopIds === null ? null : [...stopIds],
        track: track === null ? null : JSON.stringify(track),
      })),
    )
    .execute();
}
