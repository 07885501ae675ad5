// The settings of a bus on a local day: its zone, route, stops and prices. A change of today does not change yesterday,
// which is computed with its own settings.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { findDayBounds } from '../../days/bus-days.ts';
import { settingsOn } from '../../days/bus-settings.ts';
import { listPatternRowsOn } from '../../days/route-patterns.ts';
import { findRouteTrackOn } from '../../days/route-track.ts';
import { isPricedRoute } from '../../figures/day-figures.ts';
import type { DayPattern, DayRoute } from '../engine/day-route.ts';
import type { Place } from '../engine/geometry/plane.ts';
import type { Direction, RouteStop } from '../engine/route-path.ts';

export interface DaySettings {
  /** The local day, ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
  readonly timezone: string;
  /** From then on the positions of its present unit are in no lap, ms since 1970 UTC; null: all are. */
  readonly testSinceMs: number | null;
  readonly routeId: number | null;
  readonly terminalStopId: number | null;
  /** Whether the route's revenue comes from its price table. */
  readonly calculation: boolean;
  /** The side whose counts the balancing for the revenue leaves unchanged. */
  readonly keep: 'entered' | 'exited';
}

interface SettingsRow {
  readonly timezone: string;
  readonly testSince: Date | null;
  readonly routeId: number | null;
  readonly terminalStopId: number | null;
  readonly calculation: boolean;
  readonly event: 'ENTERED' | 'EXITED' | null;
}

/** Finds the settings of a bus on a local day. @returns undefined when the bus does not exist */
export async function findDaySettings(
  db: Db,
  busId: number,
  day: string,
): Promise<DaySettings | undefined> {
  const { rows } = await sql<SettingsRow>`
    select settings.timezone, test_since as "testSince",
      settings.group_id as "routeId", settings.terminal_stop_id as "terminalStopId",
      ${isPricedRoute(sql.ref('settings.group_id'), sql`${day}::date`)} as calculation,
      (select calculation_event from calculations
        where workplace_id = workplaces.id and day <= ${day}::date order by day desc limit 1) as event
    from workplaces
    left join units on units.workplace_id = workplaces.id
    cross join lateral ${settingsOn(sql.ref('workplaces.id'), sql`${day}::date`)} as settings
    where workplaces.id = ${busId}`.execute(db);
  const row = rows[0];
  if (row === undefined) return undefined;
  const { event, testSince, ...settings } = row;
  return {
    ...settings,
    testSinceMs: testSince?.getTime() ?? null,
    ...(await findDayBounds(db, busId, day)),
    keep: event === 'EXITED' ? 'exited' : 'entered',
  };
}

interface StopRow extends Place {
  readonly id: number;
  readonly name: string;
  readonly classifierId: number;
  readonly orderKey: number;
  readonly direction: Direction;
  readonly terminal: 'first' | 'last' | null;
  readonly inDefault: boolean;
}

/** The route of a bus as it is valid on a day; null without one. */
export async function findDayRoute(
  db: Db,
  { routeId, terminalStopId, calculation, keep }: DaySettings,
  day: string,
): Promise<DayRoute | null> {
  if (routeId === null) return null;
  const { rows: all } = await sql<StopRow>`
    select id, name, classifier_id as "classifierId", latitude, longitude, order_key as "orderKey",
      route_direction as direction, terminal, in_default as "inDefault"
    from route_stops join route_stop_versions on stop_id = id
    where group_id = ${routeId} and valid_from <= ${day}::date
      and (valid_to is null or valid_to > ${day}::date)
    order by id`.execute(db);
  const stops = all.filter(({ inDefault }) => inDefault);
  return {
    routeId,
    route: {
      stops: stops.map((stop) => engineStop(stop, stop.orderKey)),
      track: await findRouteTrackOn(db, routeId, day),
      terminalStopId:
        stops.find((stop) => stop.id === terminalStopId)?.id ??
        stops.find((stop) => stop.terminal === 'first')?.id ??
        null,
      lastTerminalStopId: stops.find((stop) => stop.terminal === 'last')?.id ?? null,
    },
    patterns: await listDayPatterns(db, routeId, day, all),
    places: new Map(all.map(({ id, name, classifierId }) => [id, { name, classifierId }])),
    prices: calculation ? await listPrices(db, routeId, day) : null,
    keep,
  };
}

function engineStop({ id, latitude, longitude, direction }: StopRow, orderKey: number): RouteStop {
  return { id, latitude, longitude, direction, orderKey };
}

// A pattern that has lost its stops, or has those of another one, is no way to drive of its own.
async function listDayPatterns(
  db: Db,
  routeId: number,
  day: string,
  all: readonly StopRow[],
): Promise<DayPattern[]> {
  const rows = await listPatternRowsOn(db, routeId, day);
  if (rows.length < 2) return [];
  const byId = new Map(all.map((stop) => [stop.id, stop]));
  const byDefault = all.filter((stop) => stop.inDefault);
  const ordered = byDefault.toSorted((a, b) => a.orderKey - b.orderKey || a.id - b.id);
  const known = new Set<string>();
  const patterns = rows.flatMap(({ id, name, stopIds, track, runs }): DayPattern[] => {
    const own = stopIds?.flatMap((stopId) => byId.get(stopId) ?? []) ?? ordered;
    const key = (['FORWARD', 'REVERSE'] as const)
      .map((one) => own.flatMap((stop) => (stop.direction === one ? stop.id : [])))
      .join('|');
    if (own.length < 2 || known.has(key)) return [];
    known.add(key);
    return [{ id, name, stops: own.map(engineStop), track: track ?? [], runs }];
  });
  return patterns.length < 2 ? [] : patterns;
}

async function listPrices(db: Db, routeId: number, day: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ from: number; to: number; kopecks: number }>`
    select from_stop_id as from, to_stop_id as to, cost_kopecks as kopecks from route_costs
    where group_id = ${routeId} and valid_from <= ${day}::date
      and (valid_to is null or valid_to > ${day}::date)`.execute(db);
  return new Map(rows.map(({ from, to, kopecks }) => [`${from}:${to}`, kopecks]));
}
