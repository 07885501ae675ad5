// Ids by the network from which they knock: the one with the most gives place to others.

/** The ids of one note. */
export interface ByNetwork {
  add(id: string, network: string): void;
  remove(id: string, network: string): void;
  /**
   * Finds the id that was added first by the network with the most.
   * @param coming the network of one more id
   * @returns undefined when that network would have as many
   */
  firstOfMost(coming: string): { readonly id: string; readonly network: string } | undefined;
}

/** Begins with none. */
export function createByNetwork(): ByNetwork {
  const all = new Map<string, Set<string>>();
  /** Ids of the network that has the most: a link that names thousands asks for each of them. */
  let most = 0;
  return {
    add: (id, network) => {
      const ids = all.get(network) ?? new Set();
      all.set(network, ids.add(id));
      most = Math.max(most, ids.size);
    },
    remove: (id, network) => {
      const ids = all.get(network);
      if (ids?.delete(id) !== true) return;
      if (ids.size === 0) all.delete(network);
      if (ids.size + 1 < most) return;
      most = 0;
      for (const { size } of all.values()) most = Math.max(most, size);
    },
    firstOfMost: (coming) => {
      if (most <= (all.get(coming)?.size ?? 0) + 1) return undefined;
      for (const [network, ids] of all) {
        const [id] = ids;
        if (ids.size === most && id !== undefined) return { id, network };
      }
      return undefined;
    },
  };
}
