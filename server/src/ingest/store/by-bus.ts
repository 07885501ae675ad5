// A unit that has moved may still send what it recorded in another bus. Each record is stored for the bus in which its
// unit sat at that time.
import { busAt } from '../../access/unit-assignments.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { CheckedRecord } from './records.ts';

/** A unit, and the bus in which it sat when it recorded; null: none. */
export interface Sender {
  readonly unit: KnownUnit;
  readonly busId: number | null;
}

/** Records of a unit in one bus. */
export interface RecordsOfBus {
  /** null: the unit was a spare one. */
  readonly busId: number | null;
  readonly records: readonly CheckedRecord[];
}

/**
 * The records of a batch by bus, those of the bus in which the unit sits last; of that one always, also without any.
 * A unit that has never moved has one part.
 */
export function partByBus(unit: KnownUnit, records: readonly CheckedRecord[]): RecordsOfBus[] {
  if (records.every((record) => momentOf(record) >= unit.assignedFromMs)) {
    return [{ busId: unit.busId, records }];
  }
  const parts = Map.groupBy(records, (record) => busAt(unit, momentOf(record)));
  const present = parts.get(unit.busId) ?? [];
  parts.delete(unit.busId);
  return [
    ...[...parts].map(([busId, some]) => ({ busId, records: some })),
    { busId: unit.busId, records: present },
  ];
}

/**
 * The moment of a record that says in which bus its unit sat, ms since 1970 UTC. A fragment belongs to the bus in which
 * it was recorded, whenever it is announced.
 */
export function momentOf(record: CheckedRecord): number {
  const { timeMs, sentMs } = record;
  return record.type === 'segment' ? record.startMs + timeMs - sentMs : timeMs;
}
