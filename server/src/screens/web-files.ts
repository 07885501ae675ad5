// The built screens. Files with a hash in their name never change, and those of former builds are served, too;
// index.html is revalidated each time. Any other address that is no call is a screen, which the application routes
// itself.
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
import { keepBuilds } from './kept-builds.ts';

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
  '.webp': 'image/webp',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

type Coding = 'br' | 'gzip';

interface WebFile {
  readonly type: string;
  readonly immutable: boolean;
  readonly read: () => Promise<Buffer>;
  /** ETag of the contents in any encoding. */
  readonly etag: string;
  /** The compressed file, made on the first request; undefined for compressed formats. */
  readonly packed: ((coding: Coding) => Promise<Buffer>) | undefined;
}

interface Screens {
  readonly built: string;
  readonly kept: string;
  readonly company: string;
}

/** Serves the built screens at every address that is no call. */
export const addWebFiles: Feature = (app, { log, config }) =>
  serveScreens(app, log, {
    built: builtFolder,
    kept: path.join(config.dataDir, 'builds'),
    company: config.companyName,
  });

/**
 * Serves the files of a build from memory, the hashed files of former builds from the disk, and index.html at every other
 * address that is no call.
 * @param screens.built the build; read once, now
 * @param screens.kept holds the hashed files of this build and of former ones
 * @param screens.company under this name browsers install the application
 */
export async function serveScreens(
  app: FastifyInstance,
  log: Log,
  { built, kept, company }: Screens,
): Promise<void> {
  const present = await readFiles(built, company);
  if (!present.has('/index.html')) {
    log.warn({ folder: built }, 'the screens are not built: only the API is served');
  }
  const files = new Map([...(await readFormer(kept, present, log)), ...present]);
  app.get('/*', async (request, reply) => {
    const [address = ''] = request.url.split('?');
    if (/^\/+(api|unit|oauth)(\/|$)/.test(address)) throw notFound();
    // A file that no kept build has must not be answered with a page.
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
  const coding = file.packed && (['br', 'gzip'] as const).find((one) => takesCoding(request, one));
  const isKnown = hasCopy(request, file.etag);
  // Before the headers: a file that is gone must not be cached as missing.
  const body = isKnown ? undefined : await (coding ? file.packed?.(coding) : file.read());
  reply.headers({
    etag: file.etag,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  });
  if (isKnown) return reply.code(304).send();
  reply.header('content-type', file.type);
  if (coding) reply.header('content-encoding', coding);
  return reply.send(body);
}

/** The hashed files of former builds by address; only what was compressed stays in memory. */
async function readFormer(
  folder: string,
  present: ReadonlyMap<string, WebFile>,
  log: Log,
): Promise<Map<string, WebFile>> {
  const hashed = [...present].filter(([, { immutable }]) => immutable);
  const contents = hashed.map(async ([address, { read }]) => [address, await read()] as const);
  const kept = await keepBuilds(folder, new Map(await Promise.all(contents)), log);
  return new Map(
    [...kept].map(([address, { etag, read }]) => [address, fileOf(address, etag, read)]),
  );
}

async function readFiles(folder: string, company: string): Promise<Map<string, WebFile>> {
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
    const address = `/${path.relative(folder, name).split(path.sep).join('/')}`;
    // Dot files are private.
    const isServed = types[path.extname(name)] !== undefined && !address.includes('/.');
    return isServed ? [readOne(name, address, company)] : [];
  });
  return new Map(await Promise.all(read));
}

async function readOne(name: string, address: string, company: string): Promise<[string, WebFile]> {
  const read = await readFile(name);
  const plain = address === MANIFEST ? nameManifest(read, company) : read;
  return [address, fileOf(address, tagOf(plain), async () => plain)];
}

function fileOf(address: string, etag: string, read: () => Promise<Buffer>): WebFile {
  const extension = path.posix.extname(address);
  const packs = !['.woff2', '.png', '.webp'].includes(extension);
  return {
    type: types[extension] ?? 'application/octet-stream',
    immutable: address.startsWith('/assets/'),
    etag,
    read,
    packed: packs ? packOnce(read) : undefined,
  };
}

/** The file by which browsers install the application. */
const MANIFEST = '/manifest.webmanifest';

function nameManifest(read: Buffer, company: string): Buffer {
  const names = { name: company, short_name: company };
  return Buffer.from(JSON.stringify({ ...JSON.parse(read.toString()), ...names }));
}

/** From this size on the best compression takes seconds, for which the first client would wait. */
const LARGE_BYTES = 256 * 1024;
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function packOnce(read: () => Promise<Buffer>): (coding: Coding) => Promise<Buffer> {
  const made: Partial<Record<Coding, Promise<Buffer>>> = {};
  const pack = async (coding: Coding) => {
    const plain = await read();
    if (coding === 'gzip') return packGzip(plain);
    return packBrotli(plain, plain.length < LARGE_BYTES ? {} : QUICK);
  };
  return (coding) => {
    made[coding] ??= pack(coding).catch((error: unknown) => {
      // The next request tries again.
      delete made[coding];
      throw error;
    });
    return made[coding];
  };
}
