import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { isOfBuses, isOfDays, type Selection } from './selection.ts';

/** Of how many of a selection's days its buses have records, and since when they have any; batches list these days. */
export async function findKnownDays(
  db: Db,
  selection: Selection,
): Promise<Pick<PassengerTraffic['totals'], 'days_with_data' | 'first_day'>> {
  const { rows } = await sql<{ days: number; first: string | null }>`
    select (
      select count(*)::int from (
        select from bus_days where ${isOfDays(selection.days, sql.ref('day'))}
          and ${isOfBuses(selection, sql.ref('bus_days.workplace_id'), sql.ref('day'))}
        group by day
      ) as known
    ) as days, (
      -- The first of each bus from the key: of all days of all years there may be millions.
      select min(of_bus.day) from workplaces
      cross join lateral (
        select day from bus_days where workplace_id = workplaces.id
          and ${isOfBuses(selection, sql.ref('bus_days.workplace_id'), sql.ref('day'))}
        order by day limit 1
      ) as of_bus
    ) as first`.execute(db);
  const { days = 0, first = null } = rows[0] ?? {};
  return { days_with_data: days, first_day: first };
}
