import type { DayLimit } from '@ridewatch/contract/laps';

/** A day cannot be computed within its limits; other days go on. */
export class DayLimitError extends Error {
  readonly limit: DayLimit;

  constructor(limit: DayLimit) {
    super(
      limit === 'too_long'
        ? 'The computation of the day exceeds its timeout.'
        : 'The day exceeds the limit of records or memory.',
    );
    this.name = 'DayLimitError';
    this.limit = limit;
  }
}

/** Timeout of one day, ms; an ordinary one takes 60. */
export const MAX_COMPUTATION_MS = 20_000;
/** A day that takes longer is slow from then on, ms: it must not delay days that somebody looks at. */
export const QUICK_COMPUTATION_MS = 2000;
/** Most memory of the computing thread, MB; an ordinary day takes 30. */
export const MAX_HEAP_MB = 512;
/**
 * Most positions of a day and its margins: 7 a second for 36 hours. Their arrays are not part of the measured memory.
 */
export const MAX_POSITIONS = 1_000_000;
/** Most passenger events of a day and its margins: several a second for 36 hours. */
export const MAX_EVENTS = 200_000;
