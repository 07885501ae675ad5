// A thread for calculations that would hold up the event loop, one at a time.
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import { askWorker } from './ask-worker.ts';
import { threadMemory } from './thread-memory.ts';

/** An idle thread ends after this time, and gives its memory back, ms. */
const IDLE_MS = 15_000;

type ThreadAnswer<Value> = { readonly value: Value } | { readonly error: unknown };

export interface ThreadLimits {
  /** Longest time for one answer, ms. */
  readonly maxMs: number;
  /** Most memory of the thread, MB. */
  readonly maxHeapMb: number;
  /** The error of an answer that takes longer. */
  readonly late: () => Error;
  /** What the thread finds in `workerData`. */
  readonly data?: unknown;
}

/** A thread that answers one question at a time. It starts when it is needed. */
export interface IdleThread<Question, Value> {
  /**
   * Asks the thread. Wait for an answer before the next question.
   * @throws whatever the thread threw; the error of `late`; Error when the thread ended
   */
  ask(question: Question): Promise<Value>;
  /** Ends the thread; what it has not answered fails. */
  close(): Promise<void>;
}

/**
 * Makes a thread.
 * @param file its program, which calls `answerInThread`
 */
export function createIdleThread<Question, Value>(
  file: URL,
  { maxMs, maxHeapMb, late, data }: ThreadLimits,
): IdleThread<Question, Value> {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file, {
      workerData: data,
      resourceLimits: threadMemory(maxHeapMb),
    });
    // A process that has nothing else to do may end.
    started.unref();
    // `askWorker` handles the error. Without any listener it would end the process.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function close(): Promise<void> {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    await ended?.terminate();
  }

  return {
    ask: async (question) => {
      clearTimeout(idle);
      worker ??= start();
      try {
        const answer = await askWorker<ThreadAnswer<Value>>(worker, question, maxMs, late);
        if ('error' in answer) throw answer.error;
        idle = setTimeout(() => void close(), IDLE_MS).unref();
        return answer.value;
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

/**
 * The thread's own side: answers each question.
 * @param transferred memory of an answer that is handed over instead of copied
 */
export function answerInThread<Question, Value>(
  answer: (question: Question) => Value | Promise<Value>,
  transferred: (value: Value) => readonly ArrayBuffer[] = () => [],
): void {
  const give = async (question: Question): Promise<void> => {
    try {
      const value = await answer(question);
      parentPort?.postMessage({ value }, [...transferred(value)]);
    } catch (error) {
      parentPort?.postMessage({ error });
    }
  };
  parentPort?.on('message', (question: Question) => void give(question));
}

/**
 * Lowers the priority of the calling thread below that of the thread that serves requests. Only on Linux: elsewhere it
 * would be the whole process's.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // A server that was started at a still lower priority keeps it: only a privileged process may raise one.
    const wanted = constants.priority.PRIORITY_BELOW_NORMAL;
    if (getPriority() < wanted) setPriority(wanted);
  } catch {
    // Where the system refuses it, the thread works at the priority of the process.
  }
}
