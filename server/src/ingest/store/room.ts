// Positions beyond the limit of their five-minute block: the unit's clock stands still or keeps jumping back.
import { createRoom, type OpenBlocks } from '../../positions/append.ts';
import { type CheckedRecord, isUnplaced, type StoreRefusal } from './records.ts';

const isPoint = (record: CheckedRecord): boolean =>
  record.type === 'position' && !isUnplaced(record);

/** The corrected times of the positions among records, ms since 1970 UTC. */
export function timesOfPoints(records: readonly CheckedRecord[]): number[] {
  return records.filter(isPoint).map(({ timeMs }) => timeMs);
}

/**
 * Separates records whose positions fit into their blocks from the others; the first of a batch come first.
 * @param records none of them stored
 * @param open the blocks of their positions
 * @param most positions of one block
 */
export function partByRoom(
  records: readonly CheckedRecord[],
  open: OpenBlocks,
  most: number,
): { fresh: CheckedRecord[]; dense: CheckedRecord[] } {
  const takePlace = createRoom(open, most);
  const parts = { fresh: [] as CheckedRecord[], dense: [] as CheckedRecord[] };
  for (const record of records) {
    const hasRoom = !isPoint(record) || takePlace(record.timeMs);
    parts[hasRoom ? 'fresh' : 'dense'].push(record);
  }
  return parts;
}

/** The refusal of a position beyond the limit. */
export function denseRefusal(record: CheckedRecord, most: number): StoreRefusal {
  const message = `is in five minutes that have ${most} positions already; does the clock of the unit stand?`;
  return { record, reason: 'too_dense', field: 'time', message };
}
