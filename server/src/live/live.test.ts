import { execFile } from 'node:child_process';
import { type IncomingMessage, request } from 'node:http';
import { promisify } from 'node:util';
import { LIVE_START_MS, type LiveStream } from '@ridewatch/contract/live';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { listBlocked } from '../test/blocked.ts';
import { ffmpeg } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addLive } from './api.ts';
import { addLivePush } from './push-api.ts';
import { watchLiveJob } from './watch-job.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 6);
const PLAYLIST = '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:2.0,\n7.m4s\n';
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let base: string;
let buses = 0;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLivePush, addLive]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.advance(1000);
  for (const role of ['first', 'second', 'admin']) tokens[role] = await server.signIn(role);
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${200 + buses}`);
});

type Started = LiveStream & { uri: string };
const start = async (role = 'first', camera = bus.cameras.cabin) => {
  const headers = { authorization: `Bearer ${tokens[role]}` };
  const answer = await server.app.inject({ method: 'POST', url: `/api/live/${camera}`, headers });
  return { status: answer.statusCode, body: answer.json<Started>() };
};
const stateNow = async (): Promise<LiveStream> => {
  const headers = { authorization: `Bearer ${tokens.first}` };
  const answer = await server.app.inject({ url: `/api/live/${bus.cameras.cabin}`, headers });
  return answer.json<LiveStream>();
};
const commands = async (): Promise<UnitCommand[]> => {
  const headers = { authorization: `Bearer ${bus.credential}` };
  const answer = await server.app.inject({ url: '/unit/v1/commands?wait=0', headers });
  return answer.json<{ commands: UnitCommand[] }>().commands;
};
const put = (path: string, body: string | Buffer, credential = bus.credential) =>
  fetch(base + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credential}` },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
const watch = (): Promise<void> =>
  server.deps.database.db
    .selectFrom('live_streams')
    .select('id')
    .where('camera_id', '=', bus.cameras.cabin)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
    .then(({ id }) =>
      watchLiveJob(server.deps).run(
        { streamId: id },
        { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
      ),
    );
const playlistAt = (uri: string) => server.app.inject({ url: uri });

/** A running stream with its path for the unit. */
async function running(): Promise<{ uri: string; path: string }> {
  const { body } = await start();
  const path = (await commands())[0]?.live?.path ?? '';
  expect((await put(`${path}/init.mp4`, 'head')).status).toBe(204);
  expect((await put(`${path}/7.m4s`, 'segment')).status).toBe(204);
  expect((await put(`${path}/live.m3u8`, PLAYLIST)).status).toBe(204);
  return { uri: body.uri, path };
}

describe('a live stream', () => {
  it('is begun once by the unit, however many watch', async () => {
    const first = await start();
    expect(first).toMatchObject({ status: 200, body: { state: 'starting' } });
    expect((await start('admin')).status).toBe(200);
    const told = await commands();
    expect(told.map(({ kind, live }) => [kind, live?.camera])).toEqual([['start_live', 'cabin']]);
    expect((await playlistAt(first.body.uri)).statusCode).toBe(404);
  });

  it('reaches viewers segment by segment, every line signed', async () => {
    const { uri } = await running();
    expect(await stateNow()).toMatchObject({ state: 'running', reason: null });
    const playlist = await playlistAt(uri);
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const lines = playlist.body.match(/\d+\/\d+-[\w.]+\?hash=[\w-]+/g) ?? [];
    const bodies = await Promise.all(
      lines.map(async (line) => (await playlistAt(`/api/video_feed2/live/${line}`)).body),
    );
    expect(bodies).toEqual(['head', 'segment']);
  });

  it('shows nothing beside the token of another user', async () => {
    const { uri } = await running();
    const authorization = `Bearer ${await server.signIn('admin')}`;
    const lines = (await playlistAt(uri)).body.match(/\d+\/\d+-[\w.]+\?hash=[\w-]+/g) ?? [];
    for (const url of [uri, ...lines.map((line) => `/api/video_feed2/live/${line}`)]) {
      expect((await server.app.inject({ url, headers: { authorization } })).statusCode).toBe(404);
      const spoilt = { authorization: 'Bearer run-out' };
      expect((await server.app.inject({ url, headers: spoilt })).statusCode).toBe(200);
    }
  });

  it('ends by itself when nobody asks for it any more, and the unit is told to stop', async () => {
    const { uri, path } = await running();
    for (let n = 0; n < 4; n += 1) {
      server.clock.advance(10_000);
      await put(`${path}/live.m3u8`, PLAYLIST);
      expect((await playlistAt(uri)).statusCode).toBe(200);
      await watch();
    }
    expect(await stateNow()).toMatchObject({ state: 'running' });
    server.clock.advance(16_000);
    await watch();
    expect(await stateNow()).toMatchObject({ state: 'ended', reason: null });
    expect((await commands()).map(({ kind }) => kind)).toEqual(['stop_live']);
    expect((await put(`${path}/8.m4s`, 'segment')).status).toBe(404);
    expect((await playlistAt(uri)).statusCode).toBe(404);
    expect(await namesOfSegments()).toEqual([]);
  });

  it('keeps nothing that the unit puts at the moment of its end', async () => {
    const { path } = await running();
    const { db } = server.deps.database;
    server.clock.advance(LIVE_START_MS);
    // The end stops before its command to the unit.
    const { put: last, end } = await db.transaction().execute(async (tx) => {
      await sql`lock table unit_commands in share mode`.execute(tx);
      const ending = watch();
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1));
      let isAnswered = false;
      const putting = put(`${path}/8.m4s`, 'segment').finally(() => {
        isAnswered = true;
      });
      await vi.waitFor(async () => expect(isAnswered || (await countWaiting()) === 2).toBe(true));
      return { put: putting, end: ending };
    });
    await Promise.all([last, end]);
    expect(await namesOfSegments()).toEqual([]);
  });

  it('is not taken from a unit long after the last viewer, though the job that ends it is late', async () => {
    const { path } = await running();
    server.clock.advance(60_000);
    expect((await put(`${path}/8.m4s`, 'segment')).status).toBe(404);
  });

  it('fails in sight when the unit does not answer, or says why it cannot', async () => {
    await start();
    server.clock.advance(41_000);
    await watch();
    expect(await stateNow()).toMatchObject({ state: 'failed', reason: 'no_answer' });

    await start();
    const id = (await commands()).find(({ kind }) => kind === 'start_live')?.id;
    await server.app.inject({
      method: 'POST',
      url: `/unit/v1/commands/${id}/ack`,
      headers: { authorization: `Bearer ${bus.credential}` },
      body: { result: 'failed', reason: 'the camera is offline' },
    });
    expect(await stateNow()).toMatchObject({
      state: 'failed',
      reason: 'unit_failed',
      detail: 'the camera is offline',
    });
  });

  it('is asked for again while somebody waits and the unit has gone quiet', async () => {
    const { uri } = await running();
    const [begun] = await commands();
    server.clock.advance(13_000);
    await playlistAt(uri);
    await watch();
    expect(await stateNow()).toMatchObject({ state: 'stalled' });
    const [again] = await commands();
    expect(again).toMatchObject({ kind: 'start_live', live: begun?.live });
    expect(again?.id).not.toBe(begun?.id);
  });

  it('is only for service cameras of buses with a registrar', async () => {
    expect((await start('first', bus.cameras.door1)).status).toBe(409);
    const { db } = server.deps.database;
    await db
      .updateTable('workplaces')
      .set({ type: 'COUNTER' })
      .where('id', '=', bus.busId)
      .execute();
    expect((await start()).status).toBe(409);
  });
});

describe('the place of a live stream', () => {
  it('is for its own unit alone, for names of one form, and for so many bytes', async () => {
    const { path } = await running();
    expect((await put(`${path}/8.m4s`, 'x', fleet.secondBus.credential)).status).toBe(404);
    expect((await put(`${path}/8.m4s`, 'x', 'forged')).status).toBe(401);
    expect((await put(`${path}/..%2f8.m4s`, 'x')).status).toBe(400);
    expect((await put(`${path}/8.exe`, 'x')).status).toBe(400);
    expect((await put(`/unit/v1/live/${crypto.randomUUID()}/8.m4s`, 'x')).status).toBe(404);
    const large = await put(`${path}/8.m4s`, Buffer.alloc(4 * 1024 * 1024 + 1)).catch(
      () => undefined,
    );
    expect(large?.status ?? 413).toBe(413);
    expect((await put(`${path}/live.m3u8`, 'no playlist')).status).toBe(400);
  });

  it('ends the connection with what it refuses unread, and keeps it otherwise', async () => {
    const { path } = await running();
    const headers = { authorization: `Bearer ${bus.credential}`, 'content-length': 5_000_000 };
    const answerTo = (address: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const put = request(base + address, { method: 'PUT', headers }, resolve);
        put.on('error', reject);
        // The rest is never sent.
        put.write(Buffer.alloc(1000));
      });
    const refused = await answerTo(`/unit/v1/live/${crypto.randomUUID()}/8.m4s`);
    expect([refused.statusCode, refused.headers.connection]).toEqual([404, 'close']);
    refused.destroy();
    const taken = await put(`${path}/9.m4s`, 'x'.repeat(100_000));
    expect(taken.status).toBe(204);
    expect(taken.headers.get('connection')).not.toBe('close');
  });

  it('does not go back when an older playlist comes late', async () => {
    const { uri, path } = await running();
    await put(`${path}/live.m3u8`, PLAYLIST.replace('7\n', '9\n'));
    await put(`${path}/live.m3u8`, PLAYLIST);
    expect((await playlistAt(uri)).body).toContain('MEDIA-SEQUENCE:9');
    server.clock.advance(6000);
    await put(`${path}/live.m3u8`, PLAYLIST.replace('7\n', '1\n'));
    expect((await playlistAt(uri)).body).toContain('MEDIA-SEQUENCE:1\n');
  });

  it('holds the last dozen segments and no more', async () => {
    const { path } = await running();
    for (let n = 8; n < 30; n += 1) {
      server.clock.advance(1);
      await put(`${path}/${n}.m4s`, `segment ${n}`);
    }
    const names = await namesOfSegments();
    expect(names).toHaveLength(13);
    expect(names).toContain('29.m4s');
    expect(names).not.toContain('17.m4s');
  });

  it('keeps no segment that arrives while the stream ends', async () => {
    await start();
    const path = (await commands())[0]?.live?.path ?? '';
    await put(`${path}/0.m4s`, 'segment 0');
    const { db } = server.deps.database;
    let later: Promise<Response> | undefined;
    await db.transaction().execute(async (tx) => {
      const { id } = await tx
        .updateTable('live_streams')
        .set({ ended_at: new Date(server.clock.nowMs()) })
        .where('camera_id', '=', bus.cameras.cabin)
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.deleteFrom('live_pieces').where('stream_id', '=', id).execute();
      let isAnswered = false;
      later = put(`${path}/1.m4s`, 'segment 1').finally(() => {
        isAnswered = true;
      });
      await vi.waitUntil(async () => isAnswered || (await listBlocked(db)).length > 0);
    });
    await later;
    expect(await namesOfSegments()).toEqual([]);
  });

  it('takes what the HLS muxer of ffmpeg puts', async () => {
    const { body } = await start();
    const path = (await commands())[0]?.live?.path ?? '';
    const place = base + path;
    await promisify(execFile)(ffmpeg.ffmpegPath, [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10:duration=9'],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '20', '-f', 'hls', '-hls_time', '2'],
      ...['-hls_list_size', '3', '-hls_segment_type', 'fmp4', '-hls_flags', 'delete_segments'],
      ...['-hls_fmp4_init_filename', 'init.mp4', '-method', 'PUT'],
      ...['-headers', `Authorization: Bearer ${bus.credential}\r\n`],
      ...['-hls_segment_filename', `${place}/%d.m4s`, `${place}/live.m3u8`],
    ]);
    // The muxer does not wait for the answers to its uploads.
    const playlist = await vi.waitFor(async () => {
      const told = (await playlistAt(body.uri)).body;
      expect(told.match(/m4s/g)).toHaveLength(3);
      return told;
    });
    expect(await stateNow()).toMatchObject({ state: 'running' });
    const head = /"([^"]+init\.mp4[^"]+)"/.exec(playlist)?.[1];
    const bytes = (await playlistAt(`/api/video_feed2/live/${head}`)).rawPayload;
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
  });
});

describe('a signed address of a live stream', () => {
  it('opens nothing when it is forged, of another camera, of a fragment, or run out', async () => {
    const { uri } = await running();
    const hash = uri.split('hash=')[1] ?? '';
    const at = (camera: number, signature: string) =>
      playlistAt(`/api/video_feed2/live/${camera}?hash=${signature}`);
    const turned = (hash.startsWith('A') ? 'B' : 'A') + hash.slice(1);
    expect((await at(bus.cameras.cabin, turned)).statusCode).toBe(403);
    expect((await at(bus.cameras.door1, hash)).statusCode).toBe(403);
    expect((await at(fleet.secondBus.cameras.cabin, hash)).statusCode).toBe(403);
    expect((await playlistAt(`/api/video_feed2/live/${bus.cameras.cabin}`)).statusCode).toBe(403);
    server.clock.advance(13 * 3_600_000);
    expect((await at(bus.cameras.cabin, hash)).statusCode).toBe(403);
    server.clock.advance(-13 * 3_600_000);
  });

  it('ends with the session, or with the bus that is lost', async () => {
    const { uri } = await running();
    const { db } = server.deps.database;
    await db.deleteFrom('workplace_clients').where('workplace_id', '=', bus.busId).execute();
    server.clock.advance(5000);
    expect((await playlistAt(uri)).statusCode).toBe(404);
    await db
      .insertInto('workplace_clients')
      .values({ workplace_id: bus.busId, client_id: fleet.first })
      .execute();
    server.clock.advance(5000);
    expect((await playlistAt(uri)).statusCode).toBe(200);
    await server.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { authorization: `Bearer ${tokens.first}` },
    });
    server.clock.advance(5000);
    expect((await playlistAt(uri)).statusCode).toBe(403);
  });
});

const countWaiting = async (): Promise<number> =>
  (await listBlocked(server.deps.database.db)).length;

async function namesOfSegments(): Promise<string[]> {
  const segments = await server.deps.database.db
    .selectFrom('live_pieces')
    .innerJoin('live_streams', 'live_streams.id', 'stream_id')
    .select('name')
    .where('camera_id', '=', bus.cameras.cabin)
    .execute();
  return segments.map(({ name }) => name);
}
