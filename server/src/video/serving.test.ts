import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Fragment } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce, sha256Of } from '../test/video.ts';
import { addVideo } from './api.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T08:00:00Z`);
/** More than socket buffers hold, so that a stream without a reader stays open. */
const bytes = randomBytes(24 * 1024 * 1024);
const etag = `"${sha256Of(bytes)}"`;
let server: TestServer;
let fleet: TestFleet;
let base: string;
let fragmentId: number;
let token: string;
let address: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addVideo]);
  server.clock.set(START_MS + 3_600_000);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  ({ fragmentId } = await announce(server, fleet.firstBus, START_MS));
  for (const variant of ['source', 'playable'] as const) {
    const key = `video/test-${variant}`;
    await server.deps.storage.put(key, Readable.from([bytes]));
    await db
      .insertInto('segment_files')
      .values({
        segment_id: fragmentId,
        variant,
        created_at: new Date(),
        storage_key: key,
        size_bytes: bytes.length,
        sha256: Buffer.from(sha256Of(bytes), 'hex'),
      })
      .execute();
  }
  await db
    .updateTable('segments')
    .set({ status: 'PROCESSED' })
    .where('id', '=', fragmentId)
    .execute();
  token = await server.signIn('first');
  address = (await fragmentFor(token)).playback_uri ?? '';
});
afterAll(() => server.close());

async function fragmentFor(bearer: string): Promise<Fragment> {
  const answer = await server.app.inject({
    url: `/api/segments/day-segments?workplaceId=${fleet.firstBus.busId}&date=${DAY}`,
    headers: { authorization: `Bearer ${bearer}` },
  });
  const found = answer
    .json<{ segments: Fragment[] }>()
    .segments.find(({ id }) => id === fragmentId);
  if (found === undefined) throw new Error(answer.body);
  return found;
}

const ask = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(base + address, { method, headers });

describe('the video of a fragment', () => {
  it('comes whole without a range, and says that it takes ranges', async () => {
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(sha256Of(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Of(bytes));
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    [`bytes=${bytes.length - 10}-`, bytes.length - 10, bytes.length - 1],
    ['bytes=-500', bytes.length - 500, bytes.length - 1],
    [`bytes=0-${bytes.length + 5}`, 0, bytes.length - 1],
  ])('answers %s with those bytes', async (range, from, to) => {
    const answer = await ask({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.length}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true);
  });

  it('has nothing beyond its end: 416 with its length', async () => {
    const answer = await ask({ range: `bytes=${bytes.length}-` });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
  });

  it('comes whole when the range is of another version, in part when of this one', async () => {
    const other = await ask({ range: 'bytes=0-9', 'if-range': '"other"' });
    const same = await ask({ range: 'bytes=0-9', 'if-range': etag });
    expect([other.status, same.status]).toEqual([200, 206]);
    await other.body?.cancel();
  });

  it.each([
    ['that it has it', { 'if-none-match': etag }, 304],
    ['that it has this or another', { 'if-none-match': `"other", W/${etag}` }, 304],
    ['that it has any', { 'if-none-match': '*' }, 304],
    ['that it has another', { 'if-none-match': '"other"', range: 'bytes=0-9' }, 206],
    ['that it wants this', { 'if-match': `"other", ${etag}`, range: 'bytes=0-9' }, 206],
    ['that it wants any', { 'if-match': '*', range: 'bytes=0-9' }, 206],
    ['that it wants another', { 'if-match': '"other"' }, 412],
    ['that it wants what is about this', { 'if-match': `W/${etag}` }, 412],
    ['that it wants another and has this', { 'if-match': '"other"', 'if-none-match': etag }, 412],
    ['that it wants this and has it', { 'if-match': etag, 'if-none-match': etag }, 304],
    ['that it has it and wants a part', { 'if-none-match': etag, range: 'bytes=0-9' }, 304],
    ['that it wants another part', { 'if-match': '"other"', range: `bytes=${bytes.length}-` }, 412],
  ])('answers by the order of conditions to who says %s', async (_words, headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(headers as Record<string, string>, method);
      // Only GET supports ranges.
      expect(answer.status).toBe(method === 'HEAD' && status === 206 ? 200 : status);
      if (status !== 412) expect(answer.headers.get('etag')).toBe(etag);
    }
  });

  it('is not judged by dates, as it tells none', async () => {
    const answer = await ask({
      'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
      'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT',
      range: 'bytes=0-9',
    });
    expect([answer.status, answer.headers.get('last-modified')]).toEqual([206, null]);
  });

  it('tells its length to HEAD, without a byte', async () => {
    const answer = await ask({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length')]).toEqual([
      200,
      String(bytes.length),
    ]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  });

  it('is downloaded under a name of ours, by address or by token', async () => {
    const { download } = await fragmentFor(token);
    const byAddress = await fetch(base + (download ?? ''));
    const byToken = await fetch(`${base}/api/download/${fragmentId}?processed=0`, {
      headers: { authorization: `Bearer ${token}` },
    });
    for (const answer of [byAddress, byToken]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const named = answer.headers.get('content-disposition') ?? '';
      expect(named).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/);
      expect(decodeURIComponent(named)).toContain('_2026-11-20_11.00.00-');

      await answer.body?.cancel();
    }
  });
});

describe('the old file of a fragment that is fetched anew', () => {
  const setStatus = (status: Fragment['status']) =>
    server.deps.database.db
      .updateTable('segments')
      .set({ status })
      .where('id', '=', fragmentId)
      .execute();
  afterAll(() => setStatus('PROCESSED'));
  const alone = async (): Promise<Fragment> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await server.app.inject({ url: `/api/segments/${fragmentId}`, headers })).json();
  };

  it.each(['DOWNLOADING_FROM_TASK', 'LOADING', 'DOWNLOAD_FAIL'] as const)(
    'is played and downloaded while that is %s',
    async (status) => {
      await setStatus(status);
      const { download, download_playable, playback_uri } = await alone();
      for (const uri of [download, download_playable, playback_uri]) {
        const answer = await fetch(`${base}${uri}`, { headers: { range: 'bytes=0-9' } });
        expect([uri, answer.status]).toEqual([uri, 206]);
      }
    },
  );

  it('is not sent as it came before the new one is counted', async () => {
    await setStatus('LOADED');
    expect((await alone()).download).toBeNull();
  });
});

describe('an address of video', () => {
  it('opens nothing when it is missing, damaged, for another fragment or run out', async () => {
    const hash = new URL(address, base).searchParams.get('hash') ?? '';
    const damaged = hash.replace(/^..../, (start) => (start === 'AAAA' ? 'BBBB' : 'AAAA'));
    for (const url of [
      `/api/video_feed/${fragmentId}?processed=1`,
      `/api/video_feed/${fragmentId}?processed=1&hash=${damaged}`,
      `/api/video_feed/${fragmentId}?processed=0&hash=${hash}`,
      `/api/video_feed/${fragmentId + 1}?processed=1&hash=${hash}`,
    ]) {
      expect([url, (await fetch(base + url)).status]).toEqual([url, 403]);
    }
    server.clock.advance(12 * 3_600_000);
    expect((await ask()).status).toBe(403);
    server.clock.advance(-12 * 3_600_000);
  });

  it("is another customer's nothing: a foreign fragment has no video to ask for", async () => {
    const foreign = await server.signIn('second');
    const answer = await fetch(`${base}/api/download/${fragmentId}?processed=0`, {
      headers: { authorization: `Bearer ${foreign}` },
    });
    expect(answer.status).toBe(404);
  });

  it('opens nothing beside a valid token of another user, and its own beside any other', async () => {
    const { download } = await fragmentFor(token);
    const asked = async (uri: string, bearer: string): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}`, range: 'bytes=0-9' };
      return (await fetch(base + uri, { headers })).status;
    };
    const bearers = [await server.signIn('second'), token, 'run-out'];
    for (const uri of [address, download ?? '']) {
      const statuses = await Promise.all(bearers.map((bearer) => asked(uri, bearer)));
      expect([uri, ...statuses]).toEqual([uri, 404, 206, 206]);
    }
    expect(await asked(`/api/download/${fragmentId}?processed=0`, 'run-out')).toBe(401);
  });

  it('holds still for a session, and is its own for each', async () => {
    expect((await fragmentFor(token)).playback_uri).toBe(address);
    expect((await fragmentFor(await server.signIn('first'))).playback_uri).not.toBe(address);
  });
});

// Opens a stream and reads only its first bytes.
function openStream(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(base + url, (answer) => {
      answer.on('error', () => undefined);
      answer.once('readable', () => resolve(answer));
    })
      .on('error', reject)
      .end();
  });
}

describe('a running video', () => {
  // The client does not read, so only the server's end shows that the connection is closed.
  const cut = new Map<number, boolean>();
  beforeAll(() => {
    server.app.server.on('connection', (socket) => {
      const port = socket.remotePort ?? 0;
      cut.set(port, false);
      socket.once('close', () => cut.set(port, true));
    });
  });
  const isCut = (stream: IncomingMessage): boolean =>
    cut.get(stream.socket.localPort ?? 0) ?? false;

  it('ends within 5 s of a logout, a block and a lost bus; others go on', async () => {
    const { db } = server.deps.database;
    const login = async (name: string, role: 'CUSTOMER' | 'OPERATOR', client: number) => {
      await insertTestUser(db, name, role, client);
      return server.signIn(name);
    };
    const leaving = await login('leaving', 'CUSTOMER', fleet.first);
    const blocked = await login('blocked', 'CUSTOMER', fleet.first);
    const losing = await server.signIn('operator');
    const open = async (bearer: string) =>
      openStream((await fragmentFor(bearer)).playback_uri ?? '');
    const ending = [await open(leaving), await open(blocked), await open(losing)];
    const staying = await open(token);

    await server.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { authorization: `Bearer ${leaving}` },
    });
    await db.updateTable('users').set({ enabled: false }).where('login', '=', 'blocked').execute();
    await db.deleteFrom('integrator_clients').execute();
    server.clock.advance(3000);
    await vi.waitFor(() => expect(ending.map(isCut)).toEqual([true, true, true]));
    expect(isCut(staying)).toBe(false);
    for (const stream of [...ending, staying]) stream.destroy();
  });

  it('leaves no open file behind when its connection is cut, however often', async () => {
    const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    for (let warm = 0; warm < 20; warm += 1) (await openStream(address)).destroy();
    await vi.waitFor(() => expect([...cut.values()]).not.toContain(false));
    const before = await openFiles();
    for (let round = 0; round < 25; round += 1) {
      const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(address)));
      for (const stream of streams) stream.destroy();
    }
    await vi.waitFor(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 3));
  });
});
