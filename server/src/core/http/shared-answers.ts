// Answers that are polled and are the same for everybody of one scope, such as the bus list: each is built and gzipped
// once and cached for a while. A command that changes a bus invalidates all of them in every process.

import { Cache, cached } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { Viewer } from '../viewer.ts';
import { type CachedAnswer, makeCachedAnswer } from './cached-answer.ts';

const MOST_KEPT = 5000;

export interface SharedAnswers {
  /**
   * The answer for everybody of the same scope.
   * @param question the request as a text
   * @param build makes the answer; when it throws nothing is cached
   */
  find(viewer: Viewer, question: string, build: () => Promise<unknown>): Promise<CachedAnswer>;
  /** Makes every answer stale. */
  forget(): void;
}

/**
 * The shared answers of one process.
 * @param keepMs their greatest age, ms
 */
export function createSharedAnswers(
  clock: Pick<Clock, 'elapsedMs'>,
  keepMs: number,
): SharedAnswers {
  const answers = new Cache<string, Promise<CachedAnswer>>({
    most: MOST_KEPT,
    age: { keepMs, clock },
  });
  return {
    forget: () => answers.clear(),
    find: (viewer, question, build) =>
      cached(answers, `${scopeOf(viewer)}:${question}`, async () =>
        makeCachedAnswer(JSON.stringify(await build())),
      ),
  };
}

// Users of one scope get the same bytes.
function scopeOf({ role, clientIds }: Viewer): string {
  if (clientIds === 'all') return role;
  return [...clientIds].sort((a, b) => a - b).join(',');
}
