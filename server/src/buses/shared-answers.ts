// The bus list and a bus's head are polled, and they are the same for everybody of one scope: each is built and gzipped
// once and cached for at most KEEP_MS. A command that changes a bus invalidates all of them in every process.

import { Cache, cached } from '../core/cache.ts';
import { type CachedAnswer, makeCachedAnswer } from '../core/http/cached-answer.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';

const KEEP_MS = 4000;
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

/** The shared answers of one process. */
export function createSharedAnswers({ clock }: Pick<Deps, 'clock'>): SharedAnswers {
  const answers = new Cache<string, Promise<CachedAnswer>>({
    most: MOST_KEPT,
    age: { keepMs: KEEP_MS, clock },
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
