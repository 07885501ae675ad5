// Decides who may see a bus's day, and whether its cached answer is still valid. Every open page polls for this.
// Therefore rights and settings are cached for a moment, and a prepared statement reads the version by its key:
// planning a statement that also decides rights took ten times as long as running it.
import type { DayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { Cache, cached } from '../core/cache.ts';
import type { CoreDeps } from '../core/core-deps.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { findDayBounds } from '../days/bus-days.ts';
import { everySettings, settingsOn } from '../days/bus-settings.ts';
import { watchBus } from '../days/due-laps.ts';
import { isKnownBus, isOfVisibleClient, isOwnDay } from './visible.ts';

/** Greatest age of cached rights and settings, ms; a user loses the days of a lost bus within 5 s. */
const KEEP_MS = 2000;
const MOST_KEPT = 20_000;
/** An open page reports that somebody looks at the bus once in this time, ms. */
const LOOK_EVERY_MS = 10_000;

interface BusSettings {
  readonly busId: number;
  readonly timezone: string;
  readonly countPassengersInside: boolean;
  readonly hasCalculator: boolean;
  /** The unit that sat in the bus on the day, the last one. */
  readonly unitId: number | null;
  /** Whether a unit of the day can tell children apart: those of other protocols count all as adults. */
  readonly unitsTellChildren: boolean;
  /** False: another customer's day, which answers like one without data. */
  readonly isOwn: boolean;
  /** Routes of the bus whose customers the user may not know: their names and stops are left out. */
  readonly hiddenRoutes: readonly number[];
}

/** With the day's bounds: computing them in a zone costs more than the rest of a cached answer. */
type Settings = BusSettings & DayRange;

export interface DayGate extends Settings {
  /** Raised by every change of what the day shows. */
  readonly version: number;
  /** An edit is not yet in the laps, and in the money that comes from them. */
  readonly isEditPending: boolean;
}

/** @throws AppError not_found, also for foreign buses */
export type FindDayGate = (viewer: Viewer, busId: number, date: string) => Promise<DayGate>;

/** The gate to the days of buses, for one process. */
export function createDayGate({
  database,
  clock,
  log,
}: Pick<CoreDeps, 'database' | 'clock' | 'log'>): FindDayGate {
  const lookedAt = new Cache<string, true>({
    most: MOST_KEPT,
    age: { keepMs: LOOK_EVERY_MS, clock },
  });
  // The answer does not wait for it and does not need it.
  const look = (busId: number, day: string): void => {
    const key = `${busId}:${day}`;
    if (lookedAt.get(key)) return;
    lookedAt.set(key, true);
    watchBus(database.db, { busId, day }, clock.nowMs()).catch((err: unknown) =>
      log.warn({ err, busId }, 'a viewed bus was not announced'),
    );
  };
  const settings = new Cache<string, Promise<Settings>>({
    most: MOST_KEPT,
    age: { keepMs: KEEP_MS, clock },
  });
  return async (viewer, busId, date) => {
    // The version first: an answer built later is at least as new.
    const { rows } = await database.pool.query<{ version: number; pending: boolean | null }>({
      name: 'day_version',
      text: `select version, (select edited_take > stored from lap_days
          where workplace_id = $1 and day = $2) as pending
        from bus_days where workplace_id = $1 and day = $2`,
      values: [busId, date],
    });
    const key = `${viewer.sessionId}:${busId}:${date}`;
    const found = await cached(settings, key, () => findSettings(database, viewer, busId, date));
    if (found.isOwn) look(busId, date);
    const [state] = rows;
    return { ...found, version: state?.version ?? 0, isEditPending: state?.pending ?? false };
  };
}

async function findSettings(
  { db }: CoreDeps['database'],
  viewer: Viewer,
  busId: number,
  date: string,
): Promise<Settings> {
  const { rows } = await sql<BusSettings>`
    select workplaces.id as "busId", timezone,
      count_passengers_inside as "countPassengersInside", bus_calculation as "hasCalculator",
      case when own.day then (select unit_id from unit_assignments as assigned
        where assigned.workplace_id = workplaces.id
          and from_at at time zone timezone < ${date}::date + 1 and until_at at time zone timezone > ${date}::date
        order by from_at desc limit 1) end as "unitId", own.day as "isOwn",
      -- A bus that had no unit is not known to have one of another protocol.
      coalesce((select bool_or(protocol is null) from unit_assignments as assigned
        join units on units.id = assigned.unit_id where assigned.workplace_id = workplaces.id
          and from_at at time zone timezone < ${date}::date + 1 and until_at at time zone timezone > ${date}::date),
        true) as "unitsTellChildren",
      array(select id from route_groups
        where (id in (select group_id from ${everySettings(sql.ref('workplaces.id'))} as every)
            or id in (select group_id from laps where workplace_id = workplaces.id
              and day between ${date}::date - 1 and ${date}::date + 1))
          and not ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
        order by id) as "hiddenRoutes"
    from workplaces
    cross join lateral ${settingsOn(sql.ref('workplaces.id'), sql`${date}::date`)} as settings
    cross join lateral (
      select ${isOwnDay(viewer, sql.ref('workplaces.id'), sql`${date}::date`)} as day) as own
    where workplaces.id = ${busId}
      and ${isKnownBus(viewer, sql.ref('workplaces.id'))}`.execute(db);
  const settings = rows[0];
  if (settings === undefined) throw notFound();
  return { ...settings, ...(await findDayBounds(db, busId, date)) };
}
