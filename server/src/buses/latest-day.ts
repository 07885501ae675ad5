import { type DayRange, dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { findSettingsAt } from '../days/bus-settings.ts';

/**
 * The bus's latest local day with counts or fragments, up to the present.
 * @param own the periods in which it is the user's, the latest first
 * @returns `YYYY-MM-DD`; null for a bus that has none
 */
export async function findLatestDay(
  db: Db,
  busId: number,
  own: readonly DayRange[],
  nowMs: number,
): Promise<string | null> {
  for (const { startMs, endMs } of own) {
    const atMs = await findLatestMoment(db, busId, Math.min(nowMs, endMs - 1));
    if (atMs === undefined) return null;
    if (atMs >= startMs) return dayOf(atMs, (await findSettingsAt(db, busId, atMs)).timezone);
  }
  return null;
}

async function findLatestMoment(db: Db, busId: number, nowMs: number): Promise<number | undefined> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ at: Date | null }>`select greatest(
      (select max(hour_start) from hourly_traffic
        where workplace_id = ${busId} and hour_start <= ${now}),
      (select max(latest) from cameras cross join lateral (
        select max(start_time) as latest from segments
        where camera_id = cameras.id and start_time <= ${now}) as recorded
        where workplace_id = ${busId})
    ) as at`.execute(db);
  return rows[0]?.at?.getTime();
}
