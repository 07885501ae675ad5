import { MAX_STREAM_RANGES } from '@ridewatch/contract/unit';

/** What one row may hold, so that a unit that counts badly costs no more than others. */
export interface Bounds {
  /** Ranges of numbers of one stream. */
  readonly streamRanges: number;
}

/** The bounds that units are promised. */
export const BOUNDS: Bounds = { streamRanges: MAX_STREAM_RANGES };
