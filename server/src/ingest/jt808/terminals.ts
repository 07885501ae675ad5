// Knows in which connection of the process each unit's terminal is signed in, so that the server can send it something.
import type { TerminalAnswer, TerminalRequest } from './requests.ts';

/** The way to a terminal that has signed in. */
export type AskTerminal = (request: TerminalRequest) => Promise<TerminalAnswer | undefined>;

export interface Terminals {
  /** Notes where a unit's terminal is; the latest place holds. */
  add(unitId: number, ask: AskTerminal): void;
  /** Forgets it, unless it is somewhere else by now. */
  remove(unitId: number, ask: AskTerminal): void;
  /** Whether a unit's terminal is there. */
  has(unitId: number): boolean;
  /**
   * Asks a unit's terminal. One whose unit was switched off is there until its next message.
   * @returns undefined when it is not there or does not answer in time
   */
  ask(unitId: number, request: TerminalRequest): Promise<TerminalAnswer | undefined>;
}

/** Makes the list of one process, with one place a unit. @param onAdd is told of each terminal that signs in */
export function createTerminals(onAdd: (unitId: number) => void = () => undefined): Terminals {
  const places = new Map<number, AskTerminal>();
  return {
    add: (unitId, ask) => {
      places.set(unitId, ask);
      onAdd(unitId);
    },
    remove: (unitId, ask) => {
      if (places.get(unitId) === ask) places.delete(unitId);
    },
    has: (unitId) => places.has(unitId),
    ask: async (unitId, request) => places.get(unitId)?.(request),
  };
}
