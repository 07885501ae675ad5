// The report of buses: the stops of every lap, and what the lap has at no stop.

import { roundTo } from '@ridewatch/contract/round';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { type RawBuilder, sql } from 'kysely';
import { isOfVisibleClient } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { Question } from '../question.ts';
import { directions, headings } from '../words.ts';
import type { Column, Row } from '../writing/table.ts';
import { lapParts, type RowOfLap } from './lap-parts.ts';
import { listZoneParts, type ZonePart, zoneNameAt } from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

const words = {
  start: ['Начало круга', 'Lap begins'],
  complete: ['Полный', 'Complete'],
  position: ['№ остановки', 'Stop no.'],
  stop: ['Остановка', 'Stop'],
  arrival: ['Прибытие', 'Arrival'],
  departure: ['Отправление', 'Departure'],
  passed: ['Проезд мимо', 'Passed'],
  inside: ['В салоне', 'Inside'],
  noStop: ['вне остановок', 'at no stop'],
  open: ['ещё идёт', 'in progress'],
} as const satisfies Record<string, Words>;
/** Why a lap is incomplete; docs/laps.md. */
const reasons: Readonly<Record<string, Words>> = {
  no_departure: ['нет отправления', 'no departure'],
  no_arrival: ['нет прибытия', 'no arrival'],
  short_turn: ['разворот раньше', 'short turn'],
  detour: ['объезд', 'detour'],
  off_route: ['вне маршрута', 'off the route'],
  no_route: ['без маршрута', 'no route'],
};

/** Rows of the report of buses. */
export function workplacesReport(question: Question): ReportRows {
  const { viewer, buses, language } = question;
  const say = (text: Words): string => wordIn(language, text);
  const columns: Column[] = [
    { title: say(headings.bus), type: 'text' },
    { title: say(headings.day), type: 'day' },
    { title: say(headings.route), type: 'text' },
    { title: say(headings.pattern), type: 'text', width: 18 },
    { title: say(headings.lap), type: 'integer' },
    { title: say(words.start), type: 'moment' },
    { title: say(words.complete), type: 'text', width: 18 },
    { title: say(words.position), type: 'integer' },
    { title: say(words.stop), type: 'text', width: 30 },
    { title: say(headings.direction), type: 'text', width: 14 },
    { title: say(words.arrival), type: 'moment' },
    { title: say(words.departure), type: 'moment' },
    { title: say(words.passed), type: 'moment' },
    { title: say(headings.entered), type: 'integer' },
    { title: say(headings.exited), type: 'integer' },
    { title: say(words.inside), type: 'decimal' },
    { title: say(headings.zone), type: 'text', width: 18 },
  ];
  const completeness = ({ open, incomplete }: StopRow): string => {
    if (open) return say(words.open);
    if (incomplete === null) return say(['да', 'yes']);
    const reason = reasons[incomplete];
    return reason === undefined ? incomplete : say(reason);
  };
  const rowsOf = (bus: string, part: readonly StopRow[], zone: string): Row[] =>
    [...Map.groupBy(part, ({ lapId }) => lapId).values()].flatMap((stops) => {
      const [lap] = stops;
      if (lap === undefined) return [];
      const { day, route, pattern, number, startWallMs } = lap;
      const head = [bus, day, route, pattern, number, startWallMs, completeness(lap)];
      const left = { entered: lap.lapEntered, exited: lap.lapExited };
      const rows = stops.flatMap((stop): Row[] => {
        if (stop.position === null) return [];
        left.entered -= stop.entered ?? 0;
        left.exited -= stop.exited ?? 0;
        const direction = directions[stop.direction ?? ''];
        const load = stop.load === null ? null : roundTo(stop.load, 1);
        const times = [stop.arrivalMs, stop.departureMs, stop.passedMs];
        return [
          [
            ...[
              ...head,
              stop.position + 1,
              stop.stop,
              direction === undefined ? null : say(direction),
            ],
            ...[...times, stop.entered, stop.exited, load, zoneNameAt(zone, stop.atMs)],
          ],
        ];
      });
      const isRest = left.entered !== 0 || left.exited !== 0;
      const rest = [
        null,
        say(words.noStop),
        null,
        null,
        null,
        null,
        left.entered,
        left.exited,
        null,
        zoneNameAt(zone, lap.startMs),
      ];
      return isRest ? [...rows, [...head, ...rest]] : rows;
    });
  return {
    columns,
    count: (db, most) => countStops(db, question, most),
    read: (db, onShare) =>
      oneByOne(buses, onShare, async function* (bus) {
        for (const part of await listZoneParts(db, bus)) {
          const ask = (laps: RawBuilder<unknown>) => stopsOf(viewer, laps, part);
          for await (const stops of lapParts(db, bus.id, part, ask))
            yield rowsOf(bus.name, stops, part.zone);
        }
      }),
  };
}

/** A stop of a lap; the stop's part is null for a lap without stops. Wall times are ms since 1970 as if UTC. */
interface StopRow extends RowOfLap {
  readonly lapId: number;
  readonly route: string | null;
  readonly pattern: string | null;
  readonly startWallMs: number;
  /** Of the lap, and of its stop: ms since 1970 UTC. */
  readonly startMs: number;
  readonly atMs: number;
  readonly open: boolean;
  readonly incomplete: string | null;
  readonly lapEntered: number;
  readonly lapExited: number;
  readonly position: number | null;
  readonly stop: string | null;
  readonly direction: string | null;
  readonly arrivalMs: number | null;
  readonly departureMs: number | null;
  readonly passedMs: number | null;
  readonly entered: number | null;
  readonly exited: number | null;
  readonly load: number | null;
}

// Neither name nor stops are told of a route that the user may not know.
function stopsOf(
  viewer: Viewer,
  laps: RawBuilder<unknown>,
  { zone }: ZonePart,
): RawBuilder<StopRow> {
  const wall = (column: string) =>
    sql`(extract(epoch from ${sql.ref(column)} at time zone ${zone}::text) * 1000)::float8`;
  const ms = (moment: RawBuilder<unknown>) => sql`(extract(epoch from ${moment}) * 1000)::float8`;
  return sql<StopRow>`
    select lap.id as "lapId", lap.day, lap.number, route_groups.name as route,
      case when route_groups.id is not null then lap.pattern_name end as pattern, ${wall('lap.start_time')} as "startWallMs", lap.open,
      lap.incomplete, lap.entered as "lapEntered", lap.exited as "lapExited",
      stop.position, stop.name as stop, stop.direction, ${wall('stop.arrival')} as "arrivalMs",
      ${wall('stop.departure')} as "departureMs", ${wall('stop.passed_at')} as "passedMs",
      stop.entered, stop.exited, stop.load, ${ms(sql.ref('lap.start_time'))} as "startMs",
      ${ms(sql`coalesce(arrival, departure, passed_at, lap.start_time)`)} as "atMs"
    from ${laps} as lap
    left join route_groups on route_groups.id = lap.group_id
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    left join lap_stops as stop on stop.lap_id = lap.id
      and (lap.group_id is null or route_groups.id is not null)
    order by lap.day, lap.number, stop.position`;
}

async function countStops(
  db: Db,
  { buses, parameters: { from, to } }: Question,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ stops: number }>`
    select count(*)::int as stops from (
      select from laps join lap_stops on lap_id = laps.id
      where workplace_id = any(${buses.map(({ id }) => id)}::bigint[])
        and day between ${from}::date and ${to}::date limit ${most}) as counted`.execute(db);
  return rows[0]?.stops ?? 0;
}
