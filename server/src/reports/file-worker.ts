// The thread's side of file-thread.ts: writes one file, a part for each question.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../core/db/db.ts';
import { lowerPriority } from '../core/lower-priority.ts';
import { inOwnMemory } from '../core/own-memory.ts';
import { writeFile } from './file.ts';
import type { FilePart, FileTask, FileThreadData } from './file-thread.ts';

const { url, limits, name } = workerData as FileThreadData;
lowerPriority();
// The pool closes a connection that a slow reader leaves idle.
const database = openDatabase(url, 1, limits, () => undefined, name);
const progress = { rows: 0, share: 0 };
let file: ReturnType<typeof writeFile> | undefined;

// The first message is what to write; each later one asks for the next part.
parentPort?.on('message', (task: FileTask | null) => void give(task));

async function give(task: FileTask | null): Promise<void> {
  const part = await partOf(task);
  const isHandedOver = 'bytes' in part && part.bytes !== null;
  parentPort?.postMessage(part, isHandedOver ? [part.bytes.buffer as ArrayBuffer] : []);
}

async function partOf(task: FileTask | null): Promise<FilePart> {
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
}
