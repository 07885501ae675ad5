/** The clock of a page: the moment of the day that the video shows. Chart, timeline and video follow it. */
export interface Playhead {
  /** The moment, ms since 1970 UTC; null while no video is open. */
  readonly momentMs: number | null;
  set(momentMs: number | null): void;
  /** Calls the listener at every change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** Makes the clock of a page. It is not React state, so that a playing video does not render the screen. */
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
