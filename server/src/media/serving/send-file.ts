import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FragmentFile } from '../../access/fragment.ts';
import type { Visible } from '../../access/visible.ts';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { hasCopy, wantsOther } from '../../core/http/send-cached.ts';
import type { Deps } from '../../deps.ts';
import { containerNamed } from '../containers.ts';
import { readRange } from './byte-range.ts';
import type { OpenStreams } from './open-streams.ts';

/**
 * The security headers (protection.ts) that matter for a unit's bytes. These answers bypass Fastify, ten times a second
 * for each player, and are no pages.
 */
const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** A file to be sent. */
export type SentFile = Pick<FragmentFile, 'storageKey' | 'sizeBytes' | 'etag' | 'format'>;

interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly file: Visible<SentFile>;
  /** Of a file that is no video; that of its container unless given. */
  readonly mediaType?: string;
  /** Name for saving; without one the file is shown in the page. */
  readonly saveAs?: string;
  /** Throws when the user has lost the right to watch. */
  readonly check: () => Promise<unknown>;
}

/**
 * Sends a file or a range by RFC 9110. Conditions come in its order (13.2.2): If-Match, If-None-Match, If-Range with
 * Range, which applies to GET only. Conditions on dates are ignored, because no Last-Modified is sent.
 * @returns whether the whole file was sent
 * @throws AppError precondition_failed or range_not_satisfiable
 */
export async function sendFile(
  { storage, metrics, log }: Pick<Deps, 'storage' | 'metrics' | 'log'>,
  streams: OpenStreams,
  { request, reply, file, mediaType, saveAs, check }: Sending,
): Promise<boolean> {
  const { headers } = request;
  reply.headers({
    ...PROTECTION,
    'accept-ranges': 'bytes',
    etag: file.etag,
    'cache-control': 'private, max-age=3600',
    'content-type': mediaType ?? containerNamed(file.format).mediaType,
    'content-disposition': saveAs === undefined ? 'inline' : attachmentOf(saveAs),
  });
  if (wantsOther(request, file.etag)) {
    throw new AppError('precondition_failed', 'The file has changed.', { field: 'If-Match' });
  }
  if (hasCopy(request, file.etag)) {
    await reply.code(304).send();
    return false;
  }
  const ifRange = headers['if-range'];
  const isPartAsked = request.method === 'GET' && (ifRange === undefined || ifRange === file.etag);
  const wanted = readRange(isPartAsked ? headers.range : undefined, file.sizeBytes);
  if (wanted.kind === 'none') {
    reply.header('content-range', `bytes */${file.sizeBytes}`);
    throw new AppError('range_not_satisfiable', 'The range lies outside the file.');
  }
  const range = wanted.kind === 'part' ? wanted.range : { from: 0, to: file.sizeBytes - 1 };
  const length = range.to - range.from + 1;
  reply.header('content-length', String(length));
  if (wanted.kind === 'part') {
    reply.header('content-range', `bytes ${range.from}-${range.to}/${file.sizeBytes}`);
  }
  // From here the answer bypasses Fastify, which would read the whole file to answer HEAD.
  const body = request.method === 'HEAD' ? undefined : await storage.open(file.storageKey, range);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(wanted.kind === 'part' ? 206 : 200);
  if (body === undefined) {
    raw.end();
    return false;
  }
  const unwatch = streams.watch({ check, stop: () => raw.destroy() });
  try {
    await body.sendTo(raw);
    metrics.videoBytes.labels('sent').inc(length);
    return length === file.sizeBytes;
  } catch (error) {
    // Players close connections at every seek; that is no error.
    if (!hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE') && !hasErrorCode(error, 'ECONNRESET')) {
      log.warn({ requestId: request.id, err: error }, 'video stream broke');
    }
    raw.destroy();
    return false;
  } finally {
    unwatch();
  }
}

/** Russian letters as Latin ones (ICAO Doc 9303, as in passports). */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  [...'абвгдеёжзийклмнопрстуфхцчшщъыьэюя'].map((letter, at) => [
    letter,
    'a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y  e iu ia'.split(' ')[at] ??
      '_',
  ]),
);
const latinOf = (letter: string): string => {
  const latin = LATIN[letter.toLowerCase()] ?? '_';
  return letter === letter.toLowerCase() ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
};

/**
 * The Content-Disposition of a saved file (RFC 6266): its full name, and one in ISO-8859-1 for old clients, with Russian
 * letters as Latin ones.
 */
export function attachmentOf(name: string): string {
  const ascii = name
    .normalize('NFC')
    .replaceAll(/[\u0400-\u04ff]/g, latinOf)
    .replaceAll(/[^\x20-\x7e\xa0-\xff]|["\\]/g, '_');
  const escaped = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${escaped}`;
}
