import { MAX_BLOCK_POINTS, MAX_STREAM_RANGES } from '@ridewatch/contract/unit';

/** Limits of one row, so that a unit with a bad counter or clock costs no more than others. */
export interface Bounds {
  /** Positions in one block. */
  readonly blockPoints: number;
  /** Ranges of numbers of one stream. */
  readonly streamRanges: number;
}

/** The limits that the unit interface promises. */
export const BOUNDS: Bounds = { blockPoints: MAX_BLOCK_POINTS, streamRanges: MAX_STREAM_RANGES };
