import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CachedAnswer, tagOf } from './cached-answer.ts';

/** Chunk size for clients that do not accept gzip, bytes. */
const UNPACKED_BYTES = 128 * 1024;

/** A serialized answer with its headers. */
export class RawAnswer {
  readonly body: Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer | Readable, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** `no-store` keeps answers with signed addresses off the disks of browsers. */
type CacheControl = 'private, no-cache' | 'no-store';

/**
 * Prepares a cached answer in a coding that the client accepts. Sends 304 if the client has the answer.
 * @returns the answer to send; undefined after 304
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
 * Sends 304 if If-None-Match names the ETag of a key, so that an evicted answer is not built again. Its ETag must be
 * made of the key. `*` does not count, because building the answer may fail.
 * @returns whether it has sent 304
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

// Unpacks at the pace of the client.
function unpacking(packed: Buffer): Readable {
  const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES });
  gunzip.end(packed);
  return gunzip;
}

/** Sends a cached answer at an address outside the contract. */
export function answerCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
): FastifyReply {
  const answered = sendCached(request, reply, answer);
  return answered === undefined ? reply : reply.headers(answered.headers).send(answered.body);
}

/**
 * Whether If-None-Match names this ETag or `*`. The header may list several tags; proxies that recompress make them
 * weak.
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

/** Whether Accept-Encoding names this content coding, and not with `q=0`. */
export function takesCoding(request: FastifyRequest, coding: 'br' | 'gzip'): boolean {
  const offers = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return offers.some((offer) => {
    const [name, weight] = offer.split(';').map((part) => part.trim());
    return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '');
  });
}
