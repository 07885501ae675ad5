import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { KeptAnswer } from '../http.ts';

const pack = promisify(gzip);
/** All kept answers of a process together, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Answers that stay valid while their key does; the longest unused go first. */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  /** The answer for a key, made by `build` when it is not kept. */
  async find(key: string, build: () => Promise<unknown>): Promise<KeptAnswer> {
    const found = this.#answers.get(key);
    if (found !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, found);
      return found;
    }
    const plain = Buffer.from(JSON.stringify(await build()));
    const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
    const answer = { etag, plain, packed: await pack(plain) };
    this.#answers.set(key, answer);
    this.#bytes += sizeOf(answer);
    for (const [old, { plain: body, packed }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#answers.delete(old);
      this.#bytes -= body.length + packed.length;
    }
    return answer;
  }
}

function sizeOf({ plain, packed }: KeptAnswer): number {
  return plain.length + packed.length;
}
