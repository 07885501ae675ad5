// The thread's side of file-thread.ts: writes one file, a part for each question.
import { workerData } from 'node:worker_threads';
import { openDatabase } from '../core/db/db.ts';
import { answerInThread, lowerPriority } from '../core/idle-thread.ts';
import { inOwnMemory } from '../core/own-memory.ts';
import { writeFile } from './file.ts';
import type { FilePart, FileTask, FileThreadData } from './file-thread.ts';

const { url, limits, name } = workerData as FileThreadData;
lowerPriority();
// The pool closes a connection that a slow reader leaves idle.
const database = openDatabase(url, 1, limits, () => undefined, name);
const progress = { rows: 0, share: 0 };
let file: ReturnType<typeof writeFile> | undefined;

// The first question is what to write; each later one asks for the next part.
answerInThread<FileTask | null, FilePart>(
  async (task) => {
    try {
      if (task !== null) file = writeFile(database.db, task.question, task.form, progress);
      const next = await (await file)?.next();
      if (next === undefined || next.done === true) return { bytes: null, ...progress };
      return { bytes: inOwnMemory(Buffer.from(next.value)), ...progress };
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      const isCoded = error instanceof Error && 'code' in error;
      return { failure: { message, code: isCoded ? String(error.code) : undefined } };
    }
  },
  (part) => ('bytes' in part && part.bytes !== null ? [part.bytes.buffer as ArrayBuffer] : []),
);
