import type { HaltStat } from '@ridewatch/contract/laps';
import { type RawBuilder, sql } from 'kysely';
import type { ClassifierRow } from '../access/stop.ts';
import { isOwnDay, type Visible } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsOn } from '../days/bus-settings.ts';

export interface StopStatQuestion {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly routeId: number | undefined;
  /** 1 = Monday; all weekdays when undefined. */
  readonly dayOfWeek: number | undefined;
  readonly groupMinutes: number;
}

/** People who got on and off at a stop, by the local time of day of each bus; every slot of a day, also empty ones. */
export async function listStopStat(
  db: Db,
  viewer: Viewer,
  { id }: Visible<ClassifierRow>,
  { dateFrom, dateTo, routeId, dayOfWeek, groupMinutes }: StopStatQuestion,
): Promise<HaltStat[]> {
  const spans = sql.raw<number>(String(groupMinutes));
  const isWanted: RawBuilder<unknown>[] = [
    sql`at::date between ${dateFrom}::date and ${dateTo}::date`,
    ...(dayOfWeek === undefined ? [] : [sql`extract(isodow from at) = ${dayOfWeek}::int`]),
  ];
  const { rows } = await sql<{ span: number; entered: number; exited: number }>`
    select (extract(hour from at)::int * 60 + extract(minute from at)::int) / ${spans} as span,
      sum(entered)::int as entered, sum(exited)::int as exited
    from (
      select lap_stops.entered, lap_stops.exited,
        coalesce(arrival, departure, laps.start_time) at time zone timezone as at
      from lap_stops join laps on laps.id = lap_id
      cross join lateral ${settingsOn(sql.ref('laps.workplace_id'), sql.ref('laps.day'))} as settings
      where lap_stops.classifier_id = ${id}
        and laps.day between ${dateFrom}::date - 1 and ${dateTo}::date
        and ${routeId === undefined ? sql`true` : sql`laps.group_id = ${routeId}`}
        and ${isOwnDay(viewer, sql.ref('laps.workplace_id'), sql.ref('laps.day'))}
    ) as visits
    where ${sql.join(isWanted, sql` and `)}
    group by span`.execute(db);
  const found = new Map(rows.map((row) => [row.span, row]));
  return Array.from({ length: (24 * 60) / groupMinutes }, (_, span) => {
    const minutes = span * groupMinutes;
    const two = (value: number): string => String(value).padStart(2, '0');
    return {
      from: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
      entered: found.get(span)?.entered ?? 0,
      exited: found.get(span)?.exited ?? 0,
    };
  });
}
