// Reads users' files in a thread, one file at a time. A feed of 50 MB takes seconds, during which the server must
// answer, and a file that needs too much memory or time ends the thread, not the server.

import { Worker } from 'node:worker_threads';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import type { Language } from '../../core/http/language.ts';
import type { Log } from '../../core/log.ts';
import { threadMemory } from '../../core/thread-memory.ts';
import { type Message, message, translate } from './messages.ts';
import type { FileProposal } from './proposal.ts';

export interface FileQuestion {
  readonly bytes: ArrayBuffer;
  readonly choice: string | null;
  /** Index of the stop where the user turns a loop. */
  readonly turnAt: number | null;
}

export type FileAnswer =
  | { readonly proposal: FileProposal }
  | { readonly refusal: Message; readonly field: string };

const MAX_HEAP_MB = 1024;
/** Longest reading of one file, ms: a feed of 1 GiB takes a minute. */
const MAX_READING_MS = 120_000;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Reads a file. @throws AppError invalid_request with the reason why the file cannot be used, in the language */
export type ReadFile = (
  file: File,
  wanted: Omit<FileQuestion, 'bytes'>,
  language: Language,
) => Promise<FileProposal>;

/** Creates the reader of route files. @param maxReadingMs timeout of one file, ms */
export function createFileReader(log: Log, maxReadingMs = MAX_READING_MS): ReadFile {
  let last: Promise<unknown> = Promise.resolve();
  return (file, wanted, language) => {
    const next = last.then(async () =>
      ask({ bytes: await file.arrayBuffer(), ...wanted }, { log, maxReadingMs, language }),
    );
    // The error goes to the caller, and must not stop the next file.
    last = next.catch(() => undefined);
    return next;
  };
}

async function ask(
  question: FileQuestion,
  { log, maxReadingMs, language }: { log: Log; maxReadingMs: number; language: Language },
): Promise<FileProposal> {
  const answer = await answerOf(question, maxReadingMs).catch((cause: unknown): FileAnswer => {
    // The file is too deep or too large, or the reader has a bug; log the cause.
    if (!hasErrorCode(cause, OUT_OF_MEMORY))
      log.warn({ err: cause }, 'reading a route file failed');
    return { refusal: message('tooIntricate'), field: 'file' };
  });
  if ('proposal' in answer) return answer.proposal;
  throw new AppError('invalid_request', translate(answer.refusal, language), {
    field: answer.field,
  });
}

function answerOf(question: FileQuestion, maxReadingMs: number): Promise<FileAnswer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: question,
    transferList: [question.bytes],
    resourceLimits: threadMemory(MAX_HEAP_MB),
  });
  const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>();
  const timer = setTimeout(
    () => resolve({ refusal: message('tooLong'), field: 'file' }),
    maxReadingMs,
  );
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread ended without an answer')));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}
