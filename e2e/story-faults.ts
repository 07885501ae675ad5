// Faults of servers and pages while a file of stories runs. A file with faults gets no second look
// (scripts/second-look.mjs).
import { appendFileSync } from 'node:fs';

/** `error` of pino. */
const ERROR_LEVEL = 50;

/** Notes a fault of the running file, if a test runner wants to know. */
export function noteFault(text: string): void {
  const { STORY_FAULTS: file, STORY_FILE: story } = process.env;
  if (file && story) appendFileSync(file, `${JSON.stringify({ file: story, text })}\n`);
}

/** Notes a line of a server's log that tells of an error or a 5xx answer. */
export function noteLogLine(line: string): void {
  if (!line.startsWith('{')) return;
  const { level, msg } = JSON.parse(line) as { level?: number; msg?: string };
  if ((level ?? 0) >= ERROR_LEVEL || msg === 'unavailable') noteFault(`the server logged ${line}`);
}
