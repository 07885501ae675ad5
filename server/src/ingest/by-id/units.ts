// Finds the unit that an id of a protocol names. Only a unit to which an administrator has given the id counts.
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { knownUnitOf, pastAssignmentsOf } from '../../access/unit-assignments.ts';
import { Cache } from '../../core/cache.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';

/** Within this time the process learns what an administrator changes, ms. */
const KEEP_MS = 3000;
const MOST_KEPT = 50_000;

/** A unit with the ways in which it departs from the standard of its protocol. */
export interface UnitById<Settings> {
  readonly unit: KnownUnit;
  readonly settings: Settings;
  /** Until when somebody listens to what it sends, ms since 1970 UTC; undefined: nobody does. */
  readonly listenedUntilMs?: number | undefined;
}

/** Finds the units of ids, by id; an id that names none, or a unit that is switched off, is missing. */
export type FindUnits<Settings> = (
  ids: readonly string[],
) => Promise<ReadonlyMap<string, UnitById<Settings>>>;

/**
 * Makes the look-up of one process.
 * @param readSettings reads the stored settings; what is missing is the standard's
 */
export function createUnitFinder<Settings>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  protocol: UnitProtocol,
  readSettings: (stored: unknown) => Settings,
): FindUnits<Settings> {
  const kept = new Cache<string, UnitById<Settings> | null>({
    most: MOST_KEPT,
    age: { keepMs: KEEP_MS, clock },
  });
  return async (ids) => {
    const found = new Map<string, UnitById<Settings>>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const unit = kept.get(id);
      if (unit === undefined) missing.push(id);
      else if (unit !== null) found.set(id, unit);
    }
    if (missing.length === 0) return found;
    const rows = await database.db
      .selectFrom('units')
      .select(['id as unitId', 'device_id as deviceId', 'workplace_id as busId', 'assigned_from'])
      .select(['protocol_id', 'protocol_settings', 'feed_until'])
      .select(pastAssignmentsOf(sql.ref('units.id')).as('pastAssignments'))
      .where('protocol', '=', protocol)
      .where('protocol_id', '=', sql<string>`any(${missing}::text[])`)
      .where('enabled', '=', true)
      .execute();
    for (const { protocol_id: id, protocol_settings: stored, feed_until, ...row } of rows) {
      if (id === null) continue;
      const listenedUntilMs = feed_until?.getTime();
      const unit = { ...knownUnitOf(row), protocolId: id };
      found.set(id, { unit, settings: readSettings(stored), listenedUntilMs });
    }
    for (const id of missing) kept.set(id, found.get(id) ?? null);
    return found;
  };
}
