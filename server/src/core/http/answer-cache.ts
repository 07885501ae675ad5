import { Cache } from '../cache.ts';
import { type CachedAnswer, makeCachedAnswer } from './cached-answer.ts';

/** All cached answers of a process together, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Answers that stay valid while their key does; the longest unused go first. */
export class AnswerCache {
  readonly #answers = new Cache<string, CachedAnswer>({ most: MOST_BYTES, sizeOf });

  /** The answer for a key, made by `build` when it is not kept. */
  async find(key: string, build: () => Promise<unknown>): Promise<CachedAnswer> {
    const found = this.#answers.get(key);
    if (found !== undefined) return found;
    const answer = await makeCachedAnswer(JSON.stringify(await build()), undefined, key);
    // Somebody else may have asked for it meanwhile: all get the same bytes.
    const other = this.#answers.get(key);
    if (other !== undefined) return other;
    this.#answers.set(key, answer);
    return answer;
  }
}

function sizeOf({ plain, packed }: CachedAnswer): number {
  return plain.length + packed.length;
}
