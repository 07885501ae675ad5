// The server greets a terminal a little after its sign-in, and some terminals together: after a restart of the server all
// sign in at once, and their records come first.
import type { Arrival } from '../jt808/terminals.ts';

/** A terminal that has just signed in gets the answer to that first, ms. */
const GREET_AFTER_MS = 500;
/** Terminals that are greeted together; those of the next greeting wait for the end of this one. */
const MOST_TOGETHER = 100;

/** The terminals of one process that wait for their greeting. */
export interface Greetings {
  /** One that waits already is greeted once. */
  add(arrival: Arrival): void;
  /** Greets no more of those that wait. */
  clear(): void;
}

/**
 * Makes them.
 * @param greet greets some terminals
 * @param run keeps an eye on work that nobody waits for
 * @param afterMs tests wait for less
 */
export function createGreetings(
  greet: (arrivals: readonly Arrival[]) => Promise<void>,
  run: (work: Promise<void>) => void,
  afterMs = GREET_AFTER_MS,
): Greetings {
  /** By unit, in the order of their arrival. */
  const waiting = new Map<number, Arrival & { readonly arrivedMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isGreeting = false;

  function wait(): void {
    if (isGreeting || waiting.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      run(greetAll());
    }, afterMs);
  }

  function nextOnes(): Arrival[] {
    const some: Arrival[] = [];
    const untilMs = performance.now() - afterMs;
    for (const [unitId, { atMs, arrivedMs }] of waiting) {
      if (some.length === MOST_TOGETHER || arrivedMs > untilMs) break;
      some.push({ unitId, atMs });
      waiting.delete(unitId);
    }
    return some;
  }

  async function greetAll(): Promise<void> {
    isGreeting = true;
    try {
      for (let some = nextOnes(); some.length > 0; some = nextOnes()) await greet(some);
    } finally {
      isGreeting = false;
      wait();
    }
  }

  return {
    add: ({ unitId, atMs }) => {
      waiting.delete(unitId);
      waiting.set(unitId, { unitId, atMs, arrivedMs: performance.now() });
      wait();
    },
    clear: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting.clear();
    },
  };
}
