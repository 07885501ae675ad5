// Faults of servers and pages while a file of stories runs. A file with faults gets no second look
// (scripts/second-look.ts).
import type { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** pino's `error` and `fatal`, and the warning that goes with a 503. */
const FAULT = /"level":(?:50|60)\b|"msg":"unavailable"/;

/** Notes a fault of the running file, if a test runner wants to know. */
export function noteFault(text: string): void {
  const { STORY_FAULTS: file, STORY_FILE: story } = process.env;
  if (file && story) appendFileSync(file, `${JSON.stringify({ file: story, text })}\n`);
}

/** Notes a line of a server's log that tells of an error or a 5xx answer. A killed server leaves half a line. */
export function noteLogLine(line: string): void {
  if (FAULT.test(line)) noteFault(`the server logged ${line}`);
}

/**
 * Notes the end of a server if the story does not want it: an uncaught error ends it.
 * @returns what to call before the story ends it
 */
export function watchEnd(server: ChildProcess): () => void {
  let isWanted = false;
  server.once('exit', (code, signal) => {
    if (!isWanted) noteFault(`the server ended with ${code ?? signal}`);
  });
  return () => {
    isWanted = true;
  };
}
