// Looks things up for many callers by one statement at a time. However many ask, the pool has its other connections for what
// is stored.
import { isDatabaseAway } from '../../core/errors.ts';

/** Keys of a statement, a few ms of the database; more only if one caller asks for more. */
const MOST_KEYS = 1000;

/** A look-up that somebody waits for. */
interface LookUp {
  readonly keys: readonly string[];
  /** It is made before those that are not: its keys were found before. */
  readonly isFirst: boolean;
  /** Ends the wait: nobody is left to be told. What is not looked up yet never is. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting<Value> {
  readonly keys: readonly string[];
  readonly resolve: (found: ReadonlyMap<string, Value>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the look-ups of one process. Callers that ask while a statement runs share the next one.
 * @param read finds the values of keys; a key without one is missing
 * @returns looks keys up, perhaps together with others; throws the reason of its signal, or what `read` throws
 */
export function createLookUps<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (asked: LookUp) => Promise<ReadonlyMap<string, Value>> {
  const first = new Set<Waiting<Value>>();
  const others = new Set<Waiting<Value>>();
  let isRunning = false;
  return ({ keys, isFirst, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const queue = isFirst ? first : others;
      const one = { keys, resolve, reject };
      queue.add(one);
      signal?.addEventListener('abort', () => {
        queue.delete(one);
        reject(signal.reason);
      });
      if (!isRunning) void run();
    });

  async function run(): Promise<void> {
    isRunning = true;
    while (first.size + others.size > 0) await readSome(nextOf([first, others]));
    isRunning = false;
  }

  async function readSome(some: readonly Waiting<Value>[]): Promise<void> {
    try {
      const found = await read([...new Set(some.flatMap(({ keys }) => keys))]);
      for (const { resolve } of some) resolve(found);
    } catch (error) {
      if (some.length > 1 && !isDatabaseAway(error)) {
        // The fault is that of one of them, and nobody else suffers from it.
        for (const one of some) await readSome([one]);
        return;
      }
      for (const { reject } of some) reject(error);
      if (isDatabaseAway(error)) failAll(error);
    }
  }

  // Each further statement would fail as late as this one.
  function failAll(error: unknown): void {
    for (const queue of [first, others]) {
      for (const { reject } of queue) reject(error);
      queue.clear();
    }
  }
}

// Takes the look-ups of the next statement out of their queues.
function nextOf<One extends { readonly keys: readonly string[] }>(
  queues: readonly Set<One>[],
): One[] {
  const taken: One[] = [];
  let count = 0;
  for (const queue of queues) {
    for (const one of queue) {
      if (taken.length > 0 && count + one.keys.length > MOST_KEYS) return taken;
      queue.delete(one);
      taken.push(one);
      count += one.keys.length;
    }
  }
  return taken;
}
