// A unit that has moved may still send what it recorded in another bus. Each record is stored for the bus in which its
// unit sat at that time.
import { stayAt } from '../../access/unit-assignments.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { CheckedRecord } from './records.ts';

/** A unit, and the bus in which it sat when it recorded; null: none. */
export interface Sender {
  readonly unit: KnownUnit;
  readonly busId: number | null;
}

/** Records of a unit during one stay in a bus. */
export interface RecordsOfStay {
  /** null: the unit was a spare one. */
  readonly busId: number | null;
  readonly records: readonly CheckedRecord[];
}

/**
 * The records of a batch by the unit's stays in buses, in the order of these: a reading of a counter is compared with the
 * one before it. The last part is of the present stay and always there, also without records. A unit that has never moved
 * has one part.
 */
export function partByStay(unit: KnownUnit, records: readonly CheckedRecord[]): RecordsOfStay[] {
  if (records.every((record) => momentOf(record) >= unit.assignedFromMs)) {
    return [{ busId: unit.busId, records }];
  }
  const parts = Map.groupBy(records, (record) => stayAt(unit, momentOf(record)).fromMs);
  parts.set(unit.assignedFromMs, parts.get(unit.assignedFromMs) ?? []);
  return [...parts]
    .sort(([oneFromMs], [otherFromMs]) => oneFromMs - otherFromMs)
    .map(([fromMs, some]) => ({ busId: stayAt(unit, fromMs).busId, records: some }));
}

/**
 * The moment of a record that says in which bus its unit sat, ms since 1970 UTC. A fragment belongs to the bus in which
 * it was recorded, whenever it is announced.
 */
export function momentOf(record: CheckedRecord): number {
  const { timeMs, sentMs } = record;
  return record.type === 'segment' ? record.startMs + timeMs - sentMs : timeMs;
}
