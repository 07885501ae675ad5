// The built screens. Files with a hash in their name never change; index.html is asked for anew each time. Whatever
// is no file and no call is a place inside the application, which finds its own way from the address.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Feature } from './app.ts';
import { notFound } from './errors.ts';

const packGzip = promisify(gzip);
const packBrotli = promisify(brotliCompress);
const folder = path.resolve(import.meta.dirname, '../../web/dist');

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

interface WebFile {
  readonly type: string;
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
}

/** Serves the screens to whatever is not a call. */
export const addWebFiles: Feature = async (app, { log }) => {
  const files = await readFiles();
  if (!files.has('/index.html')) {
    log.warn({ folder }, 'the screens are not built: only the calls are served');
  }
  app.get('/*', async (request, reply) => {
    const [address = ''] = request.url.split('?');
    if (/^\/(api|unit|oauth)(\/|$)/.test(address)) throw notFound();
    // A file of an older build must not be answered with a page.
    const isFile = types[path.posix.extname(address)] !== undefined;
    const file = files.get(address) ?? (isFile ? undefined : files.get('/index.html'));
    if (file === undefined) throw notFound();
    return send(request, reply, file);
  });
};

function send(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  reply.headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  });
  if (file.brotli !== undefined && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(file.brotli);
  }
  if (file.gzip !== undefined && /\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(file.gzip);
  }
  return reply.send(file.plain);
}

async function readFiles(): Promise<Map<string, WebFile>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => types[path.extname(file)] !== undefined && !file.includes(`${path.sep}.`));
  const read = files.map(async (file): Promise<[string, WebFile]> => {
    const plain = await readFile(file);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const packs = !['.woff2', '.png'].includes(path.extname(file));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    return [
      address,
      {
        type: types[path.extname(file)] ?? 'application/octet-stream',
        immutable: address.startsWith('/assets/'),
        plain,
        gzip: packs ? await packGzip(plain) : undefined,
        brotli: packs ? await packBrotli(plain, quality) : undefined,
      },
    ];
  });
  return new Map(await Promise.all(read));
}
