import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { type BusDay, boundsOfDay, listZonesOf } from '../../days/bus-days.ts';
import { MOST_LIVE_DAYS, unsettledDays } from '../../days/unsettled.ts';
import type { DaysOfBuses } from '../../figures/many-days.ts';

/** Lists the days whose settled figures may be older than their records. */
export async function listLiveDays(db: Db, { busIds, from, to }: DaysOfBuses): Promise<BusDay[]> {
  const isChosen = sql`waiting.day between ${from}::date and ${to}::date
    and waiting.workplace_id = any(${[...busIds]}::bigint[])
    and not exists (select from stale_hours as stale
      where stale.workplace_id = waiting.workplace_id and stale.day = waiting.day)`;
  const { rows } = await sql<{ busId: number; day: string }>`
    select workplace_id as "busId", day from (${unsettledDays(isChosen, MOST_LIVE_DAYS)}) as asked
    order by day desc, workplace_id limit ${MOST_LIVE_DAYS}`.execute(db);
  const zones = await listZonesOf(db, [...new Set(rows.map(({ busId }) => busId))]);
  return rows.map((row) => ({ ...row, ...boundsOfDay(zones.get(row.busId) ?? [], row.day) }));
}
