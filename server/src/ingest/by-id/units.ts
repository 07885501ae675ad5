// Finds the unit that an id of a protocol names. Only a unit to which an administrator has given the id counts.
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { knownUnitOf, pastAssignmentsOf } from '../../access/unit-assignments.ts';
import { Cache } from '../../core/cache.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { createLookUps } from './look-ups.ts';

/** Within this time the process learns what an administrator changes, ms. */
const KEEP_MS = 3000;
/** Ids of units that are remembered. */
const MOST_KEPT = 50_000;
/** Ids of none: few, because a full cache searches for its oldest entry, and guesses fill any. */
const MOST_NONE = 5000;

/** A unit with the ways in which it departs from the standard of its protocol. */
export interface UnitById<Settings> {
  readonly unit: KnownUnit;
  readonly settings: Settings;
  /** Until when somebody listens to what it sends, ms since 1970 UTC; undefined: nobody does. */
  readonly listenedUntilMs?: number | undefined;
}

interface Found<Settings> {
  readonly unit: UnitById<Settings>;
  /** When it was looked up, by the clock that only grows, ms. */
  readonly atMs: number;
}

/**
 * Finds the units of ids, by id; an id that names none, or a unit that is switched off, is missing. It may look them up
 * together with those of others.
 * @param signal ends the wait, and what is not looked up yet never is
 * @throws the database's error, or the signal's reason
 */
export type FindUnits<Settings> = (
  ids: readonly string[],
  signal?: AbortSignal,
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
  /** Units beyond their age, too: their look-ups go before those of strangers. */
  const known = new Cache<string, Found<Settings>>({ most: MOST_KEPT });
  /** Apart, so that guesses take no place of a unit. */
  const none = new Cache<string, true>({ most: MOST_NONE, age: { keepMs: KEEP_MS, clock } });
  const lookUp = createLookUps(async (ids) => {
    const found = await read(ids);
    const atMs = clock.elapsedMs();
    for (const id of ids) {
      const unit = found.get(id);
      if (unit !== undefined) known.set(id, { unit, atMs });
      else {
        known.delete(id);
        none.set(id, true);
      }
    }
    return found;
  });

  return async (ids, signal) => {
    const found = new Map<string, UnitById<Settings>>();
    const missing: string[] = [];
    let wasKnown = false;
    for (const id of new Set(ids)) {
      const before = known.get(id);
      if (before !== undefined && clock.elapsedMs() - before.atMs < KEEP_MS) {
        found.set(id, before.unit);
      } else if (before !== undefined || none.get(id) === undefined) {
        missing.push(id);
        wasKnown ||= before !== undefined;
      }
    }
    if (missing.length === 0) return found;
    const units = await lookUp({ keys: missing, isFirst: wasKnown, signal });
    for (const id of missing) {
      const unit = units.get(id);
      if (unit !== undefined) found.set(id, unit);
    }
    return found;
  };

  async function read(ids: readonly string[]): Promise<Map<string, UnitById<Settings>>> {
    const rows = await database.db
      .selectFrom('units')
      .select(['id as unitId', 'device_id as deviceId', 'workplace_id as busId', 'assigned_from'])
      .select(['protocol_id', 'protocol_settings', 'feed_until'])
      .select(pastAssignmentsOf(sql.ref('units.id')).as('pastAssignments'))
      .where('protocol', '=', protocol)
      .where('protocol_id', '=', sql<string>`any(${ids}::text[])`)
      .where('enabled', '=', true)
      .execute();
    const found = new Map<string, UnitById<Settings>>();
    for (const { protocol_id: id, protocol_settings: stored, feed_until, ...row } of rows) {
      if (id === null) continue;
      const listenedUntilMs = feed_until?.getTime();
      const unit = { ...knownUnitOf(row), protocolId: id };
      found.set(id, { unit, settings: readSettings(stored), listenedUntilMs });
    }
    return found;
  }
}
