import { LEAST_COUNTED_PEOPLE, MOST_IMBALANCE } from '@ridewatch/contract/attention';
import type { Board, BoardBus } from '@ridewatch/contract/board';
import { roublesOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import { listVisibleBusIds } from '../access/bus.ts';
import { ownDaysAmong } from '../access/own-days.ts';
import type { Visible } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { listZonesOf, presentDaysOf } from '../days/bus-days.ts';
import { isMissed, shownStateOf } from '../fetching/bus-state.ts';
import { listEnteredByHour } from '../figures/day-hours.ts';
import { listStale } from '../figures/hours.ts';
import { type BusSum, sumDays } from '../figures/many-days.ts';
import { type LastLap, listLastLaps } from '../laps/stops-and-loads.ts';
import { countWaiting } from '../manual-counts/saved-counts.ts';
import { placeOf } from './lap-place.ts';

/** Below this speed a position says nothing about driving, as where `moved_at` comes from. */
const LEAST_SPEED_KMH = 5;

/** A board, and what each of its buses came to on its day. */
interface SummedBoard {
  readonly board: Board;
  readonly sums: readonly BusSum[];
}

/**
 * Reads the figures of all buses that the user may see, in eight statements for any number of buses. It does not mark the
 * buses as watched, because then the server would compute the laps of the whole fleet.
 * @param nowMs ms since 1970 UTC
 */
export async function buildBoard(db: Db, viewer: Viewer, nowMs: number): Promise<SummedBoard> {
  const ids = await listVisibleBusIds(db, viewer);
  const zones = await listZonesOf(db, ids);
  // On the day on which a bus came from another customer, it has no figures yet.
  const days = await ownDaysAmong(db, viewer, presentDaysOf(zones, nowMs));
  const buses = await listPresence(db, viewer, ids, nowMs);
  const sums = await sumDays(db, days);
  const hours = await listEnteredByHour(db, zones, days);
  const stale = new Set((await listStale(db, days)).map(({ busId }) => busId));
  const laps = new Map(
    (await listLastLaps(db, viewer, days, nowMs)).map((lap) => [lap.busId, lap]),
  );
  const waiting = await countWaiting(db, viewer, ids);
  const sumOf = new Map(sums.map((sum) => [sum.busId, sum]));
  const items = buses.map((bus): BoardBus => {
    const state = shownStateOf(bus, nowMs);
    const isSilent = state === 'silent' || state === 'off';
    const lap = laps.get(bus.id);
    const sum = sumOf.get(bus.id);
    const isStale = stale.has(bus.id);
    return {
      id: bus.id,
      state,
      speed_kmh: state === 'moving' ? speedOf(bus) : null,
      moved_at: bus.last_moved_at?.toISOString() ?? null,
      entered: isStale ? null : (sum?.entered ?? 0),
      hours: isStale ? [] : [...(hours.get(bus.id) ?? [])],
      revenue: isStale ? null : roublesOf(sum?.kopecks ?? 0),
      inside: bus.count_passengers_inside ? insideOf(lap, sum, isStale) : null,
      places: (bus.capacity_seated ?? 0) + (bus.capacity_standing ?? 0) || null,
      lap: lap === undefined ? null : placeOf(lap, nowMs),
      imbalance_percent: lap === undefined ? null : flaggedImbalance(lap),
      no_price: Math.round(lap?.noPrice ?? 0),
      waiting: waiting.get(bus.id) ?? 0,
      offline_cameras: isSilent ? [] : bus.offline_cameras,
    };
  });
  const made_at = new Date(nowMs).toISOString();
  return { board: { items, number: 0, total: items.length, made_at }, sums };
}

// A bus that moved within the last minute may stand at its last point.
function speedOf({ last_speed_kmh }: Presence): number | null {
  return last_speed_kmh === null || last_speed_kmh < LEAST_SPEED_KMH
    ? null
    : Math.round(last_speed_kmh);
}

function insideOf(
  lap: LastLap | undefined,
  sum: BusSum | undefined,
  isStale: boolean,
): number | null {
  if (lap !== undefined && lap.load !== null) return lap.load;
  if (isStale) return null;
  // Before the first lap nothing is balanced yet; the raw load, which missed people take below zero, is not for screens.
  return Math.max(0, (sum?.entered ?? 0) - (sum?.exited ?? 0));
}

function flaggedImbalance({ entered, exited }: LastLap): number | null {
  const most = Math.max(entered, exited);
  if (most < LEAST_COUNTED_PEOPLE) return null;
  const share = Math.abs(entered - exited) / most;
  return share > MOST_IMBALANCE ? Math.round(100 * share) : null;
}

interface Presence {
  readonly id: number;
  readonly count_passengers_inside: boolean;
  readonly capacity_seated: number | null;
  readonly capacity_standing: number | null;
  readonly last_seen_at: Date | null;
  readonly last_moved_at: Date | null;
  readonly last_speed_kmh: number | null;
  readonly missed: boolean;
  readonly offline_cameras: number[];
}

async function listPresence(
  db: Db,
  viewer: Viewer,
  ids: Visible<readonly number[]>,
  nowMs: number,
): Promise<Presence[]> {
  const { rows } = await sql<Presence>`
    select workplaces.id, count_passengers_inside, capacity_seated, capacity_standing,
      last_seen_at, last_moved_at, last_speed_kmh, ${isMissed(viewer, nowMs)} as missed,
      array(select id from cameras where cameras.workplace_id = workplaces.id
        and enabled and status = 'offline' order by id) as offline_cameras
    from workplaces left join units on units.workplace_id = workplaces.id
    where workplaces.id = any(${[...ids]}::bigint[])
    order by workplaces.id`.execute(db);
  return rows;
}
