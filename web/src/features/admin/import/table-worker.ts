// Reads a table in a worker: a large file does not stop the page, and a hostile one ends with the worker.
import { readCells } from './read-cells.ts';
import type { ReadAnswer } from './read-table.ts';
import { Unreadable } from './unreadable.ts';

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  let answer: ReadAnswer;
  try {
    answer = { table: await readCells(data) };
  } catch (error) {
    answer = error instanceof Unreadable ? error.why : { problem: 'other' };
  }
  self.postMessage(answer);
};
