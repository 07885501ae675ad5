import { type RawBuilder, sql } from 'kysely';
import { isOwnDay, knownRoute } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';

/** Longest lap, ms: older ones are not searched. */
const LONGEST_LAP_MS = 24 * 3_600_000;
/** Most visits that one call reads: one every 17 s of a day. */
const MOST_VISITS = 5_000;

/**
 * People inside at a moment: the balanced load after the last stop called at before it. The load restarts only where a
 * lap begins, so people on board at midnight count.
 * @param timeMs ms since 1970 UTC
 * @returns undefined when no lap is known
 */
export async function findLoadAt(
  db: Db,
  busId: number,
  timeMs: number,
): Promise<number | undefined> {
  const stop = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select('load')
    .where('workplace_id', '=', busId)
    // Also by day, for the index; at most two days earlier in any zone.
    .where('day', '>=', new Date(timeMs - 2 * LONGEST_LAP_MS).toISOString().slice(0, 10))
    .where('start_time', '<', new Date(timeMs))
    .where('start_time', '>', new Date(timeMs - LONGEST_LAP_MS))
    .where('arrival', '<', new Date(timeMs))
    .orderBy('start_time', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return stop === undefined ? undefined : Math.round(stop.load);
}

/** A bus's stay at a stop of a lap. */
export interface StopVisit {
  readonly name: string;
  readonly arrivalMs: number;
  readonly departureMs: number;
}

/**
 * The visits of a bus's laps that touch a period, by arrival; the first 5,000.
 * @param bus with the routes whose visits are left out
 * @param fromMs ms since 1970 UTC, as `toMs`, which is excluded
 */
export async function listVisits(
  db: Db,
  { busId, hiddenRoutes }: { readonly busId: number; readonly hiddenRoutes: readonly number[] },
  fromMs: number,
  toMs: number,
): Promise<StopVisit[]> {
  const rows = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select(['lap_stops.name', 'arrival', 'departure'])
    .where('workplace_id', '=', busId)
    // Also by day, for the index; at most two days earlier in any zone.
    .where('day', '>=', new Date(fromMs - 2 * LONGEST_LAP_MS).toISOString().slice(0, 10))
    .where('start_time', '<', new Date(toMs))
    .where('start_time', '>', new Date(fromMs - LONGEST_LAP_MS))
    .where('arrival', '<', new Date(toMs))
    .where('departure', '>=', new Date(fromMs))
    .where(sql<boolean>`coalesce(group_id <> all(${[...hiddenRoutes]}::bigint[]), true)`)
    .orderBy('arrival')
    .limit(MOST_VISITS)
    .execute();
  return rows.flatMap(({ name, arrival, departure }) =>
    arrival === null || departure === null
      ? []
      : { name, arrivalMs: arrival.getTime(), departureMs: departure.getTime() },
  );
}

/** The last lap of a bus, its last stops, and what its ended laps of the day amount to. */
export interface LastLap {
  readonly busId: number;
  readonly number: number;
  readonly open: boolean;
  /** Whether it is a lap of the given day, or still driven. */
  readonly present: boolean;
  /** Stops, and how many of them are on the way forward; both 0 without a route. */
  readonly stops: number;
  readonly forward: number;
  /** Position of the last stop that the bus called at or passed; null before the first one. */
  readonly reached: number | null;
  readonly stop: string | null;
  readonly next: string | null;
  /** Whether the bus has left the last stop. */
  readonly left: boolean;
  /** Since when changes wait that the lap does not have; null if it has all. */
  readonly waitsSince: Date | null;
  /** People inside, as `findLoadAt`; null before any stop. */
  readonly load: number | null;
  /** Of the day's ended laps. */
  readonly entered: number;
  readonly exited: number;
  /** Of all laps of the day. */
  readonly noPrice: number;
}

/**
 * The last laps of buses that began within the last 24 hours on days of the user, in one statement; buses without one are
 * left out, and the names of stops of routes that the user may not know. It reads
 * stored laps and does not mark the buses as watched.
 * @param days the present local day of each bus
 * @param nowMs ms since 1970 UTC
 */
export async function listLastLaps(
  db: Db,
  viewer: Viewer,
  days: readonly { readonly busId: number; readonly day: string }[],
  nowMs: number,
): Promise<LastLap[]> {
  const now = new Date(nowMs);
  const { rows } = await sql<LastLap>`
    select bus.id as "busId", lap.number, lap.open, lap.day = bus.today or lap.open as present,
      count.stops, count.forward, count.reached,
      case when lap.is_told then reached.name end as stop,
      case when lap.is_told then following.name end as next,
      coalesce(reached.departure, reached.passed_at) is not null as left,
      lap_days.asked_at as "waitsSince", round(inside.load)::int as load,
      sums.entered, sums.exited, sums.no_price as "noPrice"
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
      as bus (id, today)
    cross join lateral (
      select id, number, open, day, start_time,
        group_id is null or ${knownRoute(viewer, sql.ref('laps.group_id'))} is not null as is_told
      from laps
      where workplace_id = bus.id and day >= bus.today - 2
        and ${isOwnDay(viewer, sql.ref('bus.id'), sql.ref('laps.day'))}
      order by day desc, number desc limit 1
    ) as lap
    left join lap_days on lap_days.workplace_id = bus.id and lap_days.day = lap.day
    cross join lateral (
      select count(*) filter (where direction is not null)::int as stops,
        count(*) filter (where direction = 'FORWARD')::int as forward,
        max(position) filter (where coalesce(arrival, passed_at) is not null) as reached
      from lap_stops where lap_id = lap.id
    ) as count
    left join lap_stops as reached on reached.lap_id = lap.id and reached.position = count.reached
    left join lap_stops as following
      on following.lap_id = lap.id and following.position = count.reached + 1
    left join lateral ${loadAt(viewer, sql`bus.today`, sql`${now}::timestamptz`)} as inside on true
    cross join lateral (
      select coalesce(sum(entered) filter (where not open), 0)::int as entered,
        coalesce(sum(exited) filter (where not open), 0)::int as exited,
        coalesce(sum(no_price), 0)::float8 as no_price
      from laps where workplace_id = bus.id and day = bus.today
    ) as sums
    where lap.start_time > ${new Date(nowMs - LONGEST_LAP_MS)}`.execute(db);
  return rows;
}

// The balanced load of `bus.id` after the last stop called at before a moment of a day, as `findLoadAt`, on days of the user.
function loadAt(
  viewer: Viewer,
  day: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select stop.load from laps as earlier cross join lateral (
      select load from lap_stops where lap_id = earlier.id and arrival < ${moment}
      order by position desc limit 1
    ) as stop
    where earlier.workplace_id = bus.id and earlier.day between ${day} - 2 and ${day}
      and ${isOwnDay(viewer, sql.ref('bus.id'), sql.ref('earlier.day'))}
      and earlier.start_time > ${moment} - ${LONGEST_LAP_MS} * interval '1 millisecond'
      and earlier.start_time < ${moment}
    order by earlier.day desc, earlier.number desc limit 1
  )`;
}

/**
 * People inside of buses at a moment of one of their local days, as `findLoadAt`, in one statement.
 * @param moments one a bus; ms since 1970 UTC
 * @returns by bus; those without a known lap are left out
 */
export async function listLoadsAt(
  db: Db,
  viewer: Viewer,
  moments: readonly { readonly busId: number; readonly day: string; readonly atMs: number }[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ busId: number; load: number }>`
    select bus.id as "busId", round(inside.load)::int as load
    from unnest(${moments.map(({ busId }) => busId)}::bigint[], ${moments.map(({ day }) => day)}::date[],
      ${moments.map(({ atMs }) => new Date(atMs))}::timestamptz[]) as bus (id, day, at)
    cross join lateral ${loadAt(viewer, sql`bus.day`, sql`bus.at`)} as inside`.execute(db);
  return new Map(rows.map(({ busId, load }) => [busId, load]));
}
