// Reads what requests of known sessions and keys need of the database, by one statement for all of them.
import { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import { createJoinedReads } from '../core/joined-reads.ts';

/** Maximum age of cached accounts and credentials, ms. Logout and blocking must take effect within 5 s. */
export const KEEP_MS = 2500;
/** The cache evicts what is unused for this long, ms. */
export const FORGET_MS = 60_000;
/** Most cached entries of a kind in a process. */
export const MOST_KEPT = 50_000;

export interface AccountCache<A> {
  /** The account behind a session or key; undefined if it has ended. */
  find(id: string): Promise<A | undefined>;
  /** Drops entries that this process has ended. */
  forget(ids: readonly string[]): void;
}

interface Kept<A> {
  account: A | undefined;
  readAtMs: number;
}

/**
 * Creates a cache. Concurrent requests of stale entries share a read that begins after they came.
 * @param read reads the accounts behind ids, without those that have ended
 */
export function createAccountCache<A>(
  clock: Pick<Clock, 'elapsedMs'>,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, A>>,
): AccountCache<A> {
  const kept = new Cache<string, Kept<A>>({ most: MOST_KEPT, age: { keepMs: FORGET_MS, clock } });
  // Entries that wait for the next read: the cache may evict or forget them before it begins.
  const waiting: [string, Kept<A>][] = [];
  const refresh = createJoinedReads(async (_of: 'all'): Promise<void> => {
    const atMs = clock.elapsedMs();
    const entries = [...kept.entries(), ...waiting.splice(0)];
    const accounts = await read([...new Set(entries.map(([id]) => id))]);
    for (const [id, entry] of entries) {
      Object.assign(entry, { account: accounts.get(id), readAtMs: atMs });
    }
  });
  return {
    forget: (ids) => {
      for (const id of ids) kept.delete(id);
    },
    find: async (id) => {
      const atMs = clock.elapsedMs();
      const unread: Kept<A> = { account: undefined, readAtMs: Number.NEGATIVE_INFINITY };
      const found = kept.get(id) ?? unread;
      // A use restarts the entry's age.
      kept.set(id, found);
      if (atMs - found.readAtMs < KEEP_MS) return found.account;
      waiting.push([id, found]);
      await refresh('all');
      return found.account;
    },
  };
}
