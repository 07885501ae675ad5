import type { Worker } from 'node:worker_threads';

/**
 * Posts a message to a thread that answers each message with one of its own, and waits for the answer.
 * @param maxMs how long at most
 * @throws Error of `late` when the answer takes longer; whatever ended the thread otherwise
 */
export async function askWorker<Answer>(
  worker: Worker,
  message: unknown,
  maxMs: number,
  late: () => Error,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onExit = (): void => reject(new Error('The thread ended before it answered.'));
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', onExit);
  const timer = setTimeout(() => reject(late()), maxMs);
  try {
    worker.postMessage(message);
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve);
    worker.off('error', reject);
    worker.off('exit', onExit);
  }
}
