// Reads one route file in a thread, which answers once and exits.
import { parentPort, workerData } from 'node:worker_threads';
import { readRouteFile } from './read.ts';
import type { FileAnswer, FileQuestion } from './reader.ts';
import { FileRefusal } from './route-file.ts';

const { bytes, ...wanted } = workerData as FileQuestion;

async function answer(): Promise<FileAnswer> {
  try {
    return { proposal: await readRouteFile(new Uint8Array(bytes), wanted.choice, wanted.turnAt) };
  } catch (error) {
    if (error instanceof FileRefusal) return { refusal: error.reason, field: error.field };
    throw error;
  }
}

parentPort?.postMessage(await answer());
