// The places of a port for connections. Anybody may open one, so those that have not shown yet who they are never keep out
// one that comes: of these, the address that has the most gives up its oldest. Many units behind one address lose none
// once they have shown who they are, within the share of one name.

/** The place of a connection. */
export interface Place {
  /**
   * The connection has shown who it is: nobody gets its place any more.
   * @param name that of its sender; its address by default. One with more connections than may be gives up the one that
   *   has shown it longest ago
   */
  keep(name?: string): void;
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

interface Groups {
  readonly strangers: Group;
  readonly known: Group;
  readonly mostOfName: number;
}

/**
 * Makes the places of a port.
 * @param most all of them
 * @param mostOfName those of one sender that has shown who it is; without a limit by default
 */
export function createPlaces(most: number, mostOfName = Number.POSITIVE_INFINITY): Places {
  const groups: Groups = { strangers: new Group(), known: new Group(), mostOfName };
  const { strangers, known } = groups;
  return {
    take: (address, giveUp) => {
      if (strangers.size + known.size >= most) {
        const oldest = strangers.oldestOfMost(address);
        if (oldest === undefined) return undefined;
        oldest.evict();
      }
      return new Held(groups, address, giveUp);
    },
  };
}

/** Connections by the time since when they are in the group, those that are so for longest first. */
class Group {
  readonly #all = new Set<Held>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#all.size;
  }

  countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(held: Held): void {
    this.#all.add(held);
    this.#counts.set(held.name, this.countOf(held.name) + 1);
  }

  /** @returns whether it was in the group */
  remove(held: Held): boolean {
    if (!this.#all.delete(held)) return false;
    const left = this.countOf(held.name) - 1;
    if (left === 0) this.#counts.delete(held.name);
    else this.#counts.set(held.name, left);
    return true;
  }

  oldestOf(name: string): Held | undefined {
    for (const held of this.#all) if (held.name === name) return held;
    return undefined;
  }

  /** The oldest of the name that has the most, with the one that comes. */
  oldestOfMost(coming: string): Held | undefined {
    let most = this.countOf(coming) + 1;
    for (const count of this.#counts.values()) most = Math.max(most, count);
    for (const held of this.#all) {
      if (this.countOf(held.name) + (held.name === coming ? 1 : 0) === most) return held;
    }
    return undefined;
  }
}

// A class, so that ten thousand connections do not each have functions of their own.
class Held implements Place {
  readonly #groups: Groups;
  readonly #address: string;
  readonly #giveUp: () => void;
  #group: Group;
  /** The address, until its sender is known. */
  name: string;

  constructor(groups: Groups, address: string, giveUp: () => void) {
    this.#groups = groups;
    this.#address = address;
    this.#giveUp = giveUp;
    this.name = address;
    this.#group = groups.strangers;
    this.#group.add(this);
  }

  keep(name = this.#address): void {
    const { known, mostOfName } = this.#groups;
    if (!this.#move(known, name)) return;
    if (known.countOf(name) > mostOfName) known.oldestOf(name)?.evict();
  }

  unkeep(): void {
    this.#move(this.#groups.strangers, this.#address);
  }

  leave(): void {
    this.#group.remove(this);
  }

  evict(): void {
    if (this.#group.remove(this)) this.#giveUp();
  }

  /** @returns whether it has still a place */
  #move(to: Group, name: string): boolean {
    if (!this.#group.remove(this)) return false;
    this.#group = to;
    this.name = name;
    to.add(this);
    return true;
  }
}
