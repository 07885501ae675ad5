// Sums what counts on a bus's local day, between the moments at which something else begins to count: an hour, a shift,
// a fragment, another zone or counter. All events between two of them count alike, so a day is some hundred rows,
// however many events its units sent.
import { mostOf } from '@ridewatch/contract/extremes';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import {
  type BusDay,
  hoursOfDay,
  listZoneSpans,
  sourceAt,
  type ZoneSpan,
} from '../days/bus-days.ts';
import { hasManualCounts, isOneOf, listCountedFragments, touches } from './day-events.ts';
import { type BoardingEvent, type CountedFragment, effectiveEvents } from './effective.ts';
import type { UnitEvent } from './events.ts';
import type { Shifts } from './shifts.ts';

/**
 * The effective counts of a local day, each sum at a moment of its hour.
 * @param shifts of the day; sums are inside or outside of it
 */
export async function listEffectiveSums(
  db: Db,
  day: BusDay,
  shifts: Shifts,
): Promise<BoardingEvent[]> {
  const { fragments, sums } = await readSums(db, day, shifts);
  return effectiveEvents(fragments, sums, day.startMs, day.endMs);
}

async function readSums(
  db: Db,
  day: BusDay,
  shifts: Shifts,
): Promise<{ fragments: readonly CountedFragment[]; sums: readonly UnitEvent[] }> {
  const { busId, startMs, endMs } = day;
  const zones = await listZoneSpans(db, busId);
  // Most days have no manual counts, so fragments need not be read.
  const fragments = (await hasManualCounts(db, busId, startMs, endMs))
    ? await listCountedFragments(db, { busId }, startMs, endMs)
    : [];
  const moments = momentsOf(day, zones, shifts, fragments);
  const byUnit = await sumUnitEvents(db, busId, moments);
  if (zones.every(({ source }) => source === 'unit')) return { fragments, sums: byUnit };
  const byVideo = await sumVideoEvents(db, busId, moments);
  const sums = [
    ...byUnit.filter(({ timeMs }) => sourceAt(zones, timeMs) === 'unit'),
    ...byVideo.filter(({ timeMs }) => sourceAt(zones, timeMs) === 'video'),
  ];
  return { fragments, sums };
}

// Ascending, from the start of the day to the end of its last fragment.
function momentsOf(
  { day, startMs, endMs }: BusDay,
  zones: readonly ZoneSpan[],
  shifts: Shifts,
  fragments: readonly CountedFragment[],
): number[] {
  const untilMs = Math.max(
    endMs,
    mostOf(fragments, (fragment) => fragment.endMs),
  );
  const changes = zones.map(({ fromMs }) => fromMs);
  const hours = hoursOfDay(zones, { startMs, endMs });
  const moments = new Set([startMs, endMs, untilMs, ...changes, ...hours]);
  const shift = shifts.get(day);
  if (shift !== undefined) moments.add(shift.startMs).add(shift.endMs);
  for (const fragment of fragments) moments.add(fragment.startMs).add(fragment.endMs);
  return [...moments].filter((ms) => ms >= startMs && ms <= untilMs).sort((a, b) => a - b);
}

// The number of the last moment that is not after a time, from 0.
function placeAmong(moments: readonly number[], time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`width_bucket(${time}, ${moments.map((ms) => new Date(ms))}::timestamptz[]) - 1`;
}

function isWithin(moments: readonly number[], time: RawBuilder<unknown>): RawBuilder<unknown> {
  const [first, last] = [moments[0] ?? 0, moments.at(-1) ?? 0];
  return sql`${time} >= ${new Date(first)}::timestamptz and ${time} < ${new Date(last)}::timestamptz`;
}

async function sumUnitEvents(
  db: Db,
  busId: number,
  moments: readonly number[],
): Promise<UnitEvent[]> {
  const { rows } = await sql<Omit<UnitEvent, 'timeMs'> & { at: number }>`
    select ${placeAmong(moments, sql.ref('time'))} as at, unit_id as "unitId", door, direction, passenger,
      sum(count) as count
    from passenger_events
    where workplace_id = ${busId} and ${isWithin(moments, sql.ref('time'))}
    group by 1, 2, 3, 4, 5 order by 1`.execute(db);
  return rows.map(({ at, ...sum }) => ({ ...sum, timeMs: moments[at] ?? 0 }));
}

async function sumVideoEvents(
  db: Db,
  busId: number,
  moments: readonly number[],
): Promise<UnitEvent[]> {
  const [fromMs = 0, toMs = 0] = [moments[0], moments.at(-1)];
  const { rows } = await sql<Omit<UnitEvent, 'timeMs'> & { at: number }>`
    select ${placeAmong(moments, sql.ref('seen.time'))} as at, segments.unit_id as "unitId", null::int as door,
      segments.id as "fragmentId", seen.direction, seen.passenger, sum(seen.count) as count
    from cameras join segments on segments.camera_id = cameras.id
    join video_events as seen on seen.segment_id = segments.id
    where ${isOneOf({ busId })} and ${touches(fromMs, toMs)} and ${isWithin(moments, sql.ref('seen.time'))}
    group by 1, 2, 4, 5, 6 order by 1`.execute(db);
  return rows.map(({ at, ...sum }) => ({ ...sum, timeMs: moments[at] ?? 0 }));
}
