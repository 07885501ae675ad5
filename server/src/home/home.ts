import type { BoardBus } from '@ridewatch/contract/board';
import { addDays, dayOf, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { Home } from '@ridewatch/contract/home';
import { roublesOf } from '@ridewatch/contract/money';
import { listVisibleBusIds } from '../access/bus.ts';
import { buildBoard } from '../board/queries.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { listPresentDays } from '../days/bus-days.ts';
import { listLoadsAt } from '../laps/queries.ts';
import { sumReview } from '../manual-counts/queries.ts';
import { type BusSum, listEarlierDays, sumDays, sumHours, sumUntil } from './compare.ts';

const WEEK_DAYS = 7;

/**
 * The day at a glance, in some fifteen statements for any number of buses.
 * @param nowMs ms since 1970 UTC
 */
export async function buildHome(db: Db, viewer: Viewer, nowMs: number): Promise<Home> {
  const { items } = await buildBoard(db, viewer, nowMs);
  const ids = await listVisibleBusIds(db, viewer);
  const days = await listPresentDays(db, ids, nowMs);
  const earlier = await listEarlierDays(db, days, nowMs);
  const [now, before] = [await sumDays(db, days), await sumUntil(db, earlier)];
  const [hours, hoursBefore] = [await sumHours(db, days), await sumHours(db, earlier)];
  const loads = await listLoadsAt(db, earlier);
  const day = dayOf(nowMs, FALLBACK_ZONE);
  const review = await sumReview(db, ids, dayRange(day, FALLBACK_ZONE).startMs);
  const compared = (pick: 'entered' | 'exited') => ({
    now: sum(now, pick),
    before: sum(before, pick),
  });
  return {
    made_at: new Date(nowMs).toISOString(),
    day,
    before_day: addDays(day, -WEEK_DAYS),
    buses: statesOf(items),
    entered: compared('entered'),
    exited: compared('exited'),
    revenue: {
      now: roublesOf(sum(now, 'kopecks')),
      before: roublesOf(sum(before, 'kopecks')),
    },
    inside: {
      ...placesOf(items),
      before: insideBefore(items, before, loads),
    },
    hours: {
      entered: [...hours.entered],
      exited: [...hours.exited],
      entered_before: [...hoursBefore.entered],
      exited_before: [...hoursBefore.exited],
    },
    review: { ...review, oldest: review.oldest?.toISOString() ?? null },
    rebuilding: items.filter(({ entered }) => entered === null).length,
  };
}

function sum(sums: readonly BusSum[], pick: 'entered' | 'exited' | 'kopecks'): number {
  return sums.reduce((all, one) => all + one[pick], 0);
}

function statesOf(items: readonly BoardBus[]): Home['buses'] {
  const states = { moving: 0, standing: 0, silent: 0 };
  for (const { state } of items) states[state] += 1;
  return states;
}

// The share of places taken is of buses that show both.
function placesOf(items: readonly BoardBus[]): { now: number; places: number } {
  let [now, places] = [0, 0];
  for (const { inside, places: known } of items) {
    now += inside ?? 0;
    if (inside !== null) places += known ?? 0;
  }
  return { now, places };
}

// As the board: the balanced load of laps, else the raw one, which missed people take below zero.
function insideBefore(
  items: readonly BoardBus[],
  before: readonly BusSum[],
  loads: ReadonlyMap<number, number>,
): number {
  const shown = new Set(items.filter(({ inside }) => inside !== null).map(({ id }) => id));
  return before
    .filter(({ busId }) => shown.has(busId))
    .reduce(
      (all, { busId, entered, exited }) =>
        all + (loads.get(busId) ?? Math.max(0, entered - exited)),
      0,
    );
}
