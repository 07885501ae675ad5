// A day of a bus at one position a second takes a tenth of a second of a core: in a thread of its own it keeps nobody
// waiting whom this process answers.
import { Worker } from 'node:worker_threads';
import type { DayLaps } from './day-laps.ts';
import type { WorkOut } from './packed-day.ts';

/** What the thread answers. */
export type DayAnswer =
  | { readonly id: number; readonly laps: DayLaps }
  | { readonly id: number; readonly error: unknown };

export interface DayThread {
  readonly workOut: WorkOut;
  /** Ends the thread; what it has not answered fails. */
  close(): Promise<void>;
}

/** A thread that works out days. It begins with the first of them, and anew after it broke. */
export function createDayThread(): DayThread {
  const waiting = new Map<number, PromiseWithResolvers<DayLaps>>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url));
    // A process that has nothing else to do may end.
    started.unref();
    started.on('message', (answer: DayAnswer) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('laps' in answer) one?.resolve(answer.laps);
      else one?.reject(answer.error);
    });
    started.on('error', failAll);
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      failAll(new Error('the thread that works out laps ended'));
    });
    return started;
  }

  function failAll(error: unknown): void {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  }

  return {
    workOut: (day) => {
      worker ??= start();
      lastId += 1;
      const one = Promise.withResolvers<DayLaps>();
      waiting.set(lastId, one);
      worker.postMessage({ id: lastId, day });
      return one.promise;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}
