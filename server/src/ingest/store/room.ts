// Positions for which their five minutes have no room any more: the unit's clock stands, or jumps back again and again.
import type { Refusal, UnitRecord } from '@ridewatch/contract/unit';
import { createRoom, type OpenBlocks } from '../../positions/append.ts';
import type { Incoming } from '../http/incoming.ts';
import { isUnplaced } from './stored.ts';

const isPoint = (incoming: Incoming): boolean =>
  incoming.record.type === 'position' && !isUnplaced(incoming);

/** The times, as sent, of the positions among records that are to be stored; ms since 1970 UTC. */
export function sentMsOfPoints(records: readonly Incoming[]): number[] {
  return records.filter(isPoint).map(({ sentMs }) => sentMs);
}

/**
 * Parts records whose positions find room in their blocks from the others; the first of a batch come first.
 * @param records none of them stored
 * @param open the blocks of their positions
 * @param most positions that one block may have
 */
export function partByRoom<I extends Incoming>(
  records: readonly I[],
  open: OpenBlocks,
  most: number,
): { fresh: I[]; dense: I[] } {
  const takePlace = createRoom(open, most);
  const parts = { fresh: [] as I[], dense: [] as I[] };
  for (const incoming of records) {
    const hasRoom = !isPoint(incoming) || takePlace(incoming.sentMs);
    parts[hasRoom ? 'fresh' : 'dense'].push(incoming);
  }
  return parts;
}

/** Says of a position why it is not stored. */
export function denseRefusal({ index, record }: Incoming<UnitRecord>, most: number): Refusal {
  return {
    index,
    seq: record.seq,
    reason: 'too_dense',
    field: 'time',
    message: `is in five minutes that have ${most} positions already; does the clock of the unit stand?`,
  };
}
