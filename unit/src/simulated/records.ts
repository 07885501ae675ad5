// A simulated unit numbers its records by their content, not by the time of sending: the same day of the same seed has
// the same numbers. So an interrupted run may be repeated from any point, and nothing is counted twice.
import type { SegmentRecord, UnitRecord } from '@ridewatch/contract/unit';
import { type BusDay, type Fragment, mostInView } from './day.ts';
import { positionAt, positionTimes } from './gps.ts';
import { hashOf } from './random.ts';

/** Raised when the simulation changes, so that its records do not share numbers with older ones. */
const WORLD_VERSION = 3;
export const LIVE_EVERY_MS = 1000;
export const HISTORY_EVERY_MS = 5000;
/** The weeks before the history: statistics need few positions. */
export const EARLIER_EVERY_MS = 30_000;

/** Intervals of positions, ms. */
export type PositionsEveryMs =
  | typeof LIVE_EVERY_MS
  | typeof HISTORY_EVERY_MS
  | typeof EARLIER_EVERY_MS;

/** The first number of each kind; each kind continues without gaps. */
const FIRST = {
  positions: { [HISTORY_EVERY_MS]: 0, [LIVE_EVERY_MS]: 100_000, [EARLIER_EVERY_MS]: 600_000 },
  passenger: 200_000,
  cameraState: 300_000,
  kept: 400_000,
  queued: 500_000,
};

/** The stream of a unit's day, a version 8 UUID (RFC 9562) from the seed. */
export function streamOf(seed: number, { bus, day }: Pick<BusDay, 'bus' | 'day'>): string {
  const words = [0, 1, 2, 3].map((word) =>
    hashOf(seed, bus.deviceId, day, WORLD_VERSION, word).toString(16).padStart(8, '0'),
  );
  const hex = words.join('');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export interface RecordOptions {
  seed: number;
  /** Half-open span of the day, ms. */
  fromMs: number;
  toMs: number;
  positionsEveryMs: PositionsEveryMs;
  /** Whether the unit uploads a fragment without a request. */
  isQueued: (fragment: Fragment) => boolean;
}

/** The records of a span of a unit's day, by kind and time. */
export function listRecords(day: BusDay, options: RecordOptions): UnitRecord[] {
  const { seed, fromMs, toMs, positionsEveryMs } = options;
  const within = (ms: number): boolean => ms >= fromMs && ms < toMs;
  const first = FIRST.positions[positionsEveryMs];
  const records: UnitRecord[] = [];
  for (const { index, atMs } of positionTimes(day, positionsEveryMs).list(fromMs, toMs)) {
    records.push({ type: 'position', seq: first + index, ...positionAt(seed, day, atMs) });
  }
  for (const [index, { atMs, door, direction, passenger }] of day.crossings.entries()) {
    if (!within(atMs)) continue;
    const seq = FIRST.passenger + index;
    records.push({ type: 'passenger', seq, time: iso(atMs), door, direction, passenger, count: 1 });
  }
  for (const [index, { atMs, camera, status }] of day.cameraChanges.entries()) {
    if (!within(atMs)) continue;
    const seq = FIRST.cameraState + index;
    records.push({ type: 'camera_state', seq, time: iso(atMs), camera: camera.streamId, status });
  }
  for (const [index, fragment] of day.fragments.entries()) {
    // A fragment is announced at its end; one that ends after midnight, with the day in which it starts.
    if (!within(announcedMs(day, fragment))) continue;
    records.push(announcement(fragment, index, options.isQueued(fragment)));
  }
  return records;
}

/** The number of the announcement of a queued fragment. */
export function queuedSeq(index: number): number {
  return FIRST.queued + index;
}

/** The announcement of a fragment. @param index of the fragment within its day */
export function announcement(fragment: Fragment, index: number, queued: boolean): SegmentRecord {
  return {
    type: 'segment',
    seq: (queued ? FIRST.queued : FIRST.kept) + index,
    time: iso(fragment.endMs),
    camera: fragment.camera.streamId,
    start_time: iso(fragment.startMs),
    end_time: iso(fragment.endMs),
    video: queued ? 'queued' : 'kept',
    max_objects_count: mostInView(fragment),
  };
}

/** When a fragment is announced, at the latest at the end of its day, ms since 1970 UTC. */
export function announcedMs(day: BusDay, fragment: Fragment): number {
  return Math.min(fragment.endMs, day.endMs - 1);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
