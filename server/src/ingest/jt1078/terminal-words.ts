import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { acknowledge, type CommandWord } from '../http/acknowledge.ts';
import { RESULT } from '../jt808/codes.ts';
import type { TerminalAnswer } from '../jt808/requests.ts';
import type { Video } from './codes.ts';
import { refusalOf } from './live-messages.ts';

/** The word about a command that a general answer is; undefined: there is no answer. */
export function wordOf(id: Video, answer: TerminalAnswer | undefined): CommandWord | undefined {
  if (answer?.kind !== 'result') return undefined;
  if (answer.result === RESULT.ok) return { result: 'done' };
  return { result: 'failed', reason: refusalOf(id, answer.result) };
}

/** The word about a command of a terminal that is there and does not answer. */
export const SILENCE: CommandWord = { result: 'failed', failReason: 'no_answer' };

/**
 * The word about a command of a terminal that was asked and has refused or is silent. A message that it does not know it
 * will not know the next time, either.
 * @returns undefined when it has left: then it is asked again
 */
export function refusalBy(id: Video, answer: TerminalAnswer | undefined): CommandWord | undefined {
  if (answer === undefined) return undefined;
  if (answer.kind !== 'result') return SILENCE;
  const final = answer.result === RESULT.notSupported;
  return { result: 'failed', reason: refusalOf(id, answer.result), final };
}

/** Stores a word about a command, unless it was cancelled while the terminal thought. @param nowMs ms since 1970 UTC */
export async function sayFor(
  db: Db,
  unitId: number,
  commandId: number,
  word: CommandWord,
  nowMs: number,
): Promise<void> {
  await acknowledge(db, unitId, commandId, word, nowMs).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}
