import { type BusState, MOVING_MS, SILENT_AFTER_MS } from '@ridewatch/contract/buses';

/**
 * Whether a bus moves, stands or is silent; see docs/glossary.md.
 * @param unit moments of its unit; null where there was none
 * @param nowMs ms since 1970 UTC
 */
export function busStateOf(
  unit: { readonly last_seen_at: Date | null; readonly last_moved_at: Date | null },
  nowMs: number,
): BusState {
  const sinceMs = (time: Date | null): number => nowMs - (time?.getTime() ?? 0);
  if (sinceMs(unit.last_seen_at) >= SILENT_AFTER_MS) return 'silent';
  return sinceMs(unit.last_moved_at) < MOVING_MS ? 'moving' : 'standing';
}
