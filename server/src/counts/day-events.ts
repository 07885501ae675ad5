import { mostOf } from '@ridewatch/contract/extremes';
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { boundDays } from '../days/bound-days.ts';
import { type BusDay, listZoneSpans, sourceAt } from '../days/bus-days.ts';
import { type BoardingEvent, type CountedFragment, effectiveEvents } from './effective.ts';
import type { UnitEvent } from './events.ts';

/** The fragments of a bus's recorded cameras, or of one camera. */
export type Which = { readonly busId: number } | { readonly cameraId: number };

/** The SQL condition for them; `segments` and `cameras` are in scope. */
export function isOneOf(which: Which) {
  return 'cameraId' in which
    ? sql`cameras.id = ${which.cameraId}`
    : sql`cameras.workplace_id = ${which.busId} and not cameras.live`;
}

/**
 * The SQL condition for fragments that touch a period.
 * @param fromMs ms since 1970 UTC; fragments that end before it are left out
 * @param toMs end of the period, excluded
 */
export function touches(fromMs: number, toMs: number) {
  // The index is by start; no fragment is longer than this.
  return sql`start_time >= ${new Date(fromMs - MAX_FRAGMENT_MS)}
    and start_time < ${new Date(toMs)} and end_time > ${new Date(fromMs)}`;
}

/** Fragments that touch a period, as far as counts depend on them, in order of time. */
export async function listCountedFragments(
  db: Db,
  which: Which,
  fromMs: number,
  toMs: number,
): Promise<CountedFragment[]> {
  const { rows } = await sql<CountedFragment>`
    select segments.id, unit_id as "unitId",
      (extract(epoch from start_time) * 1000)::bigint as "startMs",
      (extract(epoch from end_time) * 1000)::bigint as "endMs",
      case when cameras.counts then cameras.door end as door,
      entered, exited, entered_kids as "enteredKids", exited_kids as "exitedKids"
    from cameras join segments on segments.camera_id = cameras.id
    left join manual_counts on manual_counts.segment_id = segments.id
    where ${isOneOf(which)} and ${touches(fromMs, toMs)}
    order by start_time, segments.id`.execute(db);
  return rows;
}

/** The events of a bus in a period, in order of time: at each moment those of the counter that the bus uses then. */
export async function listEvents(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<UnitEvent[]> {
  const spans = await listZoneSpans(db, busId);
  if (spans.every(({ source }) => source === 'unit')) {
    return listUnitEvents(db, busId, fromMs, toMs);
  }
  const [byUnit, byVideo] = [
    await listUnitEvents(db, busId, fromMs, toMs),
    await listVideoEvents(db, busId, fromMs, toMs),
  ];
  return [
    ...byUnit.filter(({ timeMs }) => sourceAt(spans, timeMs) === 'unit'),
    ...byVideo.filter(({ timeMs }) => sourceAt(spans, timeMs) === 'video'),
  ].sort((a, b) => a.timeMs - b.timeMs);
}

/** Most passenger events that one call reads; a busy day has some thousands. */
const MOST_EVENTS = 100_000;

/**
 * The events of a bus in a period, as `listEvents`, for an answer.
 * @param field that named the period; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listEventsUpTo(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
  field?: string,
): Promise<UnitEvent[]> {
  if (field !== undefined && (await hasMoreEvents(db, busId, fromMs, toMs, MOST_EVENTS))) {
    throw new AppError('too_large', `has more than ${MOST_EVENTS} passenger events`, { field });
  }
  return listEvents(db, busId, fromMs, toMs);
}

/** Whether a bus's units sent more passenger events than the limit in a period of corrected time. */
export async function hasMoreEvents(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from passenger_events
    where workplace_id = ${busId}
      and time >= ${new Date(fromMs)} and time < ${new Date(toMs)}
    offset ${most} limit 1`.execute(db);
  return rows.length > 0;
}

/** The passenger events of a bus's units in a period of corrected time, in its order. */
export async function listUnitEvents(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<UnitEvent[]> {
  const { rows } = await sql<UnitEvent>`
    select unit_id as "unitId", (extract(epoch from time) * 1000)::bigint as "timeMs",
      door, direction, passenger, count
    from passenger_events
    where workplace_id = ${busId} and time >= ${new Date(fromMs)} and time < ${new Date(toMs)}
    order by time, unit_id, stream_id, seq`.execute(db);
  return rows;
}

async function listVideoEvents(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<UnitEvent[]> {
  const { rows } = await sql<UnitEvent>`
    select segments.unit_id as "unitId", (extract(epoch from seen.time) * 1000)::bigint as "timeMs",
      null::int as door, segments.id as "fragmentId", seen.direction, seen.passenger, seen.count
    from cameras join segments on segments.camera_id = cameras.id
    join video_events as seen on seen.segment_id = segments.id
    where ${isOneOf({ busId })} and ${touches(fromMs, toMs)}
      and seen.time >= ${new Date(fromMs)} and seen.time < ${new Date(toMs)}
    order by seen.time, segments.id, seen.position`.execute(db);
  return rows;
}

/**
 * A bus's effective counts in a period: its events and the differences by manual counts.
 * @param toMs end of the period, excluded, ms since 1970 UTC
 */
export async function listEffectiveEvents(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<BoardingEvent[]> {
  // Most days have no manual counts, so fragments need not be read.
  const fragments = (await hasManualCounts(db, busId, fromMs, toMs))
    ? await listCountedFragments(db, { busId }, fromMs, toMs)
    : [];
  const untilMs = Math.max(
    toMs,
    mostOf(fragments, ({ endMs }) => endMs),
  );
  const events = await listEvents(db, busId, fromMs, untilMs);
  return effectiveEvents(fragments, events, fromMs, toMs);
}

/** Whether a fragment of a bus that starts in a period has manual counts. */
export async function hasManualCounts(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from manual_counts join segments on segments.id = segment_id
      join cameras on cameras.id = camera_id
      where workplace_id = ${busId} and not live
        and start_time >= ${new Date(fromMs)} and start_time < ${new Date(toMs)}
    )`.execute(db);
  return rows[0]?.exists === true;
}

/** The days on which a fragment with manual counts starts; most have none. */
export async function listCountedDays(
  db: Db,
  busId: number,
  days: readonly BusDay[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ day: string }>`
    select bus.day from ${boundDays(days)}
    where exists (
      select from manual_counts join segments on segments.id = segment_id
      join cameras on cameras.id = camera_id
      where workplace_id = ${busId} and not live
        and start_time >= bus.day_start and start_time < bus.day_end
    )`.execute(db);
  return new Set(rows.map(({ day }) => day));
}
