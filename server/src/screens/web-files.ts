// The built screens. Files with a hash in their name never change; index.html is revalidated each time. Any other
// address that is no call is a screen, which the application routes itself.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasErrorCode, notFound } from '../core/errors.ts';
import { tagOf } from '../core/http/cached-answer.ts';
import { hasCopy, takesCoding } from '../core/http/send-cached.ts';
import type { Log } from '../core/log.ts';
import type { Feature } from '../deps.ts';

const packGzip = promisify(gzip);
const packBrotli = promisify(brotliCompress);
const builtFolder = path.resolve(import.meta.dirname, '../../../web/dist');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

type Coding = 'br' | 'gzip';

interface WebFile {
  readonly type: string;
  readonly immutable: boolean;
  readonly plain: Buffer;
  /** ETag of the contents in any encoding. */
  readonly etag: string;
  /** The compressed file, made on the first request; undefined for compressed formats. */
  readonly packed: ((coding: Coding) => Promise<Buffer>) | undefined;
}

/** Serves the built screens at every address that is no call. */
export const addWebFiles: Feature = (app, { log }) => serveScreens(app, log, builtFolder);

/**
 * Serves the files of a folder from memory, and its index.html at every other address that is no call.
 * @param folder read once, now
 */
export async function serveScreens(app: FastifyInstance, log: Log, folder: string): Promise<void> {
  const files = await readFiles(folder);
  if (!files.has('/index.html')) {
    log.warn({ folder }, 'the screens are not built: only the API is served');
  }
  app.get('/*', async (request, reply) => {
    const [address = ''] = request.url.split('?');
    if (/^\/+(api|unit|oauth)(\/|$)/.test(address)) throw notFound();
    // A file of an older build must not be answered with a page.
    const isFile = types[path.posix.extname(address)] !== undefined;
    const file = files.get(address) ?? (isFile ? undefined : files.get('/index.html'));
    if (file === undefined) throw notFound();
    return send(request, reply, file);
  });
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
): Promise<FastifyReply> {
  reply.headers({
    etag: file.etag,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  });
  if (hasCopy(request, file.etag)) return reply.code(304).send();
  reply.header('content-type', file.type);
  const coding = (['br', 'gzip'] as const).find((one) => takesCoding(request, one));
  if (coding === undefined || file.packed === undefined) return reply.send(file.plain);
  return reply.header('content-encoding', coding).send(await file.packed(coding));
}

async function readFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (hasErrorCode(error, 'ENOENT')) return [];
      throw error;
    },
  );
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const read = names.flatMap((name) => {
    const type = types[path.extname(name)];
    const address = `/${path.relative(folder, name).split(path.sep).join('/')}`;
    // Dot files are private.
    return type === undefined || address.includes('/.') ? [] : [readOne(name, address, type)];
  });
  return new Map(await Promise.all(read));
}

async function readOne(name: string, address: string, type: string): Promise<[string, WebFile]> {
  const plain = await readFile(name);
  const packs = !['.woff2', '.png'].includes(path.extname(name));
  const immutable = address.startsWith('/assets/');
  const packed = packs ? packOnce(plain) : undefined;
  return [address, { type, immutable, plain, etag: tagOf(plain), packed }];
}

/** From this size on the best compression takes seconds, for which the first client would wait. */
const LARGE_BYTES = 256 * 1024;
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function packOnce(plain: Buffer): (coding: Coding) => Promise<Buffer> {
  const made: Partial<Record<Coding, Promise<Buffer>>> = {};
  return (coding) => {
    const toBrotli = () => packBrotli(plain, plain.length < LARGE_BYTES ? {} : QUICK);
    made[coding] ??= coding === 'br' ? toBrotli() : packGzip(plain);
    return made[coding];
  };
}
