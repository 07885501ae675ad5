import { isUnplaced, type SentRecord, type StoreRefusal } from './records.ts';

/**
 * Separates the records of a batch that may be stored from those that may not: of equal numbers the first counts, as if
 * the others had come later. Its copies share its fate, and are in neither list. In the stream of numbers
 * made of times nothing is stored of a position without a fix, so its number keeps no other record away.
 * @param cameraIds of the bus, by the unit's name of a camera
 * @param isTimed whether the records are of that stream
 */
export function partUsable<R extends SentRecord>(
  records: readonly R[],
  cameraIds: ReadonlyMap<string, number>,
  isTimed: boolean,
): { usable: R[]; refused: StoreRefusal[] } {
  const usable: R[] = [];
  const refused: StoreRefusal[] = [];
  const first = new Map<number, R>();
  for (const record of records) {
    if ('camera' in record && !cameraIds.has(record.camera)) {
      const message = `the bus has no camera '${record.camera}'`;
      refused.push({ record, reason: 'unknown_camera', field: 'camera', message });
      continue;
    }
    if (isTimed && isUnplaced(record)) {
      usable.push(record);
      continue;
    }
    const same = first.get(record.seq);
    if (same === undefined) {
      first.set(record.seq, record);
      usable.push(record);
    } else if (contentOf(same) !== contentOf(record)) {
      refused.push(otherContent(record));
    }
  }
  return { usable, refused };
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
