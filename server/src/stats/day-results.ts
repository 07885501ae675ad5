import { roublesOf } from '@ridewatch/contract/money';
import type { DayResults } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { BusRow } from '../access/bus.ts';
import { areOwnDays } from '../access/own-days.ts';
import { knownRoute, type Visible } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { hasMoreEvents } from '../counts/day-events.ts';
import { boundDays, figuresOf } from '../counts/day-figures.ts';
import { sumManualCounts } from '../counts/settle.ts';
import { listShifts } from '../counts/shifts.ts';
import { boundsOfDay, listZoneSpans, zoneAt } from '../days/bus-days.ts';

/** Most passenger events of a day that one call reads. */
const MOST_EVENTS = 100_000;

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

interface Row {
  readonly group: DayResults['group'];
  readonly entered: number;
  readonly enteredKids: number;
  readonly exited: number;
  readonly exitedKids: number;
  readonly kopecks: number;
  readonly noPriceMilli: number;
  readonly silentHours: number;
  readonly laps: number;
}

/**
 * Reads what a bus’s local day came to, as it is now. A day of another customer has no results.
 * @throws AppError too_large for a day with more events than one call reads
 */
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
  if (await hasMoreEvents(db, busId, day.startMs, day.endMs, MOST_EVENTS)) {
    const message = `has more than ${MOST_EVENTS} passenger events`;
    throw new AppError('too_large', message, { field: 'date' });
  }
  const { rows } = await sql<Row>`
    select case when group_id is not null then (
        select json_build_object('id', id, 'name', name) from route_groups
        where id = ${knownRoute(viewer, sql.ref('group_id'))}) end as "group",
      entered_adults + entered_kids as entered, entered_kids as "enteredKids",
      exited_adults + exited_kids as exited, exited_kids as "exitedKids",
      revenue_kopecks::bigint as kopecks, no_price_milli as "noPriceMilli",
      coalesce((select silent_hours from day_traffic as settled
        where settled.workplace_id = ${busId} and settled.day = ${date}::date), 0) as "silentHours",
      (select count(*)::int from laps where laps.workplace_id = ${busId} and laps.day = ${date}::date) as laps
    from (${figuresOf(boundDays([day]))}) as figures`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The query of figures returned no row.');
  const manual = await sumManualCounts(db, day, await listShifts(db, busId, date, date));
  return {
    workplace_id: busId,
    date,
    timezone,
    group: row.group,
    entered: row.entered,
    exited: row.exited,
    entered_kids: row.enteredKids,
    exited_kids: row.exitedKids,
    totalEntered: row.entered - manual.enteredManual,
    totalExited: row.exited - manual.exitedManual,
    fare: roublesOf(row.kopecks),
    no_price: row.noPriceMilli / 1000,
    silent_hours: row.silentHours,
    laps: row.laps,
  };
}
