import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from './connection.ts';
import type { Timers } from './timers.ts';
import { uploadVideo } from './upload.ts';

const STREAM = '6b1f3c0e-8f0a-4f6e-9d58-0f3f3a1c2b4d';
const content = Buffer.alloc(9_000_000, 'ridewatch');
const timers: Timers = { nowMs: () => 0, sleep: async () => {} };

/** A tus server that keeps one upload and treats each chunk as the test says. */
function tusServer(fates: ('ok' | 'cut' | 'answer lost' | 'locked')[], closesWhenWhole = false) {
  const kept = { bytes: Buffer.alloc(0), metadata: '', credential: '', asked: 0 };
  const server = createServer((request, response) => {
    kept.credential = request.headers.authorization ?? '';
    if (closesWhenWhole && kept.bytes.length === content.length) {
      response.writeHead(request.method === 'POST' ? 409 : 404).end();
      return;
    }
    if (request.method === 'POST') {
      kept.metadata = String(request.headers['upload-metadata']);
      response.writeHead(201, { location: '/unit/v1/uploads/1' }).end();
      return;
    }
    if (request.method === 'HEAD') {
      kept.asked += 1;
      response.writeHead(200, { 'upload-offset': String(kept.bytes.length) }).end();
      return;
    }
    const fate = fates.shift() ?? 'ok';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const chunk = Buffer.concat(chunks);
      if (fate === 'locked') return void response.writeHead(423).end();
      if (Number(request.headers['upload-offset']) !== kept.bytes.length) {
        return void response.writeHead(409).end();
      }
      kept.bytes = Buffer.concat([kept.bytes, fate === 'cut' ? chunk.subarray(0, 1000) : chunk]);
      if (fate !== 'ok') return void request.socket.destroy();
      response.writeHead(204, { 'upload-offset': String(kept.bytes.length) }).end();
    });
  });
  return { server, kept };
}

let server: Server | undefined;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-upload-'));
  await writeFile(path.join(folder, 'clip.mp4'), content);
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  await rm(folder, { recursive: true });
});

async function upload(fake: ReturnType<typeof tusServer>): Promise<boolean> {
  server = fake.server;
  await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
  const { port } = fake.server.address() as AddressInfo;
  const connection = connect({ url: `http://127.0.0.1:${port}`, credential: 'secret' });
  const file = path.join(folder, 'clip.mp4');
  return uploadVideo({ connection, timers, announced: { stream: STREAM, seq: 7 }, file });
}

it('uploads a file in chunks under the number of its announcement, with its checksum', async () => {
  const fake = tusServer([]);
  expect(await upload(fake)).toBe(true);
  expect(fake.kept.bytes.equals(content)).toBe(true);
  const metadata = Object.fromEntries(
    fake.kept.metadata.split(',').map((pair) => {
      const [key = '', value = ''] = pair.split(' ');
      return [key, Buffer.from(value, 'base64').toString()];
    }),
  );
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(metadata).toEqual({ stream: STREAM, seq: '7', sha256 });
  expect(fake.kept.credential).toBe('Bearer secret');
});

it('goes on where a broken link left off, and after a lost answer sends nothing twice', async () => {
  const fake = tusServer(['ok', 'cut', 'answer lost', 'locked']);
  expect(await upload(fake)).toBe(true);
  expect(fake.kept.bytes.equals(content)).toBe(true);
  expect(fake.kept.asked).toBeGreaterThan(0);
});

it('is done when the server has checked and closed the upload before the last answer arrived', async () => {
  const fake = tusServer(['ok', 'ok', 'answer lost'], true);
  expect(await upload(fake)).toBe(false);
  expect(fake.kept.bytes.equals(content)).toBe(true);
});
