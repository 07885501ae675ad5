// Writes a file in a thread of its own: it reads, formats and packs millions of cells while the event loop serves
// requests, and its memory has a limit of its own, which makes it collect its garbage.
import { Worker } from 'node:worker_threads';
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import type { Database } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { askWorker } from './ask-worker.ts';
import type { FileProgress } from './file.ts';
import type { Question } from './question.ts';
import type { FileForm } from './writing/write-table.ts';

/** Memory of the thread, MB: of its code, and of what it works with. */
const MEMORY = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 };
/** Longest time for a part, ms: its statements have shorter limits. */
const PART_LIMIT_MS = 120_000;

/** A thread that was made ready and is not needed ends after this, and gives its memory back, ms. */
const SPARE_MS = 60_000;

/** The database that a thread opens when it starts. */
export type FileThreadData = Pick<Database, 'url' | 'limits' | 'name'>;

/** The report that a thread writes; it is the first message to the thread. */
export interface FileTask {
  readonly question: Question;
  readonly form: FileForm;
}

/** A part of a file with the progress so far, null at the end; or why there is none. */
export type FilePart =
  | ({ readonly bytes: Uint8Array | null } & FileProgress)
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

/** A file that is being written. A reader that does not read it to its end closes it. */
export interface WrittenFile extends AsyncIterable<Buffer> {
  close(): Promise<void>;
}

/** The threads of a process that write files. */
export interface FileThreads {
  /** Makes a thread ready: to load its code takes longer than to write a small file. */
  prepare(): void;
  /**
   * Begins to write the file of a report. Its first part is written at once, so that a failure is still an answer; then
   * each part when it is read.
   * @param progress is kept up to date
   * @throws AppError too_large; whatever the database throws. So does reading
   */
  write(question: Question, form: FileForm, progress?: FileProgress): Promise<WrittenFile>;
  /** Ends the thread that is ready. */
  close(): Promise<void>;
}

/** The threads of a process. A file has a thread of its own; one more may be ready for the next file. */
export function createFileThreads({ url, limits, name }: FileThreadData): FileThreads {
  let spare: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(new URL('./file-worker.ts', import.meta.url), {
      workerData: { url, limits, name } satisfies FileThreadData,
      resourceLimits: MEMORY,
    });
    // A process that has nothing else to do may end.
    worker.unref();
    // Every question handles the error. Without any listener it would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (spare === worker) spare = undefined;
    });
    return worker;
  }

  async function close(): Promise<void> {
    const ended = spare;
    spare = undefined;
    clearTimeout(idle);
    await ended?.terminate();
  }

  function prepare(): void {
    spare ??= start();
    clearTimeout(idle);
    idle = setTimeout(() => void close(), SPARE_MS).unref();
  }

  return {
    prepare,
    close,
    write: async (question, form, progress = { rows: 0, share: 0 }) => {
      const worker = spare ?? start();
      spare = undefined;
      const file = await writeWith(worker, { question, form }, progress);
      // A user who makes a report often makes another one.
      prepare();
      return file;
    },
  };
}

async function writeWith(
  worker: Worker,
  task: FileTask,
  progress: FileProgress,
): Promise<WrittenFile> {
  const close = async (): Promise<void> => void (await worker.terminate());
  const ask = async (message: FileTask | null): Promise<Buffer | null> => {
    const late = (): Error => new Error('A part of the file took too long.');
    const part = await askWorker<FilePart>(worker, message, PART_LIMIT_MS, late);
    if ('failure' in part) throw errorOf(part.failure);
    const { bytes, rows, share } = part;
    Object.assign(progress, { rows, share });
    return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  try {
    const first = await ask(task);
    return { close, [Symbol.asyncIterator]: () => partsOf(first, () => ask(null), close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* partsOf(
  first: Buffer | null,
  ask: () => Promise<Buffer | null>,
  close: () => Promise<void>,
): AsyncGenerator<Buffer> {
  try {
    for (let part = first; part !== null; part = await ask()) yield part;
  } finally {
    await close();
  }
}

// Errors lose their class on their way between threads.
function errorOf({ message, code }: { message: string; code: string | undefined }): Error {
  if (code !== undefined && code in errorStatuses) return new AppError(code as ErrorCode, message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
