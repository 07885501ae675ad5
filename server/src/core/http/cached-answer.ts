import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);

/** An answer that was made before, plain and packed. */
export interface CachedAnswer {
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
  /** Media type. */
  readonly type: string;
}

/**
 * Makes an answer that is sent many times.
 * @param validated what the tag is made of: the text itself, unless something shorter tells its versions apart
 */
export async function makeCachedAnswer(
  text: string,
  type = 'application/json; charset=utf-8',
  validated: string = text,
): Promise<CachedAnswer> {
  const plain = Buffer.from(text);
  return { etag: tagOf(validated), plain, packed: await pack(plain), type };
}

/** A validator (ETag) of contents. */
export function tagOf(contents: string | Buffer): string {
  return `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`;
}
