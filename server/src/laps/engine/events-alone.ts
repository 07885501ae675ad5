import { boardingFromMs, type Lap, SPLIT_MS } from './engine.ts';
import type { Boarding } from './people/attribute.ts';

/**
 * Adds laps for events far in time from every lap: one for each group of events without a long gap.
 * @param hasRoute without a route all of them are one lap
 * @returns all laps, in order of time
 */
export function withLapsOfEventsAlone(
  laps: readonly Lap[],
  events: readonly Boarding[],
  hasRoute: boolean,
): Lap[] {
  const alone = events
    .map(({ timeMs }) => timeMs)
    .filter((ms) =>
      laps.every((lap) => {
        return Math.max(boardingFromMs(lap) - ms, ms - lap.endMs) > SPLIT_MS;
      }),
    )
    .sort((a, b) => a - b);
  const spans: { startMs: number; endMs: number }[] = [];
  for (const ms of alone) {
    const span = spans.at(-1);
    if (span !== undefined && (!hasRoute || ms - span.endMs <= SPLIT_MS)) span.endMs = ms;
    else spans.push({ startMs: ms, endMs: ms });
  }
  const added = spans.map(
    ({ startMs, endMs }): Lap => ({
      startMs,
      endMs,
      leavesMs: startMs,
      arrivedBeforeMs: null,
      arrivedAfterMs: null,
      standsSinceMs: null,
      incomplete: hasRoute ? 'off_route' : 'no_route',
      legs: [],
      visits: [],
      pattern: 0,
      turn: null,
    }),
  );
  return [...laps, ...added].sort((a, b) => a.startMs - b.startMs);
}
