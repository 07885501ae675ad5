import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CachedAnswer, tagOf } from './cached-answer.ts';

/** How much of a large answer is unpacked at once for a client that does not take gzip. */
const UNPACKED_BYTES = 128 * 1024;

/** An answer that is sent as these bytes. */
export class RawAnswer {
  readonly body: Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer | Readable, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** `no-store` for an answer with signed addresses: no browser may write it to disk. */
type CacheControl = 'private, no-cache' | 'no-store';

/**
 * Sends a cached answer in the encoding that the client accepts, or 304 when it has it.
 * @returns undefined when it has replied itself
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
  cacheControl: CacheControl = 'private, no-cache',
): RawAnswer | undefined {
  const headers = headersOf(answer.etag, cacheControl);
  if (hasCopy(request, answer.etag)) {
    reply.code(304).headers(headers).send();
    return undefined;
  }
  const typed = { ...headers, 'content-type': answer.type };
  return takesCoding(request, 'gzip')
    ? new RawAnswer(answer.packed, { ...typed, 'content-encoding': 'gzip' })
    : new RawAnswer(answer.plain ?? unpacking(answer.packed), typed);
}

/**
 * Sends 304 to a client that names the answer of a key whose ETag is made of the key: an evicted answer is not built
 * again. `*` names none, because building may fail.
 * @returns whether it has replied
 */
export function sendUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  cacheControl: CacheControl = 'private, no-cache',
): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  const etag = tagOf(key);
  if (!namesTag(request, etag)) return false;
  reply.code(304).headers(headersOf(etag, cacheControl)).send();
  return true;
}

function headersOf(etag: string, cacheControl: CacheControl): Record<string, string> {
  return { etag, 'cache-control': cacheControl, vary: 'accept-encoding' };
}

// As fast as the client reads, and no faster.
function unpacking(packed: Buffer): Readable {
  const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES });
  gunzip.end(packed);
  return gunzip;
}

/** Sends a cached answer outside the contract's calls. */
export function answerCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
): FastifyReply {
  const answered = sendCached(request, reply, answer);
  return answered === undefined ? reply : reply.headers(answered.headers).send(answered.body);
}

/**
 * Whether If-None-Match names this representation, or any (`*`). Proxies that recompress make a tag weak, and the
 * header may list several.
 */
export function hasCopy(request: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  return namesTag(request, etag) || tagsOf(request.headers['if-none-match']).includes('*');
}

function namesTag({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  return tagsOf(headers['if-none-match']).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether If-Match names only other versions; a weak tag does not match (RFC 9110, 13.1.1). */
export function wantsOther({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-match'];
  return header !== undefined && !tagsOf(header).some((tag) => tag === '*' || tag === etag);
}

function tagsOf(header = ''): string[] {
  return header.split(',').map((tag) => tag.trim());
}

/** Whether the client accepts this content coding: Accept-Encoding names it, and not with `q=0`. */
export function takesCoding(request: FastifyRequest, coding: 'br' | 'gzip'): boolean {
  const offers = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return offers.some((offer) => {
    const [name, weight] = offer.split(';').map((part) => part.trim());
    return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '');
  });
}
