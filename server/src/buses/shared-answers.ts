// The bus list and a bus's head are asked for all the time and are the same for everybody of one scope: each is built
// once, packed once and sent as it is, at most KEEP_MS old; a command that changes a bus makes all stale at once in
// every process.

import { Cache, cached } from '../core/cache.ts';
import { type CachedAnswer, makeCachedAnswer } from '../core/http/cached-answer.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';

const KEEP_MS = 4000;
const MOST_KEPT = 5000;

export interface SharedAnswers {
  /**
   * The answer that everybody with the same rights gets.
   * @param question what was asked, as a text
   * @param build makes the answer; when it throws nothing is kept
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

// Two users with the same rights get the same bytes.
function scopeOf({ role, clientIds }: Viewer): string {
  if (clientIds === 'all') return role;
  return [...clientIds].sort((a, b) => a - b).join(',');
}
