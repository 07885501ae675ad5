// A film is made in a thread of its own: reading indexes, laying a day of samples out and reckoning the SHA-256 of
// gigabytes keep a core busy, and nobody whom this process answers waits for it.
import { Worker } from 'node:worker_threads';
import type { Config } from '../../core/config.ts';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import type { MergedVideo } from './make-merged-video.ts';

/** What the thread is told at its start. */
export interface MergeOrder {
  /** Names the store that the thread opens. */
  readonly config: Config;
  readonly ffmpeg: Ffmpeg;
  /** Where the film is stored. */
  readonly key: string;
  /** Of the job alone; it exists. */
  readonly folder: string;
  /** Stored files, in order; at least one. */
  readonly parts: readonly { readonly key: string; readonly sizeBytes: number }[];
}

/** What the thread says: often how far it is, at last the film. An error that ends it is its other last word. */
export type MergeMessage = { readonly share: number } | { readonly merged: MergedVideo };

export interface MergeWatch {
  /** Ends the work; nothing of it stays. */
  readonly signal: AbortSignal;
  /** Told how much is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @throws Error when a part cannot be read or coded, the film cannot be stored, or the work is stopped */
export type VideoMerger = (order: MergeOrder, watch: MergeWatch) => Promise<MergedVideo>;

/** Joins files of the store into one, in a thread that ends with the work. */
export const mergeInThread: VideoMerger = async (order, { signal, onProgress }) => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./merge-worker.ts', import.meta.url), { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<MergedVideo>();
  worker.on('message', (message: MergeMessage) => {
    if ('share' in message) onProgress(message.share);
    else resolve({ ...message.merged, sha256: Buffer.from(message.merged.sha256) });
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread ended without a merged video')));
  // It is asked and not ended, so that it removes what it has written and ends what it has started.
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
