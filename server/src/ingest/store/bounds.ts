import { MAX_BLOCK_POINTS, MAX_STREAM_RANGES } from '@ridewatch/contract/unit';

/** What one row may hold, so that a unit that counts or tells the time badly costs no more than others. */
export interface Bounds {
  /** Positions in one block. */
  readonly blockPoints: number;
  /** Ranges of numbers of one stream. */
  readonly streamRanges: number;
}

/** The bounds that units are promised. */
export const BOUNDS: Bounds = { blockPoints: MAX_BLOCK_POINTS, streamRanges: MAX_STREAM_RANGES };
