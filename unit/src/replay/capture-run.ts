// Replays of captures have these in common in all protocols.
import type { Timers } from '../uplink/timers.ts';
import { counted } from './counted.ts';

/** A server does not take a capture; the message is for the operator. */
export class CaptureError extends Error {}

/** A packet is sent again three times. */
export const ATTEMPTS = 4;

export interface CaptureRun {
  readonly captures: readonly string[];
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
  /** Says why the server has not answered, and how long the next attempt is put off, ms. */
  readonly onFailure: (error: unknown, waitMs: number) => void;
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
  /** @param isRefused undefined: it holds no record */
  add(result: number | string, isRefused: boolean | undefined): void;
  /** A result that was told afterwards takes the place of an earlier one; whether a record is refused stays. */
  change(from: number, to: number): void;
  /** @param word of one of what is counted @param words what follows it, for instance 'with the result' */
  say(word: string, words: string): void;
  /** @throws CaptureError when there are records, and all were refused */
  check(): void;
}

/** Makes a tally. */
export function createTally({ say }: Pick<CaptureRun, 'say'>): Tally {
  const counts = new Map<number | string, number>();
  const count = (result: number | string, more: 1 | -1): void => {
    counts.set(result, (counts.get(result) ?? 0) + more);
  };
  let [taken, refused] = [0, 0];
  return {
    add: (result, isRefused) => {
      count(result, 1);
      if (isRefused === true) refused += 1;
      if (isRefused === false) taken += 1;
    },
    change: (from, to) => {
      count(from, -1);
      count(to, 1);
    },
    say: (word, words) => {
      for (const [result, number] of counts) {
        if (number > 0) say(`${counted(number, word)} ${words} ${result}`);
      }
    },
    check: () => {
      if (taken === 0 && refused > 0) throw new CaptureError('The server refused every record.');
    },
  };
}

/** Where a capture goes. */
export interface CaptureServer {
  /** HOST:PORT or an address, as the operator gave it. */
  readonly place: string;
  /** The variable of the server's configuration that names the port. */
  readonly variable: string;
}

/** Says in a sentence why a server has not answered. */
export function failureText(error: unknown, { place, variable }: CaptureServer): string {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') {
    return `Nothing listens at ${place}: the variable ${variable} of the server configures its port.`;
  }
  if (code !== undefined) return `The connection to ${place} failed (${code}).`;
  const message = error instanceof Error ? error.message : String(error);
  return `${place}: ${message.replace(/\.$/, '')}.`;
}

// The first code of the system: fetch tells it as a cause.
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : codeOf(error.cause);
}
