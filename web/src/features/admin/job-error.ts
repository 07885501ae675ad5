import type { AdminTexts } from './texts-ru.ts';

type JobErrorKind = keyof AdminTexts['jobs']['errors'];

/** Kinds of errors by a part of what programs, the database and connections say. */
const kinds: readonly (readonly [RegExp, JobErrorKind])[] = [
  [/^The store (refused the access key|does not allow)/, 'storeAccess'],
  [/^The store has no bucket/, 'storeBucket'],
  [/^The store is full/, 'storeFull'],
  [/^The store (cannot be reached|does not answer)/, 'storeAway'],
  [/^The store /, 'store'],
  [/ENOSPC|no space left|insufficient storage|disk is full/i, 'space'],
  [/exceeded its timeout|timed? ?out|ETIMEDOUT|no answer within|stuck/i, 'late'],
  [/deadlock|could not serialize|could not obtain lock/i, 'again'],
  [/terminating connection|Connection terminated|database system|too many clients/i, 'database'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENETUN|socket|the answer was|SMTP|certificate/i, 'link'],
  // A program that is not there is no missing file.
  [/spawn \S+ E/, 'video'],
  [/ENOENT|is missing|became shorter|is shorter than/i, 'file'],
  [/ffmpeg|ffprobe|MP4|video track|H\.264|sample|Encoding/i, 'video'],
];

/** Says in words why a job failed. @param error as the queue keeps it */
export function jobErrorText(error: string, { jobs: said }: AdminTexts): string {
  return said.errors[kindOf(error)];
}

/** Says what to do about a job that failed. @param error as the queue keeps it */
export function jobAdvice(error: string, { jobs: said }: AdminTexts): string {
  return said.advice[kindOf(error)];
}

function kindOf(error: string): JobErrorKind {
  const [, kind = 'program'] = kinds.find(([pattern]) => pattern.test(error)) ?? [];
  return kind;
}
