// The calculator's records of local days: what a day's first event copies from the latest earlier day.
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import type { DayOfBus } from './bus-days.ts';

/**
 * Creates the records of local days that have none: fare, percent and event of the bus's latest earlier record, else 0,
 * 0 and ENTERED. Call it in the transaction that stores the days' events, with the bus's batches locked.
 * @param atMs the present by the clock, ms since 1970 UTC
 */
export async function createDayRecords(
  tx: Tx,
  days: readonly DayOfBus[],
  atMs: number,
): Promise<void> {
  if (days.length === 0) return;
  await sql`
    insert into calculations (workplace_id, day, fare_kopecks, salary_percent, calculation_event,
      copied_from, created_at)
    select asked.bus, asked.day, coalesce(before.fare_kopecks, 0), coalesce(before.salary_percent, 0),
      coalesce(before.calculation_event, 'ENTERED'), before.day, ${new Date(atMs)}::timestamptz
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
      as asked (bus, day)
    left join lateral (
      select fare_kopecks, salary_percent, calculation_event, day from calculations
      where workplace_id = asked.bus and day < asked.day order by day desc limit 1
    ) as before on true
    order by asked.bus, asked.day
    on conflict do nothing`.execute(tx);
}
