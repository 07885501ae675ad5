// The places of a port for connections. Anybody may open one, so those that have not shown yet who they are never keep out
// one that comes: of these, the address that has the most gives up its oldest. Many units behind one address lose none
// once they have shown who they are.

/** The place of a connection. */
export interface Place {
  /**
   * The connection has shown who it is: nobody gets its place any more.
   * @param name that of its sender. One with more connections than may be gives up the oldest of them
   */
  keep(name: string): void;
  /** It counts as one that has not shown it, from now on. */
  unkeep(): void;
  /** It has ended. */
  leave(): void;
}

/** The places of one port in a process. */
export interface Places {
  /**
   * Takes a place.
   * @param address of the connection, as `plainAddress` writes it
   * @param giveUp ends the connection, whose place somebody else has by now
   * @returns undefined when the connections that have shown who they are have all places
   */
  take(address: string, giveUp: () => void): Place | undefined;
}

interface Holder {
  readonly address: string;
  readonly giveUp: () => void;
  /** Undefined: not known yet. */
  name: string | undefined;
}

/**
 * Makes the places of a port.
 * @param most all of them
 * @param mostOfName those of one sender that has shown who it is; without a limit by default
 */
export function createPlaces(most: number, mostOfName = Number.POSITIVE_INFINITY): Places {
  /** The oldest first. */
  const strangers = new Set<Holder>();
  const known = new Map<string, Set<Holder>>();
  let knownCount = 0;

  function remove(holder: Holder): boolean {
    if (holder.name === undefined) return strangers.delete(holder);
    const own = known.get(holder.name);
    if (own?.delete(holder) !== true) return false;
    knownCount -= 1;
    if (own.size === 0) known.delete(holder.name);
    return true;
  }

  function evict(holder: Holder | undefined): boolean {
    if (holder === undefined || !remove(holder)) return false;
    holder.giveUp();
    return true;
  }

  function keep(holder: Holder, name: string): void {
    // It may have lost its place meanwhile.
    if (!remove(holder)) return;
    holder.name = name;
    const own = known.get(name) ?? new Set();
    known.set(name, own.add(holder));
    knownCount += 1;
    const [oldest] = own;
    if (own.size > mostOfName) evict(oldest);
  }

  return {
    take: (address, giveUp) => {
      const isFull = strangers.size + knownCount >= most;
      if (isFull && !evict(oldestOfMost(strangers, address))) return undefined;
      const holder: Holder = { address, giveUp, name: undefined };
      strangers.add(holder);
      return {
        keep: (name) => keep(holder, name),
        unkeep: () => {
          if (!remove(holder)) return;
          holder.name = undefined;
          strangers.add(holder);
        },
        leave: () => void remove(holder),
      };
    },
  };
}

/** @returns the oldest of the address that has the most, with the one that comes */
function oldestOfMost(holders: ReadonlySet<Holder>, coming: string): Holder | undefined {
  const counts = new Map([[coming, 1]]);
  for (const { address } of holders) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...holders].find(({ address }) => counts.get(address) === most);
}
