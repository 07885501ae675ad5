// Keeps the terminals that have shown their code in a connection. A platform passes many of them through one.
import type { AskTerminal, Terminals } from './terminals.ts';

/** Terminals of one connection; the one that was silent for longest must sign in again. */
export const MOST_SIGNED_IN = 2_000;

/** The unit of a terminal, and the way to it. */
export interface SignedIn {
  readonly unitId: number;
  readonly ask: AskTerminal;
  /** When it signed in, ms since 1970 UTC. */
  readonly atMs: number;
}

export interface SignIns {
  add(terminal: string, signedIn: SignedIn): void;
  /**
   * Notes that a message of it has come: it can be reached here, unless it can in another connection.
   * @returns whether it has signed in, as this unit; if another unit has its number now, it has not
   */
  heard(terminal: string, unitId: number): boolean;
  remove(terminal: string): void;
  clear(): void;
}

/** Makes the sign-ins of one connection. @param terminals learns where each terminal is */
export function createSignIns(
  terminals: Pick<Terminals, 'add' | 'addIfNone' | 'remove' | 'renew'>,
): SignIns {
  /** The one that was silent for longest first. */
  const all = new Map<string, SignedIn>();
  const remove = (terminal: string): void => {
    const found = all.get(terminal);
    all.delete(terminal);
    if (found !== undefined) terminals.remove(found.unitId, found.ask);
  };
  return {
    remove,
    add: (terminal, signedIn) => {
      const before = all.get(terminal);
      all.delete(terminal);
      all.set(terminal, signedIn);
      const { unitId, ask, atMs } = signedIn;
      // It may have restarted behind its platform: what it was asked before it may not have got.
      if (before?.unitId === unitId && terminals.renew(unitId, before.ask, ask)) return;
      if (before !== undefined) terminals.remove(before.unitId, before.ask);
      terminals.add(unitId, ask, atMs);
      for (const [oldest] of all) {
        if (all.size <= MOST_SIGNED_IN) break;
        remove(oldest);
      }
    },
    heard: (terminal, unitId) => {
      const found = all.get(terminal);
      if (found === undefined) return false;
      if (found.unitId !== unitId) {
        remove(terminal);
        return false;
      }
      all.delete(terminal);
      all.set(terminal, found);
      terminals.addIfNone(unitId, found.ask, found.atMs);
      return true;
    },
    clear: () => {
      for (const terminal of [...all.keys()]) remove(terminal);
    },
  };
}
