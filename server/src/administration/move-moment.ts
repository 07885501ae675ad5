// From when on a unit is in another bus, or is said to have been in its bus (docs/decisions/101-units-that-move.md).
import { sql } from 'kysely';
import type { UnitRow } from '../access/administration.ts';
import { freeFrom } from '../access/unit-assignments.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { UnitMove } from './move-records.ts';
import { findLastUnit, refusedMove } from './move-refusals.ts';

/** A move may begin so long ago: a fitter moved the unit, and the office writes it down later, ms. */
export const MOST_AGO_MS = 7 * 86_400_000;

/** The bus to which a unit goes, and the moment. */
interface WantedMove {
  /** null: it becomes a spare one; the bus in which it is: it has been there since another moment. */
  readonly busId: number | null;
  /** ms since 1970 UTC; minus infinity: always; undefined: as the unit has records and was elsewhere before. */
  readonly fromMs: number | undefined;
}

/** A move whose moment is allowed. Its `fromMs` is minus infinity where the unit has always been there. */
export interface PlannedMove extends UnitMove {
  /** Whether the unit has sent anything. */
  readonly isHeard: boolean;
  /** Since when it has been where it is, ms since 1970 UTC; minus infinity: always. */
  readonly assignedFromMs: number;
}

/**
 * Plans the move of a unit whose row is locked, and those of both buses. Unless a moment is given, a unit that has been in
 * no bus, or has sent nothing, belongs to its bus since another unit left that, or always; any other one since the present.
 * @param nowMs the present, ms since 1970 UTC
 * @returns undefined when the unit has been there since just that moment
 * @throws AppError invalid_request for a moment that cannot be; conflict for a unit in test mode, and when it sat in another
 *   bus then, or another unit in this one
 */
export async function planMove(
  tx: Tx,
  viewer: Viewer,
  unit: UnitRow,
  { busId, fromMs: wantedMs }: WantedMove,
  nowMs: number,
): Promise<PlannedMove | undefined> {
  const state = await readState(tx, unit.id, busId);
  const { isHeard, assignedFromMs, freeFromMs } = state;
  const isThere = unit.busId === busId;
  const isFirst = unit.busId === null && state.leftMs === undefined;
  const fromMs = momentOf(state, isFirst, wantedMs, nowMs);
  if (isThere && fromMs === assignedFromMs) return undefined;
  if (isHeard) refuseTested(state);
  refuseFarMoment(fromMs, state, nowMs);
  if (isThere) refuseLater(state, busId, fromMs);
  else if (isHeard && !isFirst && fromMs < assignedFromMs) throw cameLater(assignedFromMs);
  if (busId !== null && fromMs < freeFromMs) {
    const until = new Date(freeFromMs).toISOString();
    const device_id = await findLastUnit(tx, viewer, busId, unit.id);
    const message = `Another unit sat in the bus until ${until}.`;
    throw refusedMove(message, { cause: 'other_unit', until, device_id });
  }
  // Records that it sent before it got its bus belong to no bus.
  const from = isThere ? null : unit.busId;
  return { ...{ unitId: unit.id, from, to: busId, fromMs, nowMs }, isHeard, assignedFromMs };
}

interface State {
  readonly isHeard: boolean;
  readonly isTested: boolean;
  /** Its last test is still being counted. */
  readonly isCounted: boolean;
  readonly assignedFromMs: number;
  /** When it last left a bus, ms since 1970 UTC; undefined: it never did. */
  readonly leftMs: number | undefined;
  /** Since when no other unit has been in the new bus; minus infinity: always. */
  readonly freeFromMs: number;
}

async function readState(tx: Tx, unitId: number, busId: number | null): Promise<State> {
  const { rows } = await sql<
    Pick<State, 'isHeard' | 'isTested' | 'isCounted'> & {
      assignedFrom: Date | number;
      freeFrom: Date | number;
      left: Date | null;
    }
  >`
    select last_seen_at is not null
        or exists (select from aside_records where unit_id = units.id) as "isHeard", assigned_from as "assignedFrom",
      test_since is not null as "isTested",
      exists (select from test_releases where unit_id = units.id) as "isCounted",
      (select max(until_at) from past_assignments where unit_id = units.id) as left,
      ${freeFrom(sql`${busId}::bigint`, sql.ref('units.id'))} as "freeFrom"
    from units where id = ${unitId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The unit that moves is not there.');
  const { assignedFrom, freeFrom: free, left, ...state } = row;
  return {
    ...state,
    assignedFromMs: Number(assignedFrom),
    freeFromMs: Number(free),
    leftMs: left?.getTime(),
  };
}

function momentOf(
  { isHeard, assignedFromMs, freeFromMs }: State,
  isFirst: boolean,
  wantedMs: number | undefined,
  nowMs: number,
): number {
  if (wantedMs !== undefined && Number.isFinite(wantedMs)) return wantedMs;
  if (!isHeard || isFirst) return freeFromMs;
  return wantedMs === undefined ? nowMs : Math.max(assignedFromMs, freeFromMs);
}

function refuseTested({ isTested, isCounted }: State): void {
  if (isTested) throw refusedMove('The unit is in test mode.', { cause: 'in_test' });
  if (!isCounted) return;
  const message = 'The last test of the unit is still being counted.';
  throw refusedMove(message, { cause: 'test_counted' });
}

// However long ago: a unit that leaves its bus at the moment at which it came has never been there; and one belongs to a
// bus since another unit left that.
function refuseFarMoment(
  fromMs: number,
  { assignedFromMs, freeFromMs }: State,
  nowMs: number,
): void {
  if (fromMs > nowMs) throw refusedMove('lies in the future', { cause: 'future' });
  if (!Number.isFinite(fromMs) || fromMs === assignedFromMs || fromMs === freeFromMs) return;
  if (fromMs < nowMs - MOST_AGO_MS)
    throw refusedMove('is more than 7 days ago', { cause: 'too_old' });
}

/** Refuses a moment since which the unit cannot have been where it is. */
function refuseLater(
  { assignedFromMs, leftMs }: State,
  busId: number | null,
  fromMs: number,
): void {
  if (busId === null || fromMs > assignedFromMs) {
    const message = 'is later than the unit came, or the unit is in no bus; give another bus_id';
    throw new AppError('invalid_request', message, { field: 'moved_from' });
  }
  if (leftMs !== undefined && fromMs < leftMs) throw cameLater(leftMs);
}

function cameLater(sinceMs: number): AppError {
  const since = new Date(sinceMs).toISOString();
  const message = `The unit was elsewhere before ${since}.`;
  return refusedMove(message, { cause: 'came_later', since });
}
