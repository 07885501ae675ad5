import type { Db } from '../db.ts';
import type { DoorEvent } from './events.ts';

/** What was found in a fragment. */
export interface SegmentCount {
  /** Who counted: the unit itself, or a program that looked at the video. */
  readonly source: 'unit' | 'video';
  /** Who passed the door, in order of time. */
  readonly events: readonly DoorEvent[];
  /** Most people in view at once. */
  readonly maxObjectsCount: number;
}

/**
 * Counts the people of one fragment.
 * @throws Error when it cannot be counted; the fragment then returns to where it came from
 */
export type CountSegment = (db: Db, segmentId: number) => Promise<SegmentCount>;
