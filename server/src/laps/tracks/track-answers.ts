// Answers with tracks hold a point for almost every position of a day. Those of few positions are built at once; those
// of many are built in a thread, one at a time, in turns of the users, and exist in gzip only.
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JoinedBuilds } from '../../core/cache.ts';
import type { Db } from '../../core/db/db.ts';
import type { AnswerCache } from '../../core/http/answer-cache.ts';
import { type CachedAnswer, packedAnswer } from '../../core/http/cached-answer.ts';
import { type RawAnswer, sendCached, sendUnchanged } from '../../core/http/send-cached.ts';
import { createTurns } from '../../core/turns.ts';
import { type Draft, drawTracks, packDraft } from './draft.ts';
import { createDrawingThread } from './thread.ts';
import { createUnreadAnswers } from './unread.ts';

/** Answers of more positions are large; one of so many takes the main thread 60 to 120 ms. */
const MOST_AT_ONCE = 20_000;
/** Longest wait for a turn, ms. */
const MAX_WAIT_MS = 20_000;
const limits = {
  mostWaiting: 48,
  mostOfOne: 16,
  message: 'Other days with many positions are being read. Try again soon.',
  retryAfterS: 5,
};

/** The user, and the request to answer. */
export interface TrackCall {
  readonly userId: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers with tracks, for one process. */
export interface TrackAnswers {
  /**
   * Answers from the cache, or builds what is not there.
   * @param key of the answer in the cache
   * @throws AppError unavailable when too many large answers are waited for or unread; too_large as the draft does
   */
  answer(
    call: TrackCall,
    key: string,
    makeDraft: () => Promise<Draft>,
  ): Promise<RawAnswer | undefined>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/**
 * Makes the answers with tracks of one process.
 * @param cache holds what is built
 */
export function createTrackAnswers(db: Db, cache: AnswerCache): TrackAnswers {
  const thread = createDrawingThread();
  const turns = createTurns(limits);
  const unread = createUnreadAnswers();
  // Builds of one user are joined by key. Another user who asks for the same waits in turns of their own.
  const builds = new JoinedBuilds<string, CachedAnswer>();
  const buildSmall = createSmallBuilds(db);

  async function buildLarge(userId: number, key: string, draft: Draft): Promise<CachedAnswer> {
    unread.expectRoom(userId);
    const end = await turns.take(userId, MAX_WAIT_MS);
    try {
      const built = cache.get(key);
      if (built !== undefined) return built;
      const answer = packedAnswer(await thread.draw(await packDraft(db, draft)), key);
      cache.set(key, answer);
      return answer;
    } finally {
      end();
    }
  }

  async function find(userId: number, key: string, makeDraft: () => Promise<Draft>) {
    const found = cache.get(key);
    if (found !== undefined) return found;
    return builds.join(`${userId}:${key}`, async () => {
      const draft = await makeDraft();
      return draft.positionCount > MOST_AT_ONCE
        ? buildLarge(userId, key, draft)
        : cache.find(key, () => buildSmall(draft));
    });
  }

  return {
    answer: async ({ userId, request, reply }, key, makeDraft) => {
      if (sendUnchanged(request, reply, key)) return undefined;
      const answer = await find(userId, key, makeDraft);
      const sent = sendCached(request, reply, answer);
      if (sent !== undefined && answer.plain === null) unread.add(userId, answer, reply.raw);
      return sent;
    },
    close: () => thread.close(),
  };
}

// Builds whose positions arrive together would otherwise run in one turn of the event loop.
function createSmallBuilds(db: Db): (draft: Draft) => Promise<object> {
  let last: Promise<unknown> = Promise.resolve();
  return async (draft) => {
    const packed = await packDraft(db, draft);
    const built = last.then(() => setImmediate()).then(() => drawTracks(packed));
    // Its own caller hears of a failure; the next build goes on.
    last = built.catch(() => undefined);
    return built;
  };
}
