// The program of the thread that reads route files.
import { readRouteFile } from './read.ts';
import type { FileAnswer, FileQuestion } from './reader.ts';
import { FileRefusal } from './route-file.ts';

/** Reads a file. A refusal is an answer, too: errors lose their class on their way. */
export async function answer({ bytes, choice, turnAt }: FileQuestion): Promise<FileAnswer> {
  try {
    return { proposal: await readRouteFile(new Uint8Array(bytes), choice, turnAt) };
  } catch (error) {
    if (error instanceof FileRefusal) return { refusal: error.reason, field: error.field };
    throw error;
  }
}
