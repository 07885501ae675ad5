import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type BusDay, boundsOfDay, listZonesOf } from '../days/bus-days.ts';
import { LAP_MARGIN_MS } from '../days/due-laps.ts';
import { MOST_LIVE_DAYS, waitingDays } from '../days/unsettled.ts';
import { isOfBuses, isOfClients, isOfDays, type Selection } from './selection.ts';

/** Above it, an answer says this many days. */
const MOST_PENDING_DAYS = 100_000;

/** The days of a selection whose settled figures may be older than their records. */
export interface LiveDays {
  /** Days to read live, the newest first; also of buses that the user no longer sees, whose sums still have them. */
  readonly days: readonly BusDay[];
  /**
   * The days whose figures are not final yet, at most 100,000: those beyond the limit or with hours that a job is
   * rebuilding, which are read as settled, and ended ones that are read live, whose silent hours are not known.
   */
  readonly pending: number;
}

/** Lists the days of a selection that are not settled. @param nowMs the present, ms since 1970 UTC */
export async function listLiveDays(db: Db, selection: Selection, nowMs: number): Promise<LiveDays> {
  const isChosen = sql`${isOfDays(selection.days, sql.ref('waiting.day'))}
    and (${isOfBuses(selection, sql.ref('waiting.workplace_id'), sql.ref('waiting.day'))} or ${wasOfClients(selection)})`;
  const { rows } = await sql<{ busId: number; day: string; isStale: boolean; isClosed: boolean }>`
    select workplace_id as "busId", day, exists (select from stale_hours as stale
        where stale.workplace_id = asked.workplace_id and stale.day = asked.day) as "isStale",
      exists (select from day_traffic as settled
        where settled.workplace_id = asked.workplace_id and settled.day = asked.day
          and closed) as "isClosed"
    from (${waitingDays(isChosen, MOST_LIVE_DAYS)}) as asked
    order by day desc, workplace_id limit ${MOST_LIVE_DAYS}`.execute(db);
  const count = rows.length < MOST_LIVE_DAYS ? rows.length : await countWaitingDays(db, isChosen);
  const live = rows.filter(({ isStale }) => !isStale);
  const zones = await listZonesOf(db, [...new Set(live.map(({ busId }) => busId))]);
  const days = live.map(({ busId, day }) => ({
    ...{ busId, day },
    ...boundsOfDay(zones.get(busId) ?? [], day),
  }));
  const unfinished = days.filter(({ endMs }, n) => {
    // Records of the next morning ask for the laps of a day, which change none of its silent hours.
    return nowMs >= endMs + (live[n]?.isClosed ? LAP_MARGIN_MS : 0);
  });
  const pending = count - live.length + unfinished.length;
  return { days, pending: Math.min(pending, MOST_PENDING_DAYS) };
}

async function countWaitingDays(db: Db, isChosen: RawBuilder<unknown>): Promise<number> {
  const most = MOST_LIVE_DAYS + MOST_PENDING_DAYS;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${waitingDays(isChosen, most)}) as waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

// A bus that has left a customer is in the sums of its routes until its days are settled.
function wasOfClients(selection: Selection): RawBuilder<boolean> {
  const { viewer, buses } = selection;
  if (buses !== 'all' || viewer.clientIds === 'all') return sql<boolean>`false`;
  return sql<boolean>`exists (select from day_traffic as settled
    where settled.workplace_id = waiting.workplace_id and settled.day = waiting.day
      and ${isOfClients(selection, sql.ref('settled.client_id'))})`;
}

/** The number of days of a selection whose hours a job is rebuilding, at most 100,000. */
export async function countStaleDays(db: Db, selection: Selection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from stale_hours
      where ${isOfDays(selection.days, sql.ref('day'))}
        and ${isOfBuses(selection, sql.ref('stale_hours.workplace_id'), sql.ref('day'))}
      limit ${MOST_PENDING_DAYS}
    ) as stale`.execute(db);
  return rows[0]?.count ?? 0;
}
