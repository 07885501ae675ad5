import type { ServerResponse } from 'node:http';
import { AppError } from '../../core/errors.ts';
import type { CachedAnswer } from '../../core/http/cached-answer.ts';

/** Large answers that are being sent, in a process and to one user. */
const MOST_UNREAD = 24;
const MOST_OF_ONE = 8;
/** A client that takes nothing for so long is disconnected, ms. */
const STALLED_MS = 30_000;
/** Longest time for one answer, ms. */
const MAX_SENDING_MS = 600_000;
const RETRY_S = 5;

/** Large answers that clients have not read yet: their bytes stay in memory, whatever the cache drops. */
export interface UnreadAnswers {
  /** @throws AppError unavailable when this user, or all, have too many */
  expectRoom(userId: number): void;
  /**
   * Counts an answer as unread until it is sent, once for each user.
   * @throws AppError unavailable as `expectRoom` does
   */
  add(userId: number, answer: CachedAnswer, response: ServerResponse): void;
}

/** Makes the record of one process. */
export function createUnreadAnswers(): UnreadAnswers {
  /** How many responses send an answer, by user. */
  const ofUsers = new Map<number, Map<CachedAnswer, number>>();

  function expectRoom(userId: number): void {
    const all = [...ofUsers.values()].reduce((sum, { size }) => sum + size, 0);
    if (all < MOST_UNREAD && (ofUsers.get(userId)?.size ?? 0) < MOST_OF_ONE) return;
    throw new AppError(
      'unavailable',
      'Earlier answers with many positions are still being sent. Read them first.',
      {
        retryAfterS: RETRY_S,
      },
    );
  }

  function change(userId: number, answer: CachedAnswer, by: 1 | -1): void {
    const answers = ofUsers.get(userId) ?? new Map<CachedAnswer, number>();
    const count = (answers.get(answer) ?? 0) + by;
    if (count > 0) answers.set(answer, count);
    else answers.delete(answer);
    if (answers.size > 0) ofUsers.set(userId, answers);
    else ofUsers.delete(userId);
  }

  return {
    expectRoom,
    add: (userId, answer, response) => {
      if (!ofUsers.get(userId)?.has(answer)) expectRoom(userId);
      change(userId, answer, 1);
      const timer = setTimeout(() => response.destroy(), MAX_SENDING_MS).unref();
      response.setTimeout(STALLED_MS, () => response.destroy());
      response.once('close', () => {
        clearTimeout(timer);
        change(userId, answer, -1);
      });
    },
  };
}
