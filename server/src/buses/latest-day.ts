import { dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { findSettingsAt } from '../days/bus-settings.ts';

/**
 * The bus's latest local day with counts or fragments, up to the present.
 * @returns `YYYY-MM-DD`; null for a bus that has none
 */
export async function findLatestDay(db: Db, busId: number, nowMs: number): Promise<string | null> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ at: Date | null }>`select greatest(
      (select max(hour_start) from hourly_traffic
        where workplace_id = ${busId} and hour_start <= ${now}),
      (select max(latest) from cameras cross join lateral (
        select max(start_time) as latest from segments
        where camera_id = cameras.id and start_time <= ${now}) as recorded
        where workplace_id = ${busId})
    ) as at`.execute(db);
  const atMs = rows[0]?.at?.getTime();
  if (atMs === undefined) return null;
  return dayOf(atMs, (await findSettingsAt(db, busId, atMs)).timezone);
}
