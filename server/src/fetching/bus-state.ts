import {
  type BusState,
  LONG_SILENT_MS,
  MOVING_MS,
  SILENT_AFTER_MS,
  type UnitState,
} from '@ridewatch/contract/buses';
import { type RawBuilder, sql } from 'kysely';
import { isVisibleCause } from '../access/cause.ts';
import type { Viewer } from '../core/viewer.ts';

/** The longest limit of a customer after which a silent bus is a cause, ms. */
const LONGEST_LIMIT_MS = 24 * 3_600_000;

/** Moments of a unit; null where there was none. */
interface UnitMoments {
  readonly last_seen_at: Date | null;
  readonly last_moved_at: Date | null;
}

/**
 * Whether a unit moves, stands or is silent; see docs/glossary.md.
 * @param nowMs ms since 1970 UTC
 */
export function busStateOf(unit: UnitMoments, nowMs: number): UnitState {
  const sinceMs = (time: Date | null): number => nowMs - (time?.getTime() ?? 0);
  if (sinceMs(unit.last_seen_at) >= SILENT_AFTER_MS) return 'silent';
  return sinceMs(unit.last_moved_at) < MOVING_MS ? 'moving' : 'standing';
}

/**
 * The state of a bus among others: a silent one that nobody misses is off.
 * @param unit `missed` as `isMissed` says
 * @param nowMs ms since 1970 UTC
 */
export function shownStateOf(
  unit: UnitMoments & { readonly missed: boolean },
  nowMs: number,
): BusState {
  const state = busStateOf(unit, nowMs);
  return state === 'silent' && !unit.missed ? 'off' : state;
}

/**
 * Whether the table `units` has a unit that should be heard if it is silent, as an SQL condition: a cause is open; it
 * drove when it was last heard, and its cause may still follow; or it is silent for longer than a weekend.
 * @param nowMs ms since 1970 UTC
 */
export function isMissed(viewer: Viewer, nowMs: number): RawBuilder<boolean> {
  const before = (ms: number) => new Date(nowMs - ms);
  return sql<boolean>`coalesce(units.enabled and (
    units.last_seen_at <= ${before(LONG_SILENT_MS)}
    or (units.last_seen_at > ${before(LONGEST_LIMIT_MS)} and ${hasDriven})
    or units.workplace_id in (select workplace_id from attention_causes
      where ended_at is null and kind = 'silent_bus' and ${isVisibleCause(viewer)})), false)`;
}

/** Whether the unit of a row of `units` drove when it was last heard, as an SQL condition. */
export const hasDriven = sql<boolean>`coalesce(
  units.last_moved_at >= units.last_seen_at - ${MOVING_MS}::float8 * interval '1 ms', false)`;
