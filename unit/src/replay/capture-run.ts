// Replays of captures have these in common in all protocols.
import type { Timers } from '../uplink/timers.ts';

/** A packet is sent again three times. */
export const ATTEMPTS = 4;

export interface CaptureRun {
  readonly captures: readonly string[];
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
  /** How long an answer is waited for, and the next try is put off, ms; those of the protocol unless given. */
  readonly answerMs?: number;
  readonly againMs?: number;
  /** How long a unit may be unknown after it was adopted, ms; that of the product unless given. */
  readonly adoptedMs?: number;
}

/** A process of the server may know for 3 s that no unit has an id, ms. */
const ADOPTED_MS = 4_000;

/**
 * Makes a wait for units that were adopted a moment ago, to be called when the server does not know an id. One wait is enough
 * for all of them.
 * @returns whether to send again
 */
export function createAdoptionWait({
  timers,
  signal,
  adoptedMs = ADOPTED_MS,
}: CaptureRun): () => Promise<boolean> {
  let hasWaited = false;
  return async () => {
    if (hasWaited) return false;
    hasWaited = true;
    await timers.sleep(adoptedMs, signal);
    return !signal.aborted;
  };
}

/** Counts the results of records, and says them. */
export interface Tally {
  add(result: number | string): void;
  /** @param words for instance 'records with the result' */
  say(words: string): void;
}

/** Makes a tally. */
export function createTally({ say }: Pick<CaptureRun, 'say'>): Tally {
  const counts = new Map<number | string, number>();
  return {
    add: (result) => void counts.set(result, (counts.get(result) ?? 0) + 1),
    say: (words) => {
      for (const [result, count] of counts) say(`${count} ${words} ${result}`);
    },
  };
}
