// A film is made in a thread of its own: reading indexes, laying a day of samples out and reckoning the SHA-256 of
// gigabytes keep a core busy, and nobody whom this process answers waits for it.
import { Worker } from 'node:worker_threads';
import type { Config } from '../../core/config.ts';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import type { Film } from './make-film.ts';

/** What the thread is told at its start. */
export interface FilmOrder {
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
export type FilmNews = { readonly share: number } | { readonly film: Film };

export interface FilmWatch {
  /** Ends the work; nothing of it stays. */
  readonly signal: AbortSignal;
  /** Told how much is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @throws Error when a part cannot be read or coded, the film cannot be stored, or the work is stopped */
export type FilmMaker = (order: FilmOrder, watch: FilmWatch) => Promise<Film>;

/** Joins files of the store into one, in a thread that ends with the work. */
export const makeFilmInThread: FilmMaker = async (order, { signal, onProgress }) => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./film-worker.ts', import.meta.url), { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<Film>();
  worker.on('message', (news: FilmNews) => {
    if ('share' in news) onProgress(news.share);
    else resolve({ ...news.film, sha256: Buffer.from(news.film.sha256) });
  });
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread ended without a film')));
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
