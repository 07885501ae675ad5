import type { CheckedRecord, StoreRefusal } from './records.ts';

/**
 * Separates the records of a batch that may be stored from those that may not: of equal numbers the first counts, as if
 * the others had come later.
 * @param cameraIds of the bus, by the unit's name of a camera
 */
export function partUsable(
  records: readonly CheckedRecord[],
  cameraIds: ReadonlyMap<string, number>,
): { usable: CheckedRecord[]; refused: StoreRefusal[] } {
  const refused: StoreRefusal[] = [];
  const first = new Map<number, CheckedRecord>();
  for (const record of records) {
    if ('camera' in record && !cameraIds.has(record.camera)) {
      const message = `the bus has no camera '${record.camera}'`;
      refused.push({ record, reason: 'unknown_camera', field: 'camera', message });
      continue;
    }
    const same = first.get(record.seq);
    if (same === undefined) first.set(record.seq, record);
    else if (JSON.stringify({ ...same, index: 0 }) !== JSON.stringify({ ...record, index: 0 })) {
      refused.push(otherContent(record));
    }
  }
  return { usable: [...first.values()], refused };
}

/** The refusal of a record whose number belongs to another one. */
export function otherContent(record: CheckedRecord): StoreRefusal {
  const message = 'this number was used for a record with other content';
  return { record, reason: 'other_content', field: 'seq', message };
}
