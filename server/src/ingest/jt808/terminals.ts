// Knows in which connection of the process each unit's terminal is signed in, so that the server can send it something.
import type { TerminalAnswer, TerminalRequest } from './requests.ts';

/** The way to a terminal that has signed in. */
export type AskTerminal = (request: TerminalRequest) => Promise<TerminalAnswer | undefined>;

/** Messages of a terminal that the carrying out of commands waits for. */
export interface TerminalEvents {
  /** A terminal that has signed in has sent any message. */
  heard(unitId: number): void;
  /**
   * A location, which also says which cameras have no signal.
   * @param body of message 0x0200
   * @param sentMs its time, ms since 1970 UTC; undefined: it is no date
   */
  located(unitId: number, body: Buffer, sentMs: number | undefined): void;
  /** A list of files, or a part of one, has come that nobody waits for any more. */
  listedLate(unitId: number): void;
  /** An upload has ended. @param serial of the message that asked for it @param result 0: it is whole */
  uploadEnded(unitId: number, serial: number, result: number): void;
}

/** A unit whose terminal has signed in, and when, ms since 1970 UTC. */
export interface Arrival {
  readonly unitId: number;
  readonly atMs: number;
}

export interface Terminals {
  /** Notes where a unit's terminal is; the latest place holds. @param atMs when it signed in, ms since 1970 UTC */
  add(unitId: number, ask: AskTerminal, atMs: number): void;
  /** Notes that it has signed in again where it is; nobody is told. @returns false when it is somewhere else by now */
  renew(unitId: number, before: AskTerminal, ask: AskTerminal): boolean;
  /**
   * Takes a connection for the unit's place when there is none: a message has just come on it, so it lives, and the place
   * that a later sign-in had has gone. One that signed in at another process since is not there.
   * @param atMs when it signed in in this connection, ms since 1970 UTC
   */
  addIfNone(unitId: number, ask: AskTerminal, atMs: number): void;
  /** Forgets it, unless it is somewhere else by now. */
  remove(unitId: number, ask: AskTerminal): void;
  /**
   * Forgets one that signed in at another process, unless it signed in here later; connections of before are no place.
   * @param atMs when it did so there, by the clock of this process, ms since 1970 UTC
   */
  isElsewhere(unitId: number, atMs: number): void;
  /** Whether a unit's terminal is there. */
  has(unitId: number): boolean;
  /** The units whose terminals are there. */
  unitIds(): number[];
  /** The same with the times of their sign-ins. */
  arrivals(): Arrival[];
  /**
   * Asks a unit's terminal. One whose unit was switched off is there until its next message.
   * @returns undefined when it is not there, has left meanwhile, has connected again, or too many requests wait: it may
   *   not have got this one
   */
  ask(unitId: number, request: TerminalRequest): Promise<TerminalAnswer | undefined>;
}

/**
 * Makes the list of one process, with one place a unit. Other connections in which its terminal is signed in have none, so
 * they need no limit.
 * @param onAdd is told of each terminal that has another place, and when it signed in there
 */
export function createTerminals(
  onAdd: (unitId: number, atMs: number) => void = () => undefined,
): Terminals {
  const places = new Map<number, { readonly ask: AskTerminal; readonly atMs: number }>();
  /** When a unit's terminal signed in at another process last, ms since 1970 UTC. */
  const elsewhereMs = new Map<number, number>();
  const add: Terminals['add'] = (unitId, ask, atMs) => {
    places.set(unitId, { ask, atMs });
    onAdd(unitId, atMs);
  };
  const signedInElsewhere = (unitId: number): number =>
    elsewhereMs.get(unitId) ?? Number.NEGATIVE_INFINITY;
  return {
    add,
    addIfNone: (unitId, ask, atMs) => {
      if (!places.has(unitId) && signedInElsewhere(unitId) <= atMs) add(unitId, ask, atMs);
    },
    renew: (unitId, before, ask) => {
      const place = places.get(unitId);
      if (place?.ask !== before) return false;
      places.set(unitId, { ask, atMs: place.atMs });
      return true;
    },
    remove: (unitId, ask) => {
      if (places.get(unitId)?.ask === ask) places.delete(unitId);
    },
    isElsewhere: (unitId, atMs) => {
      elsewhereMs.set(unitId, Math.max(atMs, signedInElsewhere(unitId)));
      const place = places.get(unitId);
      if (place !== undefined && place.atMs < atMs) places.delete(unitId);
    },
    has: (unitId) => places.has(unitId),
    unitIds: () => [...places.keys()],
    arrivals: () => [...places].map(([unitId, { atMs }]) => ({ unitId, atMs })),
    ask: async (unitId, request) => {
      const place = places.get(unitId);
      const answer = await place?.ask(request);
      const isSilence = answer?.kind === 'silence';
      return isSilence && places.get(unitId) !== place ? undefined : answer;
    },
  };
}
