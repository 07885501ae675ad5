/** The one clock of a page: which moment of the day the video shows. Chart, timeline and video follow it. */
export interface Playhead {
  /** The moment, ms since 1970 UTC; null while nothing is open. */
  readonly momentMs: number | null;
  set(momentMs: number | null): void;
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Makes the clock of one page; it lives outside of React, so that a running video does not render the screen. */
export function createPlayhead(): Playhead {
  const listeners = new Set<() => void>();
  let current: number | null = null;
  return {
    get momentMs() {
      return current;
    },
    set(momentMs) {
      if (momentMs === current) return;
      current = momentMs;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
