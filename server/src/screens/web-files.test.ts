import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { serveScreens } from './web-files.ts';

const page = '<!doctype html><title>Ridewatch</title>';
const script = 'export const answer = 42;'.repeat(100);

let top: string;
let folder: string;
let server: TestServer;
beforeAll(async () => {
  top = await mkdtemp(path.join(tmpdir(), 'ridewatch-test-web-'));
  folder = path.join(top, 'dist');
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  await mkdir(path.join(folder, '.vite'));
  await writeFile(path.join(folder, 'index.html'), page);
  await writeFile(path.join(folder, 'assets/main-abc123.js'), script);
  await writeFile(path.join(folder, 'assets/font-abc123.woff2'), 'font');
  await writeFile(path.join(folder, 'sw.js'), 'self.a = 1;');
  await writeFile(path.join(folder, 'manifest.webmanifest'), '{"name":"Ridewatch","id":"/"}');
  await writeFile(path.join(folder, '.vite/manifest.json'), '{"secret":1}');
  server = await createTestServer([(app, { log }) => serveScreens(app, log, screensOf(folder))]);
});
afterAll(async () => {
  await server.close();
  await rm(top, { recursive: true });
});

const screensOf = (built: string, kept = path.join(top, 'kept')) => ({
  ...{ built, kept },
  company: 'Автопарк',
});

const get = (url: string, coding = 'identity') =>
  server.app.inject({ url, headers: { 'accept-encoding': coding } });

describe('the built screens', () => {
  it.each(['/', '/buses', '/bus/12?date=2026-03-01', '/no/such/place', '/bus/1.5', '/apiary'])(
    'open at %s, asked for anew each time, under a content policy',
    async (address) => {
      const answer = await get(address);
      expect([answer.statusCode, answer.body]).toEqual([200, page]);
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
    },
  );

  it.each(['/', '/buses', '/assets/main-abc123.js'])(
    'are not sent again to who has %s, packed or not, until they change',
    async (url) => {
      const { etag } = (await get(url, 'br')).headers;
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      for (const tag of [`${etag}`, `W/${etag}`, `"older", ${etag}`]) {
        const again = await server.app.inject({ url, headers: { 'if-none-match': tag } });
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
      }
      const older = await server.app.inject({ url, headers: { 'if-none-match': '"older"' } });
      expect(older.statusCode).toBe(200);
    },
  );

  it('answer HEAD like GET, without a body', async () => {
    const answer = await server.app.inject({ method: 'HEAD', url: '/buses' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect(answer.headers['content-length']).toBe(String(page.length));
  });

  it('have files that are never asked for twice', async () => {
    const answer = await get('/assets/main-abc123.js');
    expect(answer.body).toBe(script);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
  });

  it('are installed under the name of the company, by a worker that is asked for anew', async () => {
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers['content-type']).toBe('application/manifest+json');
    expect(manifest.json()).toEqual({ name: 'Автопарк', short_name: 'Автопарк', id: '/' });
    expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache');
  });

  it('travel packed as well as the browser can unpack, and fonts as they are', async () => {
    const brotli = await get('/assets/main-abc123.js', 'gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script);
    const zipped = await get('/assets/main-abc123.js', 'gzip, br;q=0');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(script);
    const font = await get('/assets/font-abc123.woff2', 'gzip, br');
    expect([font.headers['content-encoding'], font.body]).toEqual([undefined, 'font']);
  });

  it.each([
    '/assets/main-of-an-older-build.js',
    '/.vite/manifest.json',
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/api',
    '/api/nothing',
    '/unit/v9/batches',
    '/oauth/nothing',
  ])('are not what answers for %s: 404 as JSON', async (address) => {
    const answer = await get(address);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: 'not_found' });
  });

  it('are not what answers to other methods', async () => {
    const answer = await server.app.inject({ method: 'POST', url: '/buses' });
    expect(answer.statusCode).toBe(404);
  });

  it('are missed with a warning when they are not built; the calls are served', async () => {
    const warn = vi.spyOn(server.deps.log, 'warn');
    const absent = path.join(folder, 'absent');
    const bare = await createTestServer([
      (app) => serveScreens(app, server.deps.log, screensOf(absent)),
    ]);
    try {
      expect(warn).toHaveBeenCalledWith({ folder: absent }, expect.stringContaining('not built'));
      expect((await bare.app.inject('/buses')).statusCode).toBe(404);
      expect((await bare.app.inject('/healthz')).statusCode).toBe(200);
    } finally {
      warn.mockRestore();
      await bare.close();
    }
  });
});

describe('the hashed files of a former build', () => {
  it('are answered as before, and nothing else of it', async () => {
    const newer = path.join(top, 'newer');
    await cp(folder, newer, { recursive: true });
    for (const name of ['main-abc123.js', 'font-abc123.woff2']) {
      const moved = name.replace('abc123', 'def456');
      await rename(path.join(newer, 'assets', name), path.join(newer, 'assets', moved));
    }
    await writeFile(path.join(newer, 'index.html'), `${page}newer`);
    await rm(path.join(newer, 'sw.js'));
    const updated = await createTestServer([
      (app, { log }) => serveScreens(app, log, screensOf(newer)),
    ]);
    const varying = /^(date|x-request-id|request-id|server-timing)$/;
    const seenBy = async ({ app }: TestServer, request: object) => {
      const { statusCode, rawPayload, headers } = await app.inject(request);
      const same = Object.entries(headers).filter(([name]) => !varying.test(name));
      return { statusCode, headers: Object.fromEntries(same), body: rawPayload.toString('hex') };
    };
    try {
      for (const url of ['/assets/main-abc123.js', '/assets/font-abc123.woff2']) {
        const { etag } = (await get(url)).headers;
        const tagged = { url, headers: { 'if-none-match': `${etag}` } };
        const head = { url, method: 'HEAD' };
        const packed = ['identity', 'gzip', 'gzip, br'].map((coding) => ({
          ...{ url, headers: { 'accept-encoding': coding } },
        }));
        for (const request of [tagged, head, ...packed]) {
          expect(await seenBy(updated, request)).toEqual(await seenBy(server, request));
        }
        expect((await updated.app.inject(url.replace('abc123', 'def456'))).statusCode).toBe(200);
      }
      expect((await updated.app.inject('/')).body).toBe(`${page}newer`);
      for (const url of ['/sw.js', '/assets/none-abc123.js', '/assets/../builds.json']) {
        expect((await updated.app.inject(url)).statusCode).toBe(404);
      }
    } finally {
      await updated.close();
    }
  });

  it('that are gone from the disk are 404, which no browser keeps', async () => {
    const kept = path.join(top, 'emptied');
    const first = await createTestServer([
      (app, { log }) => serveScreens(app, log, screensOf(folder, kept)),
    ]);
    await first.close();
    const bare = path.join(top, 'bare');
    await mkdir(bare);
    const updated = await createTestServer([
      (app, { log }) => serveScreens(app, log, screensOf(bare, kept)),
    ]);
    await rm(kept, { recursive: true });
    try {
      for (const coding of ['br', 'identity']) {
        const answer = await updated.app.inject({
          url: '/assets/main-abc123.js',
          headers: { 'accept-encoding': coding },
        });
        expect(answer.statusCode).toBe(404);
        expect(answer.headers['cache-control']).not.toContain('immutable');
        expect(answer.headers.etag).toBeUndefined();
      }
    } finally {
      await updated.close();
    }
  });
});
