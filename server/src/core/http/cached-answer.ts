import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { inOwnMemory } from '../own-memory.ts';

const pack = promisify(gzip);
const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer made beforehand, plain and gzipped. */
export interface CachedAnswer {
  readonly etag: string;
  /** Null for a large answer, which is unpacked while it is sent to a client that does not take gzip. */
  readonly plain: Buffer | null;
  readonly packed: Buffer;
  /** Media type. */
  readonly type: string;
}

/**
 * Makes an answer that is sent many times.
 * @param validated source of the ETag: the text, unless something shorter identifies its version
 */
export async function makeCachedAnswer(
  text: string,
  type = JSON_TYPE,
  validated: string = text,
): Promise<CachedAnswer> {
  const plain = inOwnMemory(Buffer.from(text));
  return { etag: tagOf(validated), plain, packed: inOwnMemory(await pack(plain)), type };
}

/**
 * A large answer whose JSON was compressed before.
 * @param validated what the tag is made of
 */
export function packedAnswer(packed: Buffer, validated: string): CachedAnswer {
  return { etag: tagOf(validated), plain: null, packed, type: JSON_TYPE };
}

/** A validator (ETag) of contents. */
export function tagOf(contents: string | Buffer): string {
  return `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`;
}
