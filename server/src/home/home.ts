import type { BoardBus } from '@ridewatch/contract/board';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import { type Home, MAX_HOME_CUSTOMERS } from '@ridewatch/contract/home';
import { roublesOf } from '@ridewatch/contract/money';
import { listListedBusIds } from '../access/bus.ts';
import { listClientsWithBuses } from '../access/client.ts';
import { ownDaysAmong } from '../access/own-days.ts';
import { buildBoard } from '../board/board.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { listZonesOf, presentDaysOf, zoneAt } from '../days/bus-days.ts';
import { type BusSum, sumDaysUntil } from '../figures/many-days.ts';
import { listLoadsAt } from '../laps/stops-and-loads.ts';
import { sumReview } from '../manual-counts/saved-counts.ts';
import { buildAttention } from './attention.ts';
import { commonZoneOf } from './common-zone.ts';
import { earlierDaysOf, sumHours } from './compare.ts';
import { listIncomplete } from './incomplete.ts';

const WEEK_DAYS = 7;

/**
 * The day at a glance, in some twenty statements for any number of buses.
 * @param asking whose customers there are to choose from
 * @param viewer the same, or narrowed to the chosen customer
 * @param nowMs ms since 1970 UTC
 */
export async function buildHome(
  db: Db,
  asking: Viewer,
  viewer: Viewer,
  nowMs: number,
): Promise<Home> {
  const ids = await listListedBusIds(db, viewer);
  const listed = new Set<number>(ids);
  const { board, sums } = await buildBoard(db, viewer, nowMs);
  const items = board.items.filter(({ id }) => listed.has(id));
  const zones = await listZonesOf(db, ids);
  const present = presentDaysOf(zones, nowMs);
  const days = await ownDaysAmong(db, viewer, present);
  const earlier = await ownDaysAmong(db, viewer, earlierDaysOf(zones, present, nowMs));
  const now = sums.filter(({ busId }) => listed.has(busId));
  const before = await sumDaysUntil(db, earlier);
  const hours = await sumHours(db, zones, days);
  const hoursBefore = await sumHours(db, zones, earlier);
  const loads = await listLoadsAt(db, viewer, earlier);
  const zonesNow = [...zones.values()].map((spans) => zoneAt(spans, nowMs));
  const timezone = commonZoneOf(zonesNow);
  const day = dayOf(nowMs, timezone);
  const review = await sumReview(db, viewer, dayRange(day, timezone).startMs);
  const ran = { days: earlier, sums: before };
  const incomplete = await listIncomplete(db, { days, sums: now }, ran, nowMs);
  for (const { id, state } of items) {
    // A silent bus goes on counting people, and sends the counts later.
    if (state !== 'silent') continue;
    incomplete.late.add(id);
    incomplete.all.add(id);
  }
  const known = { board: items, days, zones, now, before, incomplete: incomplete.all };
  const attention = await buildAttention(db, viewer, known, nowMs);
  const customers = await listClientsWithBuses(db, asking, nowMs, MAX_HOME_CUSTOMERS);
  const compared = (pick: 'entered' | 'exited') => ({
    now: sum(now, pick),
    before: sum(before, pick),
  });
  return {
    made_at: new Date(nowMs).toISOString(),
    timezone,
    zones: new Set(zonesNow).size,
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
      ...loadOf(items),
      before: insideBefore(items, before, loads),
    },
    hours: {
      entered: [...hours.entered],
      exited: [...hours.exited],
      entered_before: [...hoursBefore.entered],
      exited_before: [...hoursBefore.exited],
      revenue: hours.kopecks.map(roublesOf),
      revenue_before: hoursBefore.kopecks.map(roublesOf),
    },
    review: { ...review, oldest: review.oldest?.toISOString() ?? null },
    incomplete: incomplete.late.size,
    attention,
    customers: customers.length > 1 ? customers : [],
    bus_ids: viewer === asking ? null : ids,
  };
}

function sum(sums: readonly BusSum[], pick: 'entered' | 'exited' | 'kopecks'): number {
  return sums.reduce((all, one) => all + one[pick], 0);
}

function statesOf(items: readonly BoardBus[]): Home['buses'] {
  const states = { moving: 0, standing: 0, silent: 0, off: 0 };
  for (const { state } of items) states[state] += 1;
  return states;
}

// The share of places taken is of buses that show both.
function loadOf(items: readonly BoardBus[]): Omit<Home['inside'], 'before'> {
  const shown = { now: 0, of_places: 0, places: 0 };
  for (const { inside, places } of items) {
    if (inside === null) continue;
    shown.now += inside;
    if (places === null) continue;
    shown.of_places += inside;
    shown.places += places;
  }
  return shown;
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
