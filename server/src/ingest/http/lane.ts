// One piece of work at a time. The unit that was served least recently comes first: in the order of arrival, units that
// were told to come back would always find the lane full of units that have just been served.
import { setTimeout as pause } from 'node:timers/promises';
import { Cache } from '../../core/cache.ts';
import { AppError } from '../../core/errors.ts';

export interface LaneLimits {
  /** Longest wait for the others, ms. */
  readonly longestWaitMs: number;
  /** Rest before work of the unit that was served last, as a multiple of that one's time; before any other's. */
  readonly rest: { readonly same: number; readonly other: number };
  /** Longest rest, ms. */
  readonly longestRestMs: number;
}

export interface Lane<Item, Value> {
  /**
   * Works on an item when it is its unit's turn.
   * @throws AppError unavailable when the others take too long, or the lane is closed; whatever the work throws
   */
  take(unitId: number, item: Item): Promise<Value>;
  /** Takes nothing more, and waits until what was taken is done. */
  close(): Promise<void>;
}

interface Waiting<Item, Value> extends PromiseWithResolvers<Value> {
  readonly unitId: number;
  readonly item: Item;
  readonly timer: NodeJS.Timeout;
}

/** Units whose last turn is remembered; a forgotten one comes first. */
const MOST_UNITS = 5000;
const COME_BACK_S = 10;

/** Makes a lane. @param work one at a time */
export function createLane<Item, Value>(
  work: (item: Item) => Promise<Value>,
  { longestWaitMs, rest, longestRestMs }: LaneLimits,
): Lane<Item, Value> {
  const served = new Cache<number, number>({ most: MOST_UNITS });
  let waiting: readonly Waiting<Item, Value>[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;
  let turns = 0;
  let last = { unitId: 0, endMs: 0, tookMs: 0 };

  function leave(one: Waiting<Item, Value>): void {
    clearTimeout(one.timer);
    waiting = waiting.filter((other) => other !== one);
  }

  function pick(): Waiting<Item, Value> | undefined {
    const turnOf = ({ unitId }: Waiting<Item, Value>): number => served.get(unitId) ?? 0;
    // Of equals, the first that came.
    const next = [...waiting].sort((a, b) => turnOf(a) - turnOf(b))[0];
    if (next !== undefined) leave(next);
    return next;
  }

  async function run(): Promise<void> {
    for (let next = pick(); next !== undefined; next = pick()) {
      const { unitId, item, resolve, reject } = next;
      const restMs = last.tookMs * (last.unitId === unitId ? rest.same : rest.other);
      await pause(Math.max(0, last.endMs + Math.min(restMs, longestRestMs) - performance.now()));
      const beganMs = performance.now();
      await work(item).then(resolve, reject);
      const endMs = performance.now();
      last = { unitId, endMs, tookMs: endMs - beganMs };
      turns += 1;
      served.set(unitId, turns);
    }
    running = undefined;
  }

  return {
    take: (unitId, item) => {
      if (isClosed) return Promise.reject(tooMany());
      const late = (): void => {
        leave(one);
        one.reject(tooMany());
      };
      const timer = setTimeout(late, longestWaitMs);
      const one = { ...Promise.withResolvers<Value>(), unitId, item, timer };
      waiting = [...waiting, one];
      running ??= run();
      return one.promise;
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

/** The answer to who comes while too many wait. */
export function tooMany(): AppError {
  const message = 'Too many large batches are being stored; send this one again soon.';
  return new AppError('unavailable', message, { retryAfterS: COME_BACK_S });
}
