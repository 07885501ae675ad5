// The laps of a track on a route with several patterns. Each pattern gives the laps that the bus would have driven with
// it alone; of them all the best chain is taken. What no lap of the chain covers is followed along the default pattern.
import { f64 } from '@ridewatch/contract/columns';
import { type Candidate, chooseLaps } from './choose-laps.ts';
import { goesAway, MIN_LAP_MS } from './cut.ts';
import { findHalts, type Halt } from './halts.ts';
import { firstAtLeast } from './track/ascending.ts';
import { partOf, type Track } from './track/track.ts';

/** Finds the laps of a track by one pattern. @param halts of this track */
export type LapsBy<T> = (track: Track, halts: readonly Halt[]) => T[];

/**
 * Finds the laps of a track without long gaps.
 * @param patterns the default first
 * @returns the laps in order of time; one may end a little after the next begins
 */
export function lapsOfPatterns<T extends Candidate>(
  track: Track,
  halts: readonly Halt[],
  [byDefault, ...others]: readonly [LapsBy<T>, ...LapsBy<T>[]],
): T[] {
  const ofDefault = byDefault(track, halts);
  const chain = chooseLaps([...ofDefault, ...others.flatMap((lapsBy) => lapsBy(track, halts))]);
  if (chain.every(({ pattern }) => pattern === 0)) return ofDefault;
  const laps: T[] = [];
  let fromMs = f64(track.timeMs, 0);
  for (const lap of chain) {
    laps.push(...lapsBetween(fromMs, lap.startMs), lap);
    fromMs = lap.endMs;
  }
  return [...laps, ...lapsBetween(fromMs, f64(track.timeMs, track.length - 1))];

  function lapsBetween(startMs: number, endMs: number): T[] {
    if (endMs - startMs < MIN_LAP_MS || !goesAway(track, startMs, endMs)) return [];
    const first = firstAtLeast(track.timeMs, startMs);
    const part = partOf(track, first, firstAtLeast(track.timeMs, endMs + 1));
    return byDefault(part, findHalts(part));
  }
}
