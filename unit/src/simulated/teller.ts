// A simulated unit tells its records in another protocol than the unit interface through a teller.
import type { Timers } from '../uplink/timers.ts';
import type { Told } from './told.ts';

export interface Teller {
  /** Its records count the people of an opening of the doors; else those of a second. */
  readonly byOpening: boolean;
  /** The least interval of positions, ms, a divisor of a minute. */
  readonly leastEveryMs: number;
  /**
   * Sends records in their order until one is not answered; its calls must not overlap.
   * @returns how many, from the first one on, were answered: stored, or refused for good
   */
  tell(told: readonly Told[]): Promise<number>;
  /** The connection of a unit that takes commands; others connect to tell. */
  readonly link?: {
    /** Connects, if it is not connected. @returns whether it is */
    connect(): Promise<boolean>;
    /** Cuts the connection. */
    disconnect(): void;
  };
  /** Ends what it keeps open. */
  close(): Promise<void>;
}

export interface TellerOptions {
  readonly timers: Timers;
  /** Ends the telling. */
  readonly signal: AbortSignal;
  /** Called for a record that the server refuses for good. */
  readonly onRefused: (reason: string) => void;
  /** Called when records are not answered: they will be told again. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Sends records part by part until one is not answered.
 * @param most records of a part
 * @param send sends a part and gives how many of it, from the first one on, were answered
 */
export async function tellInParts(
  told: readonly Told[],
  most: number,
  { signal, onFailure }: Pick<TellerOptions, 'signal' | 'onFailure'>,
  send: (part: readonly Told[]) => Promise<number>,
): Promise<number> {
  let answered = 0;
  try {
    while (answered < told.length && !signal.aborted) {
      const part = told.slice(answered, answered + most);
      const count = await send(part);
      answered += count;
      if (count < part.length) break;
    }
  } catch (error) {
    if (!signal.aborted) onFailure(error instanceof Error ? error : new Error(String(error)));
  }
  return answered;
}
