// The load of buses: of every lap by hour of the clock, the greatest and the mean one.

import { roundTo } from '@ridewatch/contract/round';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { type RawBuilder, sql } from 'kysely';
import { isOfVisibleClient } from '../../access/visible.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { Question } from '../question.ts';
import { headings } from '../words.ts';
import type { Cell, Column, Row } from '../writing/table.ts';
import { countLaps, lapParts, type RowOfLap } from './lap-parts.ts';
import { listZoneParts, type ZonePart, zoneNameAt } from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

const words = {
  mean: ['Среднее наполнение', 'Mean load'],
  greatestShare: ['Наибольшее, % вместимости', 'Greatest, % of capacity'],
  meanShare: ['Среднее, % вместимости', 'Mean, % of capacity'],
} as const satisfies Record<string, Words>;
/** Hours that a lap usually touches, for the estimate. */
const USUAL_HOURS = 3;

/** Rows of the load of buses. */
export function busLoad({ viewer, buses, parameters, language }: Question): ReportRows {
  const say = (text: Words): string => wordIn(language, text);
  const columns: Column[] = [
    { title: say(headings.bus), type: 'text' },
    { title: say(headings.route), type: 'text' },
    { title: say(headings.day), type: 'day' },
    { title: say(headings.lap), type: 'integer' },
    { title: say(headings.hour), type: 'moment' },
    { title: say(headings.greatestLoad), type: 'decimal', width: 14 },
    { title: say(words.mean), type: 'decimal', width: 14 },
    { title: say(headings.capacity), type: 'integer', width: 14 },
    { title: say(words.greatestShare), type: 'percent', width: 16 },
    { title: say(words.meanShare), type: 'percent', width: 16 },
    { title: say(headings.zone), type: 'text', width: 18 },
  ];
  return {
    columns,
    count: async (db, most) => {
      const laps = await countLaps(
        db,
        buses.map(({ id }) => id),
        parameters,
        most,
      );
      return Math.min(most, laps * USUAL_HOURS);
    },
    read: (db, onShare) =>
      oneByOne(buses, onShare, async function* (bus) {
        for (const part of await listZoneParts(db, bus)) {
          const ask = (laps: RawBuilder<unknown>) => hoursOf(viewer, laps, part);
          for await (const hours of lapParts(db, bus.id, part, ask)) {
            yield hours.flatMap((hour) => rowOf(bus.name, hour, part.zone));
          }
        }
      }),
  };
}

/** An hour of a lap; `wallMs` is null for a lap whose load nobody knows. */
interface HourOfLap extends RowOfLap {
  readonly route: string | null;
  /** Its start, local wall time as ms since 1970 as if UTC. */
  readonly wallMs: number | null;
  /** A moment in it, ms since 1970 UTC. */
  readonly atMs: number | null;
  readonly greatest: number | null;
  readonly mean: number | null;
  readonly capacity: number | null;
}

function rowOf(bus: string, hour: HourOfLap, zone: string): Row[] {
  const { route, day, number, wallMs, atMs, greatest, mean, capacity } = hour;
  if (wallMs === null || atMs === null) return [];
  const share = (load: number | null): Cell =>
    load === null || !capacity ? null : inTenths((100 * load) / capacity);
  return [
    [
      ...[bus, route, day, number, wallMs, inTenths(greatest), inTenths(mean), capacity],
      ...[share(greatest), share(mean), zoneNameAt(zone, atMs)],
    ],
  ];
}

function inTenths(load: number | null): number | null {
  return load === null ? null : roundTo(load, 1);
}

// The load after a stop lasts until the next one, and the last one to the end of the lap. The mean is by time. Before
// the first stop the load is unknown.
function hoursOf(
  viewer: Viewer,
  laps: RawBuilder<unknown>,
  { zone }: ZonePart,
): RawBuilder<HourOfLap> {
  return sql<HourOfLap>`
    with lap as materialized (select * from ${laps} as part),
    visit as (
      select id, load, at,
        lead(at, 1, greatest(at, end_time)) over (partition by id order by at, position) as until
      from lap join lap_stops on lap_id = lap.id
      cross join lateral (select coalesce(departure, arrival, passed_at) as at) as seen
      where at is not null)
    select lap.day, lap.number, route_groups.name as route,
      (extract(epoch from wall_hour) * 1000)::float8 as "wallMs",
      (extract(epoch from min(began)) * 1000)::float8 as "atMs",
      max(load) as greatest,
      coalesce(sum(load * seconds) / nullif(sum(seconds), 0), avg(load))::float8 as mean,
      nullif(coalesce(capacity_seated, 0) + coalesce(capacity_standing, 0), 0) as capacity
    from lap
    join workplaces on workplaces.id = workplace_id
    left join route_groups on route_groups.id = lap.group_id
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    left join (
      select visit.id, began, load, date_trunc('hour', began at time zone ${zone}::text) as wall_hour,
        -- An hour that the clocks show twice is two.
        (began at time zone ${zone}::text) - (began at time zone 'UTC') as zone_offset,
        extract(epoch from least(until, began + interval '15 minutes') - greatest(at, began)) as seconds
      -- Every offset of a zone, and so every hour of its clock, is whole quarters of an hour.
      from visit cross join lateral generate_series(
        date_bin('15 minutes', at, 'epoch'::timestamptz), until, interval '15 minutes') as began
      where began < until or at = until) as held on held.id = lap.id
    group by lap.day, lap.number, route_groups.name, capacity_seated, capacity_standing, wall_hour, zone_offset
    order by lap.day, lap.number, min(began)`;
}
