// The advanced report: routes by local day and hour. People are the effective counts of the buses that are on the route
// that day, as in the statistics; laps and loads are those of the laps on the route.

import { addDays, countDays, offsetOf } from '@ridewatch/contract/day';
import { offsetIfRepeated } from '@ridewatch/contract/hours';
import { roundTo } from '@ridewatch/contract/round';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { sql } from 'kysely';
import type { RouteRow } from '../../access/route.ts';
import { isKnownBus, isOwnDay } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { boundsOfDay, listZonesOf } from '../../days/bus-days.ts';
import { everOnRoute, settingsOn } from '../../days/bus-settings.ts';
import { type HourOfBuses, sumHoursOf } from '../../figures/hours.ts';
import type { Question } from '../question.ts';
import { headings } from '../words.ts';
import type { Column, Row } from '../writing/table.ts';
import { type DayRange, rangesOf } from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

/** Days of a part: at most 25 rows each. */
const PART_DAYS = 7;
/** Hours of a day in which a route usually has people, for the estimate. */
const USUAL_HOURS = 18;

/** Rows of the advanced report. */
export function advancedReport(question: Question): ReportRows {
  const { viewer, parameters, language } = question;
  const { from, to } = parameters;
  const routes: readonly RouteRow[] = question.routes ?? [];
  const say = (text: Words): string => wordIn(language, text);
  const columns: Column[] = [
    { title: say(headings.route), type: 'text' },
    { title: say(headings.day), type: 'day' },
    { title: say(headings.hour), type: 'hour' },
    { title: say(headings.laps), type: 'integer' },
    { title: say(headings.entered), type: 'integer' },
    { title: say(headings.exited), type: 'integer' },
    { title: say(headings.greatestLoad), type: 'decimal', width: 14 },
    { title: say(headings.zone), type: 'text', width: 18 },
  ];
  return {
    columns,
    count: async (_db, most) => {
      return Math.min(most, routes.length * countDays(from, to) * USUAL_HOURS);
    },
    read: (db, onShare) =>
      oneByOne(routes, onShare, async function* ({ id, name }) {
        const { rows: buses } = await sql<{ id: number }>`
          select id from ${everOnRoute(id)} as bus
          where ${isKnownBus(viewer, sql.ref('bus.id'))}`.execute(db);
        const busIds = buses.map((bus) => bus.id);
        for (const range of rangesOf(parameters, PART_DAYS)) {
          const part = { viewer, routeId: id, busIds, ...range };
          const hours = await readHours(db, part);
          if (hours.length === 0) continue;
          const zones = await listZones(db, part);
          yield hours.map(
            (hour): Row => [
              ...[name, hour.day, hour.wallMs, hour.laps, hour.entered, hour.exited],
              hour.load === null ? null : roundTo(hour.load, 1),
              `${zones.join(', ')}${hour.offset}`,
            ],
          );
        }
      }),
  };
}

interface Part extends DayRange {
  readonly viewer: Viewer;
  readonly routeId: number;
  /** Buses that are or were on the route. */
  readonly busIds: readonly number[];
}

/** The known figures of an hour of a route. */
interface RouteHour {
  readonly day: string;
  /** Its start, local wall time as ms since 1970 as if UTC. */
  readonly wallMs: number;
  /** Of an hour that the clocks show twice, ` UTC+2`; else empty. */
  readonly offset: string;
  laps: number;
  entered: number;
  exited: number;
  /** Null where no load is known. */
  load: number | null;
}

async function readHours(db: Db, part: Part): Promise<RouteHour[]> {
  const hours = new Map<string, RouteHour>();
  const hourAt = ({ atMs, zone }: InHour): RouteHour => {
    const wallMs = Math.floor((atMs + offsetOf(atMs, zone)) / HOUR_MS) * HOUR_MS;
    const offset = offsetIfRepeated(atMs, zone);
    const day = new Date(wallMs).toISOString().slice(0, 10);
    const key = `${wallMs} ${offset}`;
    const known = hours.get(key) ?? {
      ...{ day, wallMs, offset, laps: 0, entered: 0, exited: 0, load: null },
    };
    hours.set(key, known);
    return known;
  };
  for (const traffic of await listTraffic(db, part)) {
    const hour = hourAt(traffic);
    hour.entered += traffic.entered;
    hour.exited += traffic.exited;
  }
  for (const start of await listLapStarts(db, part)) hourAt(start).laps += start.laps;
  for (const visit of await listLoads(db, part)) {
    const hour = hourAt(visit);
    hour.load = Math.max(hour.load ?? visit.load, visit.load);
  }
  const [from, to] = [Date.parse(part.from), Date.parse(addDays(part.to, 1))];
  // The one with the greater offset is the first of a repeated hour.
  return [...hours.values()]
    .filter(({ wallMs }) => wallMs >= from && wallMs < to)
    .sort((a, b) => a.wallMs - b.wallMs || b.offset.localeCompare(a.offset, 'en', NUMERIC));
}

const HOUR_MS = 3_600_000;
const NUMERIC = { numeric: true };

/** A moment of an hour of the clock of a zone; ms since 1970 UTC. */
interface InHour {
  readonly atMs: number;
  readonly zone: string;
}

/** The people of the buses that are on the route, by hour of each bus's own clock. */
async function listTraffic(
  db: Db,
  { viewer, routeId, busIds, from, to }: Part,
): Promise<HourOfBuses[]> {
  const { rows: days } = await sql<{ busId: number; day: string }>`
    select bus.id as "busId", days.day::date as day
    from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as days (day)
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql`days.day::date`)} as settings
    where settings.group_id = ${routeId}
      and ${isOwnDay(viewer, sql.ref('bus.id'), sql`days.day::date`)}`.execute(db);
  const zones = await listZonesOf(db, [...new Set(days.map(({ busId }) => busId))]);
  const bound = days.map((one) => ({
    ...one,
    ...boundsOfDay(zones.get(one.busId) ?? [], one.day),
  }));
  return sumHoursOf(db, zones, bound);
}

/** The zones of the buses that are on the route on the days; their hours are those of each bus's own clock. */
async function listZones(db: Db, { viewer, routeId, busIds, from, to }: Part): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`
    select distinct settings.timezone as zone
    from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as days (day)
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql`days.day::date`)} as settings
    where settings.group_id = ${routeId}
      and ${isOwnDay(viewer, sql.ref('bus.id'), sql`days.day::date`)} order by 1`.execute(db);
  return rows.map(({ zone }) => zone);
}

// Every hour of a clock is whole quarters of an hour, because every offset is.
const quarterOf = (column: string) =>
  sql`(extract(epoch from date_bin('15 minutes', ${sql.ref(column)}, 'epoch'::timestamptz)) * 1000)::float8`;

/** The hours of laps on the route that start on the days. */
async function listLapStarts(
  db: Db,
  { viewer, routeId, busIds, from, to }: Part,
): Promise<(InHour & { laps: number })[]> {
  const { rows } = await sql<InHour & { laps: number }>`
    select ${quarterOf('start_time')} as "atMs", timezone as zone, count(*)::int as laps
    from laps
    cross join lateral ${settingsOn(sql.ref('laps.workplace_id'), sql.ref('laps.day'))} as settings
    where workplace_id = any(${[...busIds]}::bigint[]) and laps.group_id = ${routeId}
      and ${isOwnDay(viewer, sql.ref('laps.workplace_id'), sql.ref('laps.day'))}
      and day between ${from}::date and ${to}::date
    group by 1, 2`.execute(db);
  return rows;
}

/** The greatest load after a stop, by the hour of the visit; laps may have begun on the day before. */
async function listLoads(
  db: Db,
  { viewer, routeId, busIds, from, to }: Part,
): Promise<(InHour & { load: number })[]> {
  const { rows } = await sql<InHour & { load: number }>`
    select ${quarterOf('at')} as "atMs", timezone as zone, max(load) as load
    from laps join lap_stops on lap_id = laps.id
    cross join lateral ${settingsOn(sql.ref('laps.workplace_id'), sql.ref('laps.day'))} as settings
    cross join lateral (select coalesce(departure, arrival, passed_at) as at) as seen
    where workplace_id = any(${[...busIds]}::bigint[]) and laps.group_id = ${routeId}
      and ${isOwnDay(viewer, sql.ref('laps.workplace_id'), sql.ref('laps.day'))}
      and day between ${from}::date - 1 and ${to}::date and at is not null
    group by 1, 2`.execute(db);
  return rows;
}
