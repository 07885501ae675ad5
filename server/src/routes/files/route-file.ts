import type { RouteDirection } from '@ridewatch/contract/laps';
import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/routes';

/** A line of a file. */
export interface FileLine {
  readonly name: string | null;
  readonly points: readonly Point[];
}

/** A stop of a file. */
export interface FileStop extends Point {
  readonly name: string | null;
  /** Null where the file does not say. */
  readonly direction: RouteDirection | null;
}

/** What was read of a file that holds lines and points. */
export interface FileContent {
  readonly format: RouteProposal['format'];
  readonly name: string | null;
  readonly lines: readonly FileLine[];
  readonly stops: readonly FileStop[];
  /** What was left out or assumed, for people. */
  readonly notes: readonly string[];
}

/** A file that cannot be used, with the reason in a sentence for people. */
export class FileRefusal extends Error {
  /** The field of the form at fault. */
  readonly field: 'file' | 'choice';

  constructor(message: string, field: 'file' | 'choice' = 'file') {
    super(message);
    this.name = 'FileRefusal';
    this.field = field;
  }
}
