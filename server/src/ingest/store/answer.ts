import type { BatchFigures } from './batch-figures.ts';
import type { StoreRefusal } from './records.ts';
import { joinRanges, type SequenceRanges } from './sequences.ts';

/** The result of a batch. */
export interface StoreAnswer {
  /** Ranges of numbers that are stored durably. */
  readonly acknowledged: SequenceRanges;
  readonly refused: readonly StoreRefusal[];
  /** Ranges of those of them whose time is not known. */
  readonly aside: SequenceRanges;
  /** Those of the acknowledged numbers that were stored before, or have nothing to store. */
  readonly repeated: readonly number[];
  readonly figures: Omit<BatchFigures, 'dropped'>;
}

/** The result of a batch that was stored in parts. @param answers at least one */
export function joinAnswers(answers: readonly StoreAnswer[]): StoreAnswer {
  return answers.reduce((one, other) => ({
    acknowledged: joinRanges(one.acknowledged, other.acknowledged),
    refused: [...one.refused, ...other.refused],
    aside: joinRanges(one.aside, other.aside),
    repeated: [...one.repeated, ...other.repeated],
    figures: {
      records: [...one.figures.records, ...other.figures.records],
      seconds: one.figures.seconds + other.figures.seconds,
    },
  }));
}
