import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CachedAnswer } from './cached-answer.ts';

/** How much of a large answer is unpacked at once for a client that does not take gzip. */
const UNPACKED_BYTES = 128 * 1024;

/** An answer whose bytes were made before: sent as they are. */
export class RawAnswer {
  readonly body: Buffer | Readable;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer | Readable, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * Sends a cached answer in the form that the client takes, or 304 when it has it.
 * @param cacheControl `no-store` for an answer that carries signed addresses: a client may hold it in memory, and no
 *   browser writes it to a disk
 * @returns undefined when it has answered by itself
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
  cacheControl: 'private, no-cache' | 'no-store' = 'private, no-cache',
): RawAnswer | undefined {
  const headers = {
    etag: answer.etag,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
  };
  if (hasCopy(request, answer.etag)) {
    reply.code(304).headers(headers).send();
    return undefined;
  }
  const typed = { ...headers, 'content-type': answer.type };
  return takesCoding(request, 'gzip')
    ? new RawAnswer(answer.packed, { ...typed, 'content-encoding': 'gzip' })
    : new RawAnswer(answer.plain ?? unpacking(answer.packed), typed);
}

// As fast as the client reads, and no faster.
function unpacking(packed: Buffer): Readable {
  const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES });
  gunzip.end(packed);
  return gunzip;
}

/** Sends a cached answer outside the calls of the contract. */
export function answerCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
): FastifyReply {
  const answered = sendCached(request, reply, answer);
  return answered === undefined ? reply : reply.headers(answered.headers).send(answered.body);
}

/**
 * Whether the client says by If-None-Match that it has this form of an answer, or any (`*`). Proxies that pack or unpack on
 * the way make a tag weak, and the header may list several.
 */
export function hasCopy({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  return tagsOf(headers['if-none-match']).some(
    (tag) => tag === '*' || tag.replace(/^W\//, '') === etag,
  );
}

/** Whether the client says by If-Match that it wants another version than this; a weak tag is none (RFC 9110, 13.1.1). */
export function wantsOther({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-match'];
  return header !== undefined && !tagsOf(header).some((tag) => tag === '*' || tag === etag);
}

function tagsOf(header = ''): string[] {
  return header.split(',').map((tag) => tag.trim());
}

/** Whether the client takes an answer packed this way: named in Accept-Encoding and not refused by `q=0`. */
export function takesCoding(request: FastifyRequest, coding: 'br' | 'gzip'): boolean {
  const offers = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return offers.some((offer) => {
    const [name, weight] = offer.split(';').map((part) => part.trim());
    return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '');
  });
}
