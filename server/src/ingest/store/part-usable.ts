import type { SentRecord, StoreRefusal } from './records.ts';

/**
 * Separates the records of a batch that may be stored from those that may not: of equal numbers the first counts, as if
 * the others had come later. What becomes of it becomes of its copies, which are in neither list.
 * @param cameraIds of the bus, by the unit's name of a camera
 */
export function partUsable<R extends SentRecord>(
  records: readonly R[],
  cameraIds: ReadonlyMap<string, number>,
): { usable: R[]; refused: StoreRefusal[] } {
  const refused: StoreRefusal[] = [];
  const first = new Map<number, R>();
  for (const record of records) {
    if ('camera' in record && !cameraIds.has(record.camera)) {
      const message = `the bus has no camera '${record.camera}'`;
      refused.push({ record, reason: 'unknown_camera', field: 'camera', message });
      continue;
    }
    const same = first.get(record.seq);
    if (same === undefined) first.set(record.seq, record);
    else if (contentOf(same) !== contentOf(record)) {
      refused.push(otherContent(record));
    }
  }
  return { usable: [...first.values()], refused };
}

/** Gives what was sent under the number of a record, as a text. */
export function contentOf(record: SentRecord): string {
  const isOfBatch = (key: string): boolean => key === 'index' || key === 'timeMs';
  return JSON.stringify(record, (key, value) => (isOfBatch(key) ? undefined : value));
}

/** The refusal of a record whose number belongs to another one. */
export function otherContent(record: SentRecord): StoreRefusal {
  const message = 'this number was used for a record with other content';
  return { record, reason: 'other_content', field: 'seq', message };
}
