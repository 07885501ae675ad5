import { Cache, JoinedBuilds } from '../cache.ts';
import { type CachedAnswer, makeCachedAnswer } from './cached-answer.ts';

/** Most bytes of the cached answers of a process. */
const MOST_BYTES = 64 * 1024 * 1024;
/** An answer of more bytes is not cached: it would cost too many others their place. */
const MOST_OF_ONE = MOST_BYTES / 4;

/** Answers that are valid as long as their key. The least recently used are evicted first. */
export class AnswerCache {
  readonly #answers = new Cache<string, CachedAnswer>({ most: MOST_BYTES, sizeOf });
  readonly #builds = new JoinedBuilds<string, CachedAnswer>();

  /** The cached answer for a key; undefined when there is none. */
  get(key: string): CachedAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Caches an answer, unless it is too large. */
  set(key: string, answer: CachedAnswer): void {
    if (sizeOf(answer) <= MOST_OF_ONE) this.#answers.set(key, answer);
  }

  /** The answer for a key; `build` makes it when it is not cached, once for all who ask meanwhile. */
  async find(key: string, build: () => Promise<unknown>): Promise<CachedAnswer> {
    const found = this.#answers.get(key);
    if (found !== undefined) return found;
    return this.#builds.join(key, async () => {
      const answer = await makeCachedAnswer(JSON.stringify(await build()), undefined, key);
      this.set(key, answer);
      return answer;
    });
  }
}

function sizeOf({ plain, packed }: CachedAnswer): number {
  return (plain?.length ?? 0) + packed.length;
}
