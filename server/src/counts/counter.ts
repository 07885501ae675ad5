import type { Db } from '../core/db/db.ts';
import type { CountSource } from '../days/bus-days.ts';
import type { DoorEvent } from './events.ts';

/** The result of counting a fragment. */
export interface FragmentCount {
  /** The counter. */
  readonly source: CountSource;
  /** People who passed the door, in order of time. */
  readonly events: readonly DoorEvent[];
  /** Most people in view at once. */
  readonly maxObjectsCount: number;
}

/** A counter's settings for a camera. */
export interface CounterSettings {
  readonly cameraId: number;
  /** The door in view; null for none. */
  readonly door: number | null;
  /** The counter's own settings, such as the line that people cross. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Raised by each change of the settings; stored with the counts made with them. */
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
  /** Reports the progress, 0 to 100; shown at most every two seconds. */
  readonly onProgress: (percent: number) => Promise<void>;
  /** Aborted when the process ends or nobody wants the count any more. */
  readonly signal: AbortSignal;
}

/**
 * Counts the people of one fragment.
 * @throws Error when it cannot be counted; the fragment then returns to its former state
 */
export type CountFragment = (db: Db, task: CountTask) => Promise<FragmentCount>;
