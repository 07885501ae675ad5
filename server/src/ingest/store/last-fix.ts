// A unit's last position and last movement, in its row: polls must not read the tracks.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { MOST_AHEAD_MS } from '../by-id/possible-times.ts';
import { CLOCK_TOLERANCE_MS, hasPlace, isOfPresent, type Sorted } from './records.ts';

/** Slower is standing (the product's definition). */
const MOVING_KMH = 5;
/** No speed is computed between fixes farther apart than this, ms. */
const NEIGHBOURS_MS = 60_000;

export interface Fix {
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  readonly course: number | null;
}

/**
 * The fixes among positions that can be the present, in order of time. No fix is made after its arrival: if the newest one
 * says so, the clock is ahead by that much at least, and all are taken as so much earlier.
 * @param receivedMs the server's clock at the batch's arrival
 * @param isTimed whether the stream is the one of numbers made of times: nobody knows the sender's clock, which may be ahead
 *   by as much as its records may
 */
export function fixesOf(
  positions: Sorted['positions'],
  receivedMs: number,
  isTimed: boolean,
): Fix[] {
  const aheadMs = isTimed ? MOST_AHEAD_MS : CLOCK_TOLERANCE_MS;
  const fixes: Fix[] = [];
  for (const record of positions) {
    if (!hasPlace(record) || !isOfPresent(record, receivedMs, aheadMs)) continue;
    const { timeMs, place, speedKmh, course } = record;
    const { latitude, longitude } = place;
    fixes.push({ timeMs, latitude, longitude, speedKmh, course });
  }
  fixes.sort((a, b) => a.timeMs - b.timeMs);
  const newestMs = fixes.at(-1)?.timeMs ?? receivedMs;
  if (newestMs <= receivedMs) return fixes;
  return fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs - (newestMs - receivedMs) }));
}

/**
 * Stores the newest of the new fixes, unless the row has a newer one, or it is of a bus in which the unit sat before.
 * @param receivedMs the server's clock at the batch's arrival
 * @param isTimed as of `fixesOf`
 */
export async function keepLastFix(
  tx: Tx,
  unitId: number,
  { positions }: Pick<Sorted, 'positions'>,
  receivedMs: number,
  isTimed: boolean,
): Promise<void> {
  const fixes = fixesOf(positions, receivedMs, isTimed);
  const last = fixes.at(-1);
  if (last === undefined) return;
  const before = fixes.some(({ speedKmh }) => speedKmh === null)
    ? await findLastFix(tx, unitId)
    : undefined;
  const movedMs = lastMovedMs(before === undefined ? fixes : [before, ...fixes]);
  if (movedMs !== undefined) {
    const movedAt = new Date(movedMs);
    await sql`update units set last_moved_at = greatest(last_moved_at, ${movedAt})
      where id = ${unitId} and assigned_from <= ${movedAt}`.execute(tx);
  }
  const at = new Date(last.timeMs);
  await tx
    .updateTable('units')
    .set({
      last_fix_at: at,
      last_latitude: last.latitude,
      last_longitude: last.longitude,
      last_course: last.course,
      last_speed_kmh: last.speedKmh,
    })
    .where('id', '=', unitId)
    .where('assigned_from', '<=', at)
    .where((eb) => eb.or([eb('last_fix_at', 'is', null), eb('last_fix_at', '<', at)]))
    .execute();
}

/** When the last of these fixes was over 5 km/h, ms since 1970 UTC; undefined when none was. */
export function lastMovedMs(fixes: readonly Fix[]): number | undefined {
  return fixes.findLast((fix, index) => {
    if (fix.speedKmh !== null) return fix.speedKmh > MOVING_KMH;
    const before = fixes[index - 1];
    const ms = before === undefined ? 0 : fix.timeMs - before.timeMs;
    if (before === undefined || ms <= 0 || ms > NEIGHBOURS_MS) return false;
    return (distanceM(before, fix) / ms) * 3600 > MOVING_KMH;
  })?.timeMs;
}

async function findLastFix(tx: Tx, unitId: number): Promise<Fix | undefined> {
  const row = await tx
    .selectFrom('units')
    .select(['last_fix_at', 'last_latitude', 'last_longitude'])
    .where('id', '=', unitId)
    .executeTakeFirstOrThrow();
  const { last_fix_at: at, last_latitude: latitude, last_longitude: longitude } = row;
  if (at === null || latitude === null || longitude === null) return undefined;
  // Its own speed was checked when it arrived.
  return { timeMs: at.getTime(), latitude, longitude, speedKmh: 0, course: null };
}
