// Files of strangers are read in a thread: 50 MB of a feed keep it busy for seconds, in which the others are answered,
// and a file that needs more memory or time than there is ends the thread, not the server. One file at a time.
import { Worker } from 'node:worker_threads';
import { AppError, hasErrorCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { FileProposal } from './proposal.ts';

export interface FileQuestion {
  readonly bytes: ArrayBuffer;
  readonly choice: string | null;
}

export type FileAnswer =
  | { readonly proposal: FileProposal }
  | { readonly refusal: string; readonly field: string };

const MAX_HEAP_MB = 1024;
const MAX_READING_MS = 60_000;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** @throws AppError invalid_request with the reason for which a file cannot be used */
export type ReadFile = (file: File, choice: string | null) => Promise<FileProposal>;

/** A reader of route files, one after another. */
export function createFileReader(log: Log, maxReadingMs = MAX_READING_MS): ReadFile {
  let last: Promise<unknown> = Promise.resolve();
  return (file, choice) => {
    const next = last.then(async () =>
      ask({ bytes: await file.arrayBuffer(), choice }, log, maxReadingMs),
    );
    last = next.catch(() => undefined);
    return next;
  };
}

async function ask(question: FileQuestion, log: Log, maxReadingMs: number): Promise<FileProposal> {
  const answer = await answerOf(question, maxReadingMs).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    // Too deep, too large, or our own mistake: the file is refused, and the log says why.
    if (!hasErrorCode(cause, OUT_OF_MEMORY)) log.warn({ err: cause }, 'a route file was not read');
    throw refused('The file is too large or too intricate to be read.', cause);
  });
  if ('proposal' in answer) return answer.proposal;
  throw new AppError('invalid_request', answer.refusal, { field: answer.field });
}

function answerOf(question: FileQuestion, maxReadingMs: number): Promise<FileAnswer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: question,
    transferList: [question.bytes],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>();
  const timer = setTimeout(() => reject(refused('The file takes too long to read.')), maxReadingMs);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', message, { field: 'file', cause });
}
