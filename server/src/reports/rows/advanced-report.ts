// The advanced report: routes by local day and hour. People are the effective counts of the buses that are on the route
// that day, as in the statistics; laps and loads are those of the laps on the route.
import { addDays, formatMoment } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { RouteRow } from '../../access/route.ts';
import { isVisibleBus } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import { listHours } from '../../counts/hours.ts';
import { listZoneSpans, zoneAt } from '../../days/bus-days.ts';
import { everOnRoute, settingsOn } from '../../days/bus-settings.ts';
import type { Question } from '../question.ts';
import { headings, type Words, wordIn } from '../words.ts';
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
      const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
      return Math.min(most, routes.length * days * USUAL_HOURS);
    },
    read: (db, onShare) =>
      oneByOne(routes, onShare, async function* ({ id, name }) {
        const { rows: buses } = await sql<{ id: number }>`
          select id from ${everOnRoute(id)} as bus
          where ${isVisibleBus(viewer, sql.ref('bus.id'))}`.execute(db);
        const busIds = buses.map((bus) => bus.id);
        for (const range of rangesOf(parameters, PART_DAYS)) {
          const part = { routeId: id, busIds, ...range };
          const hours = await readHours(db, part);
          if (hours.length === 0) continue;
          const zones = await listZones(db, part);
          yield hours.map(
            (hour): Row => [
              ...[name, hour.day, hour.wallMs, hour.laps, hour.entered, hour.exited],
              hour.load === null ? null : Math.round(hour.load * 10) / 10,
              zones.join(', '),
            ],
          );
        }
      }),
  };
}

interface Part extends DayRange {
  readonly routeId: number;
  /** Buses that are or were on the route. */
  readonly busIds: readonly number[];
}

/** What is known of an hour of a route. */
interface RouteHour {
  readonly day: string;
  /** Its start, local wall time as ms since 1970 as if UTC. */
  readonly wallMs: number;
  laps: number;
  entered: number;
  exited: number;
  /** Null where no load is known. */
  load: number | null;
}

async function readHours(db: Db, part: Part): Promise<RouteHour[]> {
  const hours = new Map<number, RouteHour>();
  const hourAt = (wallMs: number): RouteHour => {
    const day = new Date(wallMs).toISOString().slice(0, 10);
    const known = hours.get(wallMs) ?? { day, wallMs, laps: 0, entered: 0, exited: 0, load: null };
    hours.set(wallMs, known);
    return known;
  };
  for (const { wallMs, entered, exited } of await listTraffic(db, part)) {
    const hour = hourAt(wallMs);
    hour.entered += entered;
    hour.exited += exited;
  }
  for (const { wallMs, laps } of await listLapStarts(db, part)) hourAt(wallMs).laps += laps;
  for (const { wallMs, load } of await listLoads(db, part)) hourAt(wallMs).load = load;
  const [from, to] = [Date.parse(part.from), Date.parse(addDays(part.to, 1))];
  return [...hours.values()]
    .filter(({ wallMs }) => wallMs >= from && wallMs < to)
    .sort((a, b) => a.wallMs - b.wallMs);
}

interface Traffic {
  readonly wallMs: number;
  readonly entered: number;
  readonly exited: number;
}

async function listTraffic(db: Db, { routeId, busIds, from, to }: Part): Promise<Traffic[]> {
  const { rows } = await sql<{ busId: number; day: string; isStale: boolean } & Traffic>`
    with days as (
      select bus.id, day::date as day, settings.timezone, settings.group_id,
        exists (select from stale_hours where workplace_id = bus.id and stale_hours.day = days.day::date) as stale
      from unnest(${[...busIds]}::bigint[]) as bus (id)
      cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp + interval '1 day', interval '1 day') as days (day)
      cross join lateral ${settingsOn(sql.ref('bus.id'), sql`days.day::date`)} as settings),
    bounds as (
      select id, day, timezone, group_id, stale, day::timestamp at time zone timezone as day_start,
        lead(day::timestamp at time zone timezone) over (partition by id order by day) as day_end
      from days)
    select id as "busId", day, true as "isStale", 0::float8 as "wallMs", 0 as entered, 0 as exited
    from bounds where stale and group_id = ${routeId} and day_end is not null
    union all
    select null, null, false,
      (extract(epoch from date_trunc('hour', hour_start at time zone timezone)) * 1000)::float8,
      sum(entered_adults + entered_kids)::int, sum(exited_adults + exited_kids)::int
    from bounds join hourly_traffic on workplace_id = id
      and hour_start >= day_start and hour_start < day_end
    where not stale and group_id = ${routeId} and day_end is not null
    group by 4`.execute(db);
  const traffic: Traffic[] = rows.filter(({ isStale }) => !isStale);
  // Days whose rollup a job is rebuilding come from the records themselves.
  for (const { busId, day } of rows.filter(({ isStale }) => isStale)) {
    const zones = await listZoneSpans(db, busId);
    for (const hour of await listHours(db, busId, day, day)) {
      traffic.push({
        wallMs: wallOf(hour.hourMs, zoneAt(zones, hour.hourMs)),
        entered: hour.enteredAdults + hour.enteredKids,
        exited: hour.exitedAdults + hour.exitedKids,
      });
    }
  }
  return traffic;
}

function wallOf(ms: number, zone: string): number {
  return Date.parse(`${formatMoment(ms, zone, 'YYYY-MM-DDTHH:mm:ss')}Z`);
}

/** The zones of the buses that are on the route on the days; their hours are those of each bus's own clock. */
async function listZones(db: Db, { routeId, busIds, from, to }: Part): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`
    select distinct settings.timezone as zone
    from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as days (day)
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql`days.day::date`)} as settings
    where settings.group_id = ${routeId} order by 1`.execute(db);
  return rows.map(({ zone }) => zone);
}

/** The hours of laps on the route that start on the days. */
async function listLapStarts(
  db: Db,
  { routeId, busIds, from, to }: Part,
): Promise<{ wallMs: number; laps: number }[]> {
  const { rows } = await sql<{ wallMs: number; laps: number }>`
    select (extract(epoch from date_trunc('hour', start_time at time zone timezone)) * 1000)::float8
      as "wallMs", count(*)::int as laps
    from laps
    cross join lateral ${settingsOn(sql.ref('laps.workplace_id'), sql.ref('laps.day'))} as settings
    where workplace_id = any(${[...busIds]}::bigint[]) and laps.group_id = ${routeId}
      and day between ${from}::date and ${to}::date
    group by 1`.execute(db);
  return rows;
}

/** The greatest load after a stop, by the hour of the visit; laps may have begun on the day before. */
async function listLoads(
  db: Db,
  { routeId, busIds, from, to }: Part,
): Promise<{ wallMs: number; load: number }[]> {
  const { rows } = await sql<{ wallMs: number; load: number }>`
    select (extract(epoch from date_trunc('hour', at at time zone timezone)) * 1000)::float8
      as "wallMs", max(load) as load
    from laps join lap_stops on lap_id = laps.id
    cross join lateral ${settingsOn(sql.ref('laps.workplace_id'), sql.ref('laps.day'))} as settings
    cross join lateral (select coalesce(departure, arrival, passed_at) as at) as seen
    where workplace_id = any(${[...busIds]}::bigint[]) and laps.group_id = ${routeId}
      and day between ${from}::date - 1 and ${to}::date and at is not null
    group by 1`.execute(db);
  return rows;
}
