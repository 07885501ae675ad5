// A batch adds its figures to the metrics. They are plain data: a thread that stores batches sends them to the process.
import type { Metrics } from '../../core/metrics.ts';
import type { CheckedRecord, StoreRefusal } from './records.ts';

/** Records of one type with one outcome: stored, repeated, or why they were refused. */
export interface RecordCount {
  readonly type: string;
  readonly outcome: string;
  readonly count: number;
}

export interface BatchFigures {
  readonly records: readonly RecordCount[];
  /** How long storing took. */
  readonly seconds: number;
  /** Fields that were left out because their values are invalid. */
  readonly dropped: readonly { readonly field: string; readonly count: number }[];
}

/** Most units that have a series of their own in the metrics of a process; those after them share one. */
const MOST_UNITS = 100;
const named = new Set<number>();

/** Fates of the records of a batch. */
export interface Stored {
  readonly fresh: readonly CheckedRecord[];
  /** Records that are kept aside now. */
  readonly aside: readonly CheckedRecord[];
  /** The records that are already stored. */
  readonly repeated: readonly CheckedRecord[];
  readonly refused: readonly StoreRefusal[];
}

interface Outcome {
  readonly type: string;
  readonly outcome: string;
}

/** The outcome of each record of a batch. */
export function outcomesOf({ fresh, repeated, aside, refused }: Stored): Outcome[] {
  const all = (records: readonly CheckedRecord[], outcome: string): Outcome[] =>
    records.map(({ type }) => ({ type, outcome }));
  return [
    ...all(fresh, 'stored'),
    ...all(repeated, 'repeated'),
    ...all(aside, 'kept_aside'),
    ...refused.map(({ record: { type }, reason }) => ({ type, outcome: reason })),
  ];
}

/** Counts outcomes by type, which come in runs: prom-client finds a label by a text, which is too much for each record. */
export function countRecords(outcomes: Iterable<Outcome>): RecordCount[] {
  const counts: (Outcome & { count: number })[] = [];
  const countOf = ({ type, outcome }: Outcome): (typeof counts)[number] => {
    const found = counts.find((one) => one.type === type && one.outcome === outcome);
    if (found !== undefined) return found;
    const added = { type, outcome, count: 0 };
    counts.push(added);
    return added;
  };
  let last: (typeof counts)[number] | undefined;
  for (const one of outcomes) {
    if (last?.type !== one.type || last.outcome !== one.outcome) last = countOf(one);
    last.count += 1;
  }
  return counts;
}

/** Adds the figures of a unit's batch to the metrics. */
export function addFigures(
  metrics: Pick<Metrics, 'records' | 'batchSeconds' | 'droppedFields'>,
  unitId: number,
  { records, seconds, dropped }: BatchFigures,
): void {
  for (const { type, outcome, count } of records) metrics.records.labels(type, outcome).inc(count);
  metrics.batchSeconds.observe(seconds);
  if (dropped.length === 0) return;
  if (named.size < MOST_UNITS) named.add(unitId);
  const unit = named.has(unitId) ? String(unitId) : 'others';
  for (const { field, count } of dropped) metrics.droppedFields.labels(unit, field).inc(count);
}
