import { Cache } from '../cache.ts';
import { type CachedAnswer, makeCachedAnswer } from './cached-answer.ts';

/** Most bytes of the cached answers of a process. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Answers that are valid as long as their key. The least recently used are evicted first. */
export class AnswerCache {
  readonly #answers = new Cache<string, CachedAnswer>({ most: MOST_BYTES, sizeOf });

  /** The answer of a key, made by `build` when it is not cached. */
  async find(key: string, build: () => Promise<unknown>): Promise<CachedAnswer> {
    const found = this.#answers.get(key);
    if (found !== undefined) return found;
    const answer = await makeCachedAnswer(JSON.stringify(await build()), undefined, key);
    // A concurrent request may have built it: all get the same bytes.
    const other = this.#answers.get(key);
    if (other !== undefined) return other;
    this.#answers.set(key, answer);
    return answer;
  }
}

function sizeOf({ plain, packed }: CachedAnswer): number {
  return plain.length + packed.length;
}
