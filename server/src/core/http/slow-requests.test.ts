import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { createAuthenticators } from '../../auth/authenticators.ts';
import { apiFeatures, ingestFeatures } from '../../features.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { type SlowLimits, slowLimits, watchBodies } from './slow-requests.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Connects to a server on this machine and writes text. */
async function say(port: number, words: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  await once(socket, 'connect');
  socket.write(words);
  return socket;
}
const portOf = (server: Pick<Server, 'address'>): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

describe('the product', () => {
  const short: SlowLimits = {
    headMs: 300,
    bodyPauseMs: 300,
    uploadPauseMs: 900,
    bodyMs: 60_000,
    checkEveryMs: 50,
  };
  let server: TestServer;
  let fleet: TestFleet;
  let app: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    server = await createTestServer([]);
    fleet = await insertTestFleet(server.deps.database.db);
    const auth = await createAuthenticators(server.deps);
    app = await buildApp(server.deps, auth, [...ingestFeatures, ...apiFeatures], short);
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = portOf(app.server);
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  it('waits 15 s for a head, 30 s for a byte of a body, and longer for one of an upload', () => {
    expect(slowLimits).toMatchObject({
      headMs: 15_000,
      bodyPauseMs: 30_000,
      uploadPauseMs: 120_000,
    });
  });

  it.each([
    ['nothing is said', ''],
    ['a head does not end', 'GET /healthz HTTP/1.1\r\nhost: x\r\n'],
  ])('hangs up when %s', async (_name, words) => {
    const said = await text(await say(port, words));
    if (words !== '') expect(said).toMatch(/^HTTP\/1.1 408 .*"error":"request_timeout"/s);
  });

  const unit = () => `authorization: Bearer ${fleet.firstBus.credential}\r\n`;
  const client = `authorization: Basic ${Buffer.from('ridewatch-web:').toString('base64')}\r\n`;
  const head = (line: string, more: string): string =>
    `${line} HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n${more}\r\n`;
  it.each([
    [
      'a sign-in',
      () =>
        head('POST /oauth/token', `${client}content-type: application/x-www-form-urlencoded\r\n`),
    ],
    ['a batch', () => head('POST /unit/v1/batches', `${unit()}content-type: application/json\r\n`)],
    [
      'a packed batch',
      () =>
        head(
          'POST /unit/v1/batches',
          `${unit()}content-type: application/json\r\ncontent-encoding: gzip\r\n`,
        ),
    ],
    [
      'a body in chunks',
      () =>
        `POST /unit/v1/batches HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n${unit()}content-type: application/json\r\n\r\n9\r\n`,
    ],
  ])('gives up %s of which no byte comes', async (name, headOf) => {
    const socket = await say(port, headOf());
    socket.write(name === 'a packed batch' ? gzipSync('{"a":1}').subarray(0, 12) : '{"a"');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 .*"error":"request_timeout"/s);
  });

  it('hangs up on the rest of a body that it has refused before', async () => {
    const said = await text(await say(port, `${head('POST /api/auth/logout', '')}{"a"`));
    expect(said).toMatch(/^HTTP\/1.1 401 .*"error":"unauthorized"/s);
  });

  it('keeps what came of an upload that stops, and lets it pause for longer', async () => {
    const bus = fleet.firstBus;
    const time = new Date(server.clock.nowMs()).toISOString();
    const stream = crypto.randomUUID();
    const record = {
      ...{ type: 'segment', seq: 1, time, camera: 'door1', video: 'queued' },
      ...{ start_time: time, end_time: new Date(server.clock.nowMs() + 20_000).toISOString() },
    };
    const url = `http://127.0.0.1:${port}`;
    const authorization = `Bearer ${bus.credential}`;
    const batch = await fetch(`${url}/unit/v1/batches`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ stream, sent_at: time, records: [record] }),
    });
    expect(batch.status).toBe(200);
    const tus = { authorization, 'tus-resumable': '1.0.0' };
    const metadata = `stream ${btoa(stream)},seq ${btoa('1')}`;
    const created = await fetch(`${url}/unit/v1/uploads`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': '5000', 'upload-metadata': metadata },
    });
    expect(created.status).toBe(201);
    const place = created.headers.get('location') ?? '';
    const chunkHead = `${unit()}tus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\n`;
    const sinceMs = performance.now();
    const upload = await say(port, `${head(`PATCH ${place}`, chunkHead)}${'x'.repeat(1000)}`);
    await text(upload);
    expect(performance.now() - sinceMs).toBeGreaterThan(short.uploadPauseMs);
    await expect
      .poll(async () => {
        const answer = await fetch(url + place, { method: 'HEAD', headers: tus });
        return answer.headers.get('upload-offset');
      })
      .toBe('1000');
  });

  it('counts none of them as a failure of its own', async () => {
    const metrics = await server.deps.metrics.registry.metrics();
    expect(metrics).not.toMatch(/status="5/);
  });
});

describe('the watch over bodies', () => {
  const limits = { ...slowLimits, checkEveryMs: 3_600_000 };
  let nowMs = 0;
  let server: Server;
  let bodies: ReturnType<typeof watchBodies>;
  const givenUp: string[] = [];
  let took = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.on('data', (bytes: Buffer) => {
        took += bytes.length;
      });
      request.on('end', () => response.end('all of it'));
    });
    const giveUp = ({ url, socket }: IncomingMessage): void => {
      givenUp.push(url ?? '');
      socket.destroy();
    };
    bodies = watchBodies(server, limits, giveUp, () => nowMs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  const post = (url: string, length: number) =>
    say(portOf(server), `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);

  it('lets a body go on for as long as bytes come, but not for ever', async () => {
    const socket = await post('/slow', 1000);
    await expect.poll(() => bodies.size).toBe(1);
    const pauseMs = limits.bodyPauseMs - 1;
    const byteCount = Math.floor(limits.bodyMs / pauseMs);
    for (let byte = 1; byte <= byteCount; byte += 1) {
      socket.write('x');
      await expect.poll(() => took, { interval: 1 }).toBe(byte);
      nowMs += pauseMs;
      bodies.check();
      expect(givenUp).toEqual([]);
    }
    socket.write('x');
    await expect.poll(() => took, { interval: 1 }).toBe(byteCount + 1);
    nowMs += pauseMs;
    bodies.check();
    expect(givenUp.splice(0)).toEqual(['/slow']);
    await text(socket);
  });

  it('asks no more of a body that has come, and forgets one whose sender is gone', async () => {
    const whole = await post('/whole', 1);
    whole.write('x');
    await once(whole, 'data');
    const lost = await post('/lost', 5);
    await expect.poll(() => bodies.size).toBe(2);
    lost.destroy();
    await expect
      .poll(() => {
        bodies.check();
        return bodies.size;
      })
      .toBe(0);
    nowMs += 10 * limits.bodyMs;
    bodies.check();
    expect([givenUp, whole.destroyed]).toEqual([[], false]);
  });

  it('lets an upload last as long as it likes, with longer pauses', async () => {
    const socket = await post('/unit/v1/uploads/x', 1000);
    await expect.poll(() => bodies.size).toBe(1);
    bodies.check();
    const before = took;
    for (let byte = 1; byte <= 20; byte += 1) {
      nowMs += limits.uploadPauseMs - 1;
      socket.write('x');
      await expect.poll(() => took - before, { interval: 1 }).toBe(byte);
      bodies.check();
    }
    expect(givenUp).toEqual([]);
    nowMs += limits.uploadPauseMs;
    bodies.check();
    expect(givenUp.splice(0)).toEqual(['/unit/v1/uploads/x']);
  });

  it.each([
    '/unit/v1/uploadsX',
    '/unit/v1/uploads/x/y',
    '/unit/v1/uploads.json?to=/unit/v1/uploads',
  ])('takes %s for no upload', async (url) => {
    await post(url, 1000);
    await expect.poll(() => bodies.size).toBe(1);
    bodies.check();
    nowMs += limits.bodyPauseMs;
    bodies.check();
    expect(givenUp.splice(0)).toEqual([url]);
  });

  it.each(['/unit/v1/uploads', '/unit/v1/uploads?', '/unit/v1/uploads/eA'])(
    'takes %s for an upload',
    async (url) => {
      const socket = await post(url, 1000);
      await expect.poll(() => bodies.size).toBe(1);
      bodies.check();
      nowMs += limits.bodyPauseMs;
      bodies.check();
      expect(givenUp).toEqual([]);
      socket.destroy();
      await expect
        .poll(() => {
          bodies.check();
          return bodies.size;
        })
        .toBe(0);
    },
  );
});
