// Records that are on their way: units that send older ones after newer ones, or that were offline for long, say so with
// each batch (docs/unit-interface.md).
import type { ArrivingRecords } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { sendsOlder } from '../days/late-records.ts';
import { isOfBuses, type Selection } from './selection.ts';

/**
 * The records of a selection's days that units are still sending.
 * @param nowMs the present, ms since 1970 UTC
 * @returns null for none
 */
export async function findArriving(
  db: Db,
  selection: Selection,
  nowMs: number,
): Promise<ArrivingRecords | null> {
  const { rows } = await sql<{ from: string | null; buses: number }>`
    select min(first_day) as "from", count(*)::int as buses
    from units join unit_assignments as assigned on assigned.unit_id = units.id and until_at > backlog_from
    cross join lateral (select greatest(backlog_from, from_at) as from_at) as oldest
    cross join lateral ${settingsAt(sql.ref('assigned.workplace_id'), sql.ref('oldest.from_at'))} as settings
    cross join lateral (select (oldest.from_at at time zone settings.timezone)::date as first_day) as local
    where ${sendsOlder(nowMs)} and first_day <= ${selection.days.dateTo}::date
      and ${isOfBuses(selection, sql.ref('assigned.workplace_id'), sql.ref('first_day'))}`.execute(
    db,
  );
  const { from = null, buses = 0 } = rows[0] ?? {};
  return from === null ? null : { from, buses };
}
