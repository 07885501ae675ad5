import type { RouteDirection } from '@ridewatch/contract/laps';
import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/routes';
import { type Sentence, say } from './messages.ts';

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

/** The content of a file with lines and points. */
export interface FileContent {
  readonly format: RouteProposal['format'];
  readonly name: string | null;
  readonly lines: readonly FileLine[];
  readonly stops: readonly FileStop[];
  /** What was left out or assumed, for people. */
  readonly notes: readonly Sentence[];
}

/** A file that cannot be used, with the reason for people. */
export class FileRefusal extends Error {
  /** The field of the form at fault. */
  readonly field: 'file' | 'choice';

  readonly reason: Sentence;

  constructor(reason: Sentence, field: 'file' | 'choice' = 'file') {
    super(say(reason, 'en'));
    this.name = 'FileRefusal';
    this.reason = reason;
    this.field = field;
  }
}
