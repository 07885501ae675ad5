import type { RouteDirection } from '@ridewatch/contract/laps';
import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { type Message, translate } from './messages.ts';

/** A line of a file. */
export interface FileLine {
  readonly name: string | null;
  /** One, or several of one feature. */
  readonly parts: readonly (readonly Point[])[];
  /** The parts were recorded in this order and direction; otherwise both are unknown. */
  readonly isOrdered: boolean;
}

/** A stop of a file. */
export interface FileStop extends Point {
  readonly name: string | null;
  /** Null if the file names none. */
  readonly direction: RouteDirection | null;
}

/** The content of a file with lines and points. */
export interface FileContent {
  readonly format: RouteProposal['format'];
  readonly name: string | null;
  readonly lines: readonly FileLine[];
  readonly stops: readonly FileStop[];
  /** Omissions and assumptions, for the user. */
  readonly notes: readonly Message[];
}

/** Says why a file cannot be used, for the user. */
export class FileRefusal extends Error {
  /** The form field that has the error. */
  readonly field: 'file' | 'choice' | 'turn';

  readonly reason: Message;

  constructor(reason: Message, field: 'file' | 'choice' | 'turn' = 'file') {
    super(translate(reason, 'en'));
    this.name = 'FileRefusal';
    this.reason = reason;
    this.field = field;
  }
}
