import { type CachedAnswer, makeCachedAnswer } from './cached-answer.ts';

/** All cached answers of a process together, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Answers that stay valid while their key does; the longest unused go first. */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;

  /** The answer for a key, made by `build` when it is not kept. */
  async find(key: string, build: () => Promise<unknown>): Promise<CachedAnswer> {
    const found = this.#answers.get(key);
    if (found !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, found);
      return found;
    }
    const answer = await makeCachedAnswer(JSON.stringify(await build()), undefined, key);
    // Somebody else may have asked for it meanwhile; its bytes count once.
    const other = this.#answers.get(key);
    if (other !== undefined) return other;
    this.#answers.set(key, answer);
    this.#bytes += sizeOf(answer);
    for (const [oldKey, old] of this.#answers) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#answers.delete(oldKey);
      this.#bytes -= sizeOf(old);
    }
    return answer;
  }
}

function sizeOf({ plain, packed }: CachedAnswer): number {
  return plain.length + packed.length;
}
