import type { FragmentAddress } from './address.ts';

/**
 * The fragment that is watched on a screen. Video, row, focus and address follow it; nothing else stores the current
 * one.
 */
export interface Watched {
  readonly fragmentId: number | undefined;
  /** The place at which playback begins, or last rested: s of wall time from the fragment's start. */
  readonly fromSeconds: number;
  /** Whether it plays as soon as it is loaded. */
  readonly playAtOnce: boolean;
  /** The screen opened it by itself: the address does not name it. */
  readonly isUnasked?: boolean;
}

/** The store of what is watched. Not React state: keys are faster than rendering, and must read the newest value. */
export interface WatchedStore {
  get(): Watched;
  set(watched: Watched): void;
  /** Calls the listener at every change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export const NOTHING: Watched = { fragmentId: undefined, fromSeconds: 0, playAtOnce: false };

/** An offset below this counts as the start, s. */
const BEGINNING_S = 0.05;

/** Makes the store of a screen. */
export function createWatched(watched: Watched): WatchedStore {
  const listeners = new Set<() => void>();
  let current = watched;
  return {
    get: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads what a query names. A position has no meaning without a fragment. */
export function watchedIn(query: URLSearchParams): Watched {
  const fragmentId = Number(query.get('fragment') ?? undefined) || undefined;
  const seconds = Number(query.get('t')) || 0;
  return fragmentId === undefined
    ? NOTHING
    : { fragmentId, fromSeconds: Math.max(0, seconds), playAtOnce: false };
}

/** The keys of the query that name what is watched. */
export function addressOf({
  fragmentId,
  fromSeconds,
}: Watched): Record<keyof FragmentAddress, string | undefined> {
  return {
    fragment: fragmentId === undefined ? undefined : String(fragmentId),
    t: fromSeconds > BEGINNING_S ? fromSeconds.toFixed(1) : undefined,
  };
}

/** Whether the address does not tell two apart. */
export function hasSameAddress(one: Watched, other: Watched): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  return a.fragment === b.fragment && a.t === b.t;
}
