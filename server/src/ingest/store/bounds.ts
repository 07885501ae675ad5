// The limits of units' records, whatever protocol brings them.

/** Local days of the bus that a batch may touch: each costs hours, laps and partitions. */
export const MAX_BATCH_DAYS = 62;
/**
 * Positions of a unit in five minutes, 20 a second. They are one row, which each batch rewrites. A receiver whose clock
 * stands still would put all its positions into it.
 */
export const MAX_BLOCK_POINTS = 6000;
/**
 * Ranges of numbers stored of a stream. Each gap in the numbers adds one, and each batch writes all of them. Beyond the
 * limit the gaps with the smallest numbers are closed.
 */
export const MAX_STREAM_RANGES = 1000;
/** Records of a unit that are kept aside, about 30 MB; the unit keeps those beyond it. */
export const MAX_ASIDE = 100_000;
/**
 * Counters of a unit whose readings are remembered: 16 modules of eight doors, both ways. A bus has five doors at most, and
 * a module for each of them at most. A module is a number of 16 bits, so one that is read wrong would have a row for each
 * of its values.
 */
export const MAX_COUNTERS = 256;

/** Limits of one row, so that a unit with a bad counter or clock costs no more than others. */
export interface Bounds {
  /** Positions in one block. */
  readonly blockPoints: number;
  /** Ranges of numbers of one stream. */
  readonly streamRanges: number;
  /** Records kept aside. */
  readonly aside: number;
}

/** The limits of the product; tests have smaller ones. */
export const BOUNDS: Bounds = {
  blockPoints: MAX_BLOCK_POINTS,
  streamRanges: MAX_STREAM_RANGES,
  aside: MAX_ASIDE,
};
