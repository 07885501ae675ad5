import { roublesOf } from '@ridewatch/contract/money';
import type { DayResults } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { BusRow } from '../access/bus.ts';
import { areOwnDays } from '../access/own-days.ts';
import { knownRoute, type Visible } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { type BusDay, boundsOfDay, listZoneSpans, zoneAt } from '../days/bus-days.ts';
import { peopleOf } from '../figures/hours.ts';
import { findDayFigures } from '../figures/one-day.ts';

const NOTHING = {
  ...{
    group: null,
    entered: 0,
    exited: 0,
    entered_kids: 0,
    exited_kids: 0,
    totalEntered: 0,
    totalExited: 0,
  },
  ...{ fare: '0.00', no_price: 0, silent_hours: 0, laps: 0 },
} as const;

/** Reads what a bus’s local day came to, as it is now. A day of another customer has no results. */
export async function buildDayResults(
  db: Db,
  viewer: Viewer,
  { id: busId }: Visible<BusRow>,
  date: string,
): Promise<DayResults> {
  const zones = await listZoneSpans(db, busId);
  const day = { busId, day: date, ...boundsOfDay(zones, date) };
  const timezone = zoneAt(zones, day.startMs);
  if (!(await areOwnDays(db, viewer, { busId, from: date, to: date }))) {
    return { workplace_id: busId, date, timezone, ...NOTHING };
  }
  const { people, ...figures } = await findDayFigures(db, day);
  const [entered, exited] = [peopleOf(people, 'entered'), peopleOf(people, 'exited')];
  return {
    workplace_id: busId,
    date,
    timezone,
    group: figures.routeId === null ? null : await findKnownRoute(db, viewer, figures.routeId),
    entered: entered.count,
    exited: exited.count,
    entered_kids: people.enteredKids,
    exited_kids: people.exitedKids,
    totalEntered: entered.automatic,
    totalExited: exited.automatic,
    fare: roublesOf(figures.kopecks),
    no_price: figures.noPriceMilli / 1000,
    silent_hours: await findSilentHours(db, day),
    laps: figures.laps,
  };
}

async function findKnownRoute(db: Db, viewer: Viewer, id: number): Promise<DayResults['group']> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from route_groups
    where id = ${knownRoute(viewer, sql`${id}::bigint`)}`.execute(db);
  return rows[0] ?? null;
}

// As the day was settled last.
async function findSilentHours(db: Db, { busId, day }: BusDay): Promise<number> {
  const { rows } = await sql<{ hours: number }>`
    select silent_hours as hours from day_traffic
    where workplace_id = ${busId} and day = ${day}::date`.execute(db);
  return rows[0]?.hours ?? 0;
}
