// The rows of patterns, each with its versions by day.
import { MAX_PATTERNS } from '@ridewatch/contract/route-patterns';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { PatternValue } from '../days/route-patterns.ts';
import { nameKey } from './pattern-names.ts';
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

/** The days after a day on which patterns of a route begin or change. */
export async function listLaterDays(db: Db, routeId: number, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('route_pattern_versions')
    .innerJoin('route_patterns', 'route_patterns.id', 'pattern_id')
    .select('valid_from')
    .distinct()
    .where('group_id', '=', routeId)
    .where('valid_from', '>', day)
    .orderBy('valid_from')
    .execute();
  return rows.map((row) => row.valid_from);
}

/** The patterns of a route that begin after a day, by the key of the name that they have then. */
export async function listLaterNames(
  tx: Tx,
  routeId: number,
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select distinct on (id) id, name from route_patterns join route_pattern_versions on pattern_id = id
    where group_id = ${routeId} and stop_ids is not null
      and not exists (select from route_pattern_versions as earlier
        where earlier.pattern_id = id and earlier.valid_from <= ${day}::date)
    order by id, valid_from`.execute(tx);
  return new Map(rows.map(({ id, name }) => [nameKey(name), id]));
}

/**
 * Checks the days after a change, on which other patterns begin.
 * @throws AppError conflict for too many patterns on one of them, or two of one name
 */
export async function checkLaterDays(tx: Tx, routeId: number, day: string): Promise<void> {
  const { rows } = await sql<{ day: string; names: string[] }>`
    with versions as (select v.* from route_pattern_versions as v join route_patterns on pattern_id = id
      where group_id = ${routeId}),
    days as (select distinct valid_from as day from versions where valid_from > ${day}::date)
    select day, array_agg(name) as names
    from days join versions on valid_from <= day and (valid_to is null or valid_to > day)
    group by day order by day`.execute(tx);
  for (const { day: later, names } of rows) {
    if (names.length > MAX_PATTERNS) {
      const many = `A route has at most ${MAX_PATTERNS} patterns. On ${later} it would have more.`;
      throw new AppError('conflict', many, { field: 'stop_ids' });
    }
    if (new Set(names.map(nameKey)).size === names.length) continue;
    const taken = `Another pattern has this name from ${later} on.`;
    throw new AppError('conflict', taken, { field: 'name' });
  }
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

/** Names the default pattern from a day on which it has no row, as the only pattern of its route. */
export async function nameDefault(
  tx: Tx,
  routeId: number,
  day: string,
  name: string,
): Promise<void> {
  const id = (await findDefaultRow(tx, routeId)) ?? (await insertPatternRow(tx, routeId));
  await savePattern(tx, id, day, { name, stopIds: null, track: null, runs: null });
}

// The row of the default pattern on other days; undefined if the route never had a further one.
async function findDefaultRow(tx: Tx, routeId: number): Promise<number | undefined> {
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
    select valid_from as "from", valid_to as "to", name, stop_ids as "stopIds", track, runs
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
      changed.map(({ from, to, value: { name, stopIds, track, runs } }) => ({
        pattern_id: id,
        valid_from: from,
        valid_to: to,
        name,
        stop_ids: stopIds === null ? null : [...stopIds],
        track: track === null ? null : JSON.stringify(track),
        runs,
      })),
    )
    .execute();
}
