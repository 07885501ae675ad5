// A registrar records on while its unit moves from bus to bus: each has its own part of a file.
import { busAt } from '../../access/unit-assignments.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { isWorth, partOf, type RegistrarFile } from './file-list.ts';

/** Registrars name times in whole seconds, ms. */
const SECOND_MS = 1000;

/** A part of a file, and the bus in which it was recorded. */
interface PartOfBus {
  readonly busId: number;
  readonly part: RegistrarFile;
}

/**
 * Cuts a file at the moments at which its unit was moved; the second of a move is in no part.
 * @returns the parts in order of time, without those of times at which the unit was a spare one
 */
export function partByMoves(unit: KnownUnit, file: RegistrarFile): PartOfBus[] {
  const { assignedFromMs, pastAssignments } = unit;
  const moves = [assignedFromMs, ...pastAssignments.flatMap((past) => [past.fromMs, past.untilMs])]
    .filter((moveMs) => moveMs > file.startMs && moveMs < file.endMs)
    .sort((one, other) => one - other);
  const edges = [file.startMs, ...new Set(moves), file.endMs];
  return edges.slice(1).flatMap((untilMs, n) => {
    const fromMs = edges[n] ?? untilMs;
    const busId = busAt(unit, fromMs);
    const startMs = Math.ceil(fromMs / SECOND_MS) * SECOND_MS;
    const endMs = Math.floor(untilMs / SECOND_MS) * SECOND_MS;
    const part = partOf(file, { startMs, endMs });
    return busId !== null && endMs > startMs && isWorth(part, file) ? [{ busId, part }] : [];
  });
}
