// Automatic counts: the people whom counters saw at doors.
import type { Count } from '@ridewatch/contract/fragments';

export interface DoorEvent {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: number;
  /** Null for an event seen in a fragment's video. */
  readonly door: number | null;
  /** The fragment in whose video it was seen. */
  readonly fragmentId?: number;
  readonly direction: 'entered' | 'exited';
  readonly passenger: 'adult' | 'child';
  readonly count: number;
}

/** A passenger event that a unit sent, or one that a program saw in the unit's video. */
export interface UnitEvent extends DoorEvent {
  readonly unitId: number;
}

/** People in both directions, children apart. */
export interface Counts {
  readonly entered: Count;
  readonly exited: Count;
}

/** Everybody, children counted as adults. */
export function peopleIn({ adult, kids }: Count): number {
  return adult + kids;
}

/** Sums events. */
export function countOf(events: readonly DoorEvent[]): Counts {
  const counts = { entered: { adult: 0, kids: 0 }, exited: { adult: 0, kids: 0 } };
  for (const { direction, passenger, count } of events) {
    counts[direction][passenger === 'adult' ? 'adult' : 'kids'] += count;
  }
  return counts;
}
