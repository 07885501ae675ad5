import type { Db } from '../core/db/db.ts';
import type { CountSource } from '../days/bus-days.ts';
import type { DoorEvent } from './events.ts';

/** What is found in a fragment. */
export interface FragmentCount {
  /** Who counted. */
  readonly source: CountSource;
  /** Who passed the door, in order of time. */
  readonly events: readonly DoorEvent[];
  /** Most people in view at once. */
  readonly maxObjectsCount: number;
}

/** How a counter is set for a camera. */
export interface CounterSettings {
  readonly cameraId: number;
  /** The door that it looks at; null for none. */
  readonly door: number | null;
  /** The counter's own, such as the line that people cross. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Goes up with each change of the values; kept with what was counted by them. */
  readonly version: number;
}

/** A fragment to be counted. */
export interface CountTask {
  readonly fragmentId: number;
  /** Corrected times, ms since 1970 UTC. */
  readonly startMs: number;
  readonly endMs: number;
  /** Its playable file in the storage; null while there is none. */
  readonly file: { readonly storageKey: string; readonly sizeBytes: number } | null;
  readonly settings: CounterSettings;
  /** Tells how far it is, 0 to 100; more often than every two seconds is not shown. */
  readonly onProgress: (percent: number) => Promise<void>;
  /** Aborted when the process is to end, or nobody wants the count any more. */
  readonly signal: AbortSignal;
}

/**
 * Counts the people of one fragment.
 * @throws Error when it cannot be counted; the fragment then returns to where it came from
 */
export type CountFragment = (db: Db, task: CountTask) => Promise<FragmentCount>;
