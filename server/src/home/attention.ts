// Lists what needs attention first: open causes, and what the figures of the day say about buses. Nothing is estimated.
import type { AttentionKind } from '@ridewatch/contract/attention';
import type { BoardBus } from '@ridewatch/contract/board';
import {
  type AttentionGroup,
  type AttentionRow,
  FULL_SHARE,
  type Home,
  LEAST_REVENUE_KOPECKS,
  LOW_REVENUE_PERCENT,
  MAX_GROUP_ROWS,
  STANDS_LONG_MS,
} from '@ridewatch/contract/home';
import { roublesOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import { isVisibleCause } from '../access/cause.ts';
import { isOfVisibleClient, isOwnDay } from '../access/visible.ts';
import { listOpenCauses } from '../attention/causes.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import type { BusDay, ZoneSpan } from '../days/bus-days.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { hasDriven } from '../fetching/bus-state.ts';
import type { BusSum } from '../figures/many-days.ts';
import { listShortDays, type ShortDay } from './handed-in.ts';

/** Beside silent buses, which follow from the board: as many as its figure says. */
const FAULTY: readonly AttentionKind[] = [
  'camera_offline',
  'merge_failed',
  'runs_out',
  'disk_full',
  'queue_starved',
  'unknown_unit',
  'upstream_late',
  'upstream_refuses',
  'odd_counter',
];
/** A bus this close to the end of a lap or to its far terminal stands at a terminal, percent of the lap. */
const TERMINAL_PERCENT = 2;

/** The figures that the home page has read. */
export interface KnownFigures {
  readonly board: readonly BoardBus[];
  readonly days: readonly BusDay[];
  /** The time zones of buses over time, by bus. */
  readonly zones: ReadonlyMap<number, readonly ZoneSpan[]>;
  /** Until now, and until the same time of day a week before. */
  readonly now: readonly BusSum[];
  readonly before: readonly BusSum[];
  /** Buses whose figures lack something that is on its way, be it late or not. */
  readonly incomplete: ReadonlySet<number>;
}

/** A row whose bus has no name yet. */
interface Found {
  readonly busId: number;
  readonly details: AttentionRow['details'];
  readonly since?: string | null;
}

/**
 * Lists what needs attention, in eight statements for any number of buses.
 * @param nowMs ms since 1970 UTC
 */
export async function buildAttention(
  db: Db,
  viewer: Viewer,
  known: KnownFigures,
  nowMs: number,
): Promise<Home['attention']> {
  const causesOf = async (kinds: readonly AttentionKind[]): Promise<AttentionGroup> => {
    const { items, total } = await listOpenCauses(db, viewer, nowMs, MAX_GROUP_ROWS, kinds);
    return {
      total,
      items: items.map(({ details, since, workplace, camera }) => ({
        details,
        since,
        workplace,
        camera,
      })),
    };
  };
  const salaries = await listLostSalaries(db, viewer, known.days);
  const short = await listShortDays(db, viewer, known.zones, known.days, nowMs);
  const money = [
    ...short.map(shortOf),
    ...unpriced(known.board),
    ...lowRevenues(known),
    ...salaries.items,
  ];
  const line = [...fullBuses(known.board), ...standingBuses(known.board, nowMs)];
  const silentIds = known.board.filter(({ state }) => state === 'silent').map(({ id }) => id);
  const silent = await listSilentBuses(db, viewer, silentIds);
  const faulty = await causesOf(FAULTY);
  const imbalances = await causesOf(['imbalance']);
  const named = await nameBuses(db, viewer, [silent, money, line].flatMap(shown), nowMs);
  const faultyRows = [...silent.flatMap(named), ...faulty.items];
  const moneyRows = [...imbalances.items, ...shown(money).flatMap(named)];
  return {
    faulty: {
      total: silentIds.length + faulty.total,
      items: faultyRows.slice(0, MAX_GROUP_ROWS),
    },
    money: {
      total: imbalances.total + money.length + salaries.total - salaries.items.length,
      items: moneyRows.slice(0, MAX_GROUP_ROWS),
    },
    line: { total: line.length, items: shown(line).flatMap(named) },
  };
}

const shown = (found: readonly Found[]): readonly Found[] => found.slice(0, MAX_GROUP_ROWS);

// The latest first. The place is known once the cause is open.
async function listSilentBuses(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<readonly Found[]> {
  const { rows } = await sql<{
    busId: number;
    since: Date | null;
    drove: boolean;
    place: string | null;
  }>`
    select units.workplace_id as "busId", units.last_seen_at as since, ${hasDriven} as drove, cause.place
    from units left join lateral (
      select details ->> 'place' as place from attention_causes
      where ended_at is null and kind = 'silent_bus' and workplace_id = units.workplace_id
        and ${isVisibleCause(viewer)} order by id limit 1
    ) as cause on true
    where units.workplace_id = any(${ids}::bigint[])
    order by units.last_seen_at desc, units.workplace_id limit ${MAX_GROUP_ROWS}`.execute(db);
  return rows.map(({ busId, since, drove, place }) => ({
    busId,
    since: since?.toISOString() ?? null,
    details: { kind: 'silent_bus', drove, place },
  }));
}

const shortOf = ({ busId, day, due, handedIn }: ShortDay): Found => ({
  busId,
  details: { kind: 'short_handed_in', day, due, handed_in: handedIn },
});

function unpriced(board: readonly BoardBus[]): Found[] {
  return board
    .filter(({ no_price }) => no_price > 0)
    .sort((a, b) => b.no_price - a.no_price)
    .map(({ id, no_price }) => ({
      busId: id,
      details: { kind: 'no_price', passengers: no_price },
    }));
}

// Only of buses that carry people today: one that rests earns nothing, and nothing is wrong.
function lowRevenues({ now, before, incomplete }: KnownFigures): Found[] {
  const current = new Map(now.map((sum) => [sum.busId, sum]));
  return before
    .map((past) => ({ past, own: current.get(past.busId) }))
    .flatMap(({ past, own }) => {
      if (own === undefined || own.entered === 0 || incomplete.has(past.busId)) return [];
      const lost = past.kopecks - own.kopecks;
      const percent = Math.round((100 * lost) / past.kopecks);
      const isLow = past.kopecks >= LEAST_REVENUE_KOPECKS && percent >= LOW_REVENUE_PERCENT;
      return isLow ? [{ past, own, lost, percent }] : [];
    })
    .sort((a, b) => b.lost - a.lost)
    .map(({ past, own, percent }) => ({
      busId: past.busId,
      details: {
        kind: 'low_revenue',
        percent,
        now: roublesOf(own.kopecks),
        before: roublesOf(past.kopecks),
      },
    }));
}

async function listLostSalaries(
  db: Db,
  viewer: Viewer,
  days: readonly BusDay[],
): Promise<{ items: Found[]; total: number }> {
  const { rows } = await sql<{ busId: number; was: string; total: number }>`
    select bus.id as "busId", before.salary_percent::text as was, count(*) over ()::int as total
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
      as bus (id, day)
    join calculations as today on today.workplace_id = bus.id and today.day = bus.day
      and today.salary_percent = 0
    cross join lateral (
      select salary_percent from calculations as earlier
      where earlier.workplace_id = bus.id and earlier.day < bus.day
        and ${isOwnDay(viewer, sql.ref('bus.id'), sql.ref('earlier.day'))}
      order by earlier.day desc limit 1
    ) as before
    where before.salary_percent > 0
    order by bus.id limit ${MAX_GROUP_ROWS}`.execute(db);
  return {
    items: rows.map(({ busId, was }) => ({ busId, details: { kind: 'no_salary', was } })),
    total: rows[0]?.total ?? 0,
  };
}

function fullBuses(board: readonly BoardBus[]): Found[] {
  return board
    .flatMap((bus) => {
      const { state, inside, places, lap } = bus;
      const isKnown =
        state !== 'silent' && state !== 'off' && inside !== null && places !== null && lap !== null;
      if (!isKnown || lap.ended || inside < FULL_SHARE * places) return [];
      return [{ id: bus.id, inside, places, stop: lap.next ?? lap.stop }];
    })
    .sort((a, b) => b.inside / b.places - a.inside / a.places)
    .map(({ id, ...load }) => ({ busId: id, details: { kind: 'full', ...load } }));
}

function standingBuses(board: readonly BoardBus[], nowMs: number): Found[] {
  return board
    .flatMap(({ id, state, moved_at, lap }) => {
      const stands = state === 'standing' && moved_at !== null && lap !== null && !lap.ended;
      if (!stands || isAtTerminal(lap) || nowMs - Date.parse(moved_at) < STANDS_LONG_MS) return [];
      return [{ id, since: moved_at, stop: lap.stop }];
    })
    .sort((a, b) => Date.parse(a.since) - Date.parse(b.since))
    .map(({ id, since, stop }) => ({ busId: id, since, details: { kind: 'standing', stop } }));
}

function isAtTerminal({ percent, turn_percent }: NonNullable<BoardBus['lap']>): boolean {
  const terminals = [0, 100, ...(turn_percent === null ? [] : [turn_percent])];
  return terminals.some((at) => Math.abs(percent - at) <= TERMINAL_PERCENT);
}

/** Gives rows the names, routes and zones of their buses, in one statement. */
async function nameBuses(
  db: Db,
  viewer: Viewer,
  found: readonly Found[],
  nowMs: number,
): Promise<(row: Found) => AttentionRow[]> {
  const ids = [...new Set(found.map(({ busId }) => busId))];
  const { rows } = await sql<NonNullable<AttentionRow['workplace']>>`
    select bus.id, bus.name, settings.timezone, route_groups.name as route
    from workplaces as bus
    cross join lateral ${settingsAt(sql.ref('bus.id'), sql`${new Date(nowMs)}::timestamptz`)} as settings
    left join route_groups on route_groups.id = settings.group_id and not deleted
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    where bus.id = any(${ids}::bigint[])`.execute(db);
  const buses = new Map(rows.map((bus) => [bus.id, bus]));
  return ({ busId, details, since = null }) => {
    const workplace = buses.get(busId);
    return workplace === undefined ? [] : [{ details, since, workplace, camera: null }];
  };
}
