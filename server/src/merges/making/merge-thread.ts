// Merging runs in a thread: indexes, the layout of a day's samples and the SHA-256 of gigabytes would block the event
// loop.
import { Worker } from 'node:worker_threads';
import type { Config } from '../../core/config.ts';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import type { MergedVideo } from './make-merged-video.ts';

/** Input of the thread. */
export interface MergeOrder {
  /** Configures the store that the thread opens. */
  readonly config: Config;
  readonly ffmpeg: Ffmpeg;
  /** Storage key of the merged video. */
  readonly key: string;
  /** A folder of the job alone; it exists. */
  readonly folder: string;
  /** Stored files, in order; at least one. */
  readonly parts: readonly { readonly key: string; readonly sizeBytes: number }[];
}

/** Messages of the thread: its progress, and finally the merged video. An error ends the thread. */
export type MergeMessage = { readonly share: number } | { readonly merged: MergedVideo };

export interface MergeWatch {
  /** Stops the work, which leaves nothing. */
  readonly signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @throws Error when a part cannot be read or encoded, the merged video cannot be stored, or the work is stopped */
export type VideoMerger = (order: MergeOrder, watch: MergeWatch) => Promise<MergedVideo>;

/** Merges stored files in a thread that ends with the work. */
export const mergeInThread: VideoMerger = async (order, { signal, onProgress }) => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./merge-worker.ts', import.meta.url), { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<MergedVideo>();
  worker.on('message', (message: MergeMessage) => {
    if ('share' in message) onProgress(message.share);
    else resolve({ ...message.merged, sha256: Buffer.from(message.merged.sha256) });
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The thread ended without a merged video.')));
  // The thread is asked to stop, not terminated, so that it removes its output and ends its ffmpeg.
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};
