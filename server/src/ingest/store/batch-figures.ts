// What a batch adds to the metrics, as plain data: a thread that stores batches sends it to the process.
import type { Metrics } from '../../core/metrics.ts';

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
}

/** Counts outcomes by type: prom-client builds a text to find a label, which is too much for each record. */
export function countRecords(
  outcomes: Iterable<{ readonly type: string; readonly outcome: string }>,
): RecordCount[] {
  const counts = new Map<string, RecordCount>();
  for (const { type, outcome } of outcomes) {
    const key = `${type} ${outcome}`;
    counts.set(key, { type, outcome, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** Adds the figures of a batch to the metrics. */
export function addFigures(
  metrics: Pick<Metrics, 'records' | 'batchSeconds'>,
  { records, seconds }: BatchFigures,
): void {
  for (const { type, outcome, count } of records) metrics.records.labels(type, outcome).inc(count);
  metrics.batchSeconds.observe(seconds);
}
