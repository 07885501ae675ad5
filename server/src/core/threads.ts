// Threads for work that would hold up the event loop. Piscina starts them when they are needed, ends idle ones, which
// gives their memory back, and replaces those that broke a limit.
import { fileURLToPath } from 'node:url';
import { move, Piscina } from 'piscina';
import { threadMemory } from './thread-memory.ts';

/** An idle thread ends after this time, ms. */
const IDLE_MS = 15_000;

/** Limits of threads. */
export interface ThreadLimits {
  /** How many work at once; one unless given. */
  readonly threads?: number;
  /** Longest time for one answer, ms, from when a thread begins with it. */
  readonly maxMs: number;
  /** Most memory of a thread, MB. */
  readonly maxHeapMb: number;
  /** Most questions that wait for a thread; none unless given. */
  readonly mostWaiting?: number;
  /** The error of a question when so many wait. */
  readonly busy?: () => Error;
  /** The error of an answer that takes longer. */
  readonly late: () => Error;
  /** The data that a thread finds in `workerData`. */
  readonly data?: object;
}

/** Threads that answer questions, in the order of their arrival. */
export interface Threads<Question, Value> {
  /**
   * Asks a thread.
   * @param handedOver memory of the question that moves to the thread
   * @throws whatever the thread threw; the errors of `late` and `busy`; Error with the code ERR_WORKER_OUT_OF_MEMORY
   */
  ask(question: Question, handedOver?: readonly ArrayBuffer[]): Promise<Value>;
  /** Ends the threads; what they have not answered fails. */
  close(): Promise<void>;
}

/**
 * Makes threads.
 * @param file their program
 * @param name its exported function, which takes a question and gives the value
 */
export function createThreads<Question, Value>(
  file: URL,
  name: string,
  { threads = 1, maxMs, maxHeapMb, mostWaiting = 0, busy, late, data }: ThreadLimits,
): Threads<Question, Value> {
  const pool = new Piscina<Question, Value>({
    filename: fileURLToPath(file),
    name,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // A thread with connections of its own must serve them while it waits.
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: threadMemory(maxHeapMb),
    ...(data !== undefined && { workerData: data }),
  });
  let running = 0;
  const waiting: PromiseWithResolvers<void>[] = [];

  // The pool's own queue would count the wait towards the time of an answer.
  async function begin(): Promise<void> {
    if (running < threads) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw busy?.() ?? new Error('The threads are busy.');
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    await turn.promise;
  }

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.resolve();
  }

  return {
    ask: async (question, handedOver = []) => {
      await begin();
      const signal = AbortSignal.timeout(maxMs);
      try {
        return await pool.run(question, { signal, transferList: [...handedOver] });
      } catch (error) {
        throw signal.aborted ? late() : error;
      } finally {
        end();
      }
    },
    close: () => pool.destroy(),
  };
}

/** Hands the memory of an answer over instead of copying it; a thread calls it for what it returns. */
export function handOver<T extends ArrayBufferView<ArrayBuffer>>(value: T): T {
  return move(value) as T;
}
