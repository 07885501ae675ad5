import type { BusPlace } from '@ridewatch/contract/home';
import { roundTo } from '@ridewatch/contract/round';
import { sql } from 'kysely';
import { isListedBus, isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { isMissed, shownStateOf } from '../fetching/bus-state.ts';

/** 1.1 m in latitude, less than GPS knows. */
const DECIMALS = 5;

/**
 * The places of all buses of the list, in one statement; those without a position are left out, and retired ones.
 * @param nowMs ms since 1970 UTC
 */
export async function listBusPlaces(db: Db, viewer: Viewer, nowMs: number): Promise<BusPlace[]> {
  const rows = await db
    .selectFrom('workplaces')
    .innerJoin('units', 'units.workplace_id', 'workplaces.id')
    .select([
      'workplaces.id',
      'last_seen_at',
      'last_moved_at',
      'last_latitude',
      'last_longitude',
      'last_course',
      'last_speed_kmh',
      isMissed(viewer, nowMs).as('missed'),
    ])
    .where(isVisibleBus(viewer, sql.ref('workplaces.id')))
    .where(isListedBus(sql.ref('workplaces.id')))
    .where('retired_at', 'is', null)
    .where('last_latitude', 'is not', null)
    .orderBy('workplaces.id')
    .execute();
  return rows.map((row) => [
    row.id,
    roundTo(row.last_latitude ?? 0, DECIMALS),
    roundTo(row.last_longitude ?? 0, DECIMALS),
    whole(row.last_course),
    whole(row.last_speed_kmh),
    shownStateOf(row, nowMs),
  ]);
}

const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));
