// Reads users' files in a thread, one file at a time. A feed of 50 MB takes seconds, during which the server must
// answer, and a file that needs too much memory or time ends the thread, not the server.
import { AppError, hasErrorCode } from '../../core/errors.ts';
import type { Language } from '../../core/http/language.ts';
import type { Log } from '../../core/log.ts';
import { createThreads } from '../../core/threads.ts';
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
/** Most files that wait, in memory. */
const MOST_WAITING = 16;
const COME_BACK_S = 30;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Reads a file. @throws AppError invalid_request with the reason why the file cannot be used, in the language */
export type ReadFile = (
  file: File,
  wanted: Omit<FileQuestion, 'bytes'>,
  language: Language,
) => Promise<FileProposal>;

/** Creates the reader of route files. @param maxReadingMs longest reading of one file, ms */
export function createFileReader(
  log: Log,
  maxReadingMs = MAX_READING_MS,
): { readonly readFile: ReadFile; close(): Promise<void> } {
  const { ask, close } = createThreads<FileQuestion, FileAnswer>(
    new URL('./worker.ts', import.meta.url),
    'answer',
    {
      maxMs: maxReadingMs,
      maxHeapMb: MAX_HEAP_MB,
      mostWaiting: MOST_WAITING,
      busy: () => {
        const text = 'Too many route files are being read. Try again soon.';
        return new AppError('unavailable', text, { retryAfterS: COME_BACK_S });
      },
      late: () => new LateError(),
    },
  );
  return {
    readFile: async (file, wanted, language) => {
      const bytes = await file.arrayBuffer();
      const answer = await ask({ bytes, ...wanted }, [bytes]).catch((error: unknown) =>
        answerOf(error, log),
      );
      if ('proposal' in answer) return answer.proposal;
      const text = translate(answer.refusal, language);
      throw new AppError('invalid_request', text, { field: answer.field });
    },
    close,
  };
}

class LateError extends Error {}

// The file is too deep or too large, or the reader has a bug; log the cause.
function answerOf(error: unknown, log: Log): FileAnswer {
  if (error instanceof AppError) throw error;
  if (error instanceof LateError) return { refusal: message('tooLong'), field: 'file' };
  if (!hasErrorCode(error, OUT_OF_MEMORY)) log.warn({ err: error }, 'reading a route file failed');
  return { refusal: message('tooIntricate'), field: 'file' };
}
