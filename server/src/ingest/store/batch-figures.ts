// A batch adds its figures to the metrics. They are plain data: a thread that stores batches sends them to the process.
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
  /** Fields that were left out because their values are invalid. */
  readonly dropped: readonly { readonly field: string; readonly count: number }[];
}

/** Most units that have a series of their own in the metrics of a process; those after them share one. */
const MOST_UNITS = 100;
const named = new Set<number>();

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
