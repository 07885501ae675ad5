import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fragment } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { ffmpeg } from '../test/clip.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { makeOddVideo } from '../test/odd-video.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce, sha256Of } from '../test/video.ts';
import { addVideo } from './api.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T08:00:00Z`);
let server: TestServer;
let fleet: TestFleet;
let folder: string;
let file: string;
let fragmentId: number;
let address: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addVideo]);
  server.clock.set(START_MS + 3_600_000);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-stream-'));
  file = makeOddVideo(folder, 'sound-21s.mp4');
  ({ fragmentId } = await announce(server, fleet.firstBus, START_MS, 'queued', {
    lengthMs: 42_000,
  }));
  await server.deps.storage.put('video/stream', createReadStream(file));
  await db
    .insertInto('segment_files')
    .values({
      segment_id: fragmentId,
      variant: 'playable',
      created_at: new Date(),
      storage_key: 'video/stream',
      size_bytes: statSync(file).size,
      sha256: Buffer.from(sha256Of(readFileSync(file)), 'hex'),
      time_map: JSON.stringify([
        { offset_ms: 0, media_ms: 0 },
        { offset_ms: 42_000, media_ms: 21_000 },
      ]),
    })
    .execute();
  address = (await fragmentIn('LOADED')).playback_uri ?? '';
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function fragmentIn(status: Fragment['status']): Promise<Fragment> {
  await server.deps.database.db
    .updateTable('segments')
    .set({ status })
    .where('id', '=', fragmentId)
    .execute();
  const answer = await server.app.inject({
    url: `/api/period_list/${fleet.firstBus.cameras.door1}?startdate=${DAY}&enddate=${DAY}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  const found = answer.json<{ items: Fragment[] }>().items[0];
  if (found === undefined) throw new Error(answer.body);
  return found;
}

const get = (url: string) => server.app.inject({ url });

/** The packets of a file, each with its time, s, and its bytes. */
function packetsOf(of: string, stream: 'v' | 'a'): string[] {
  const args = ['-v', 'error', '-select_streams', `${stream}:0`, '-show_data_hash', 'md5'];
  const entries = ['-show_entries', 'packet=pts_time,data_hash', '-of', 'compact=p=0', of];
  return execFileSync(ffmpeg.ffprobePath, [...args, ...entries])
    .toString()
    .split('\n')
    .map((line) => /^pts_time=([\d.-]+)\|data_hash=MD5:(\w+)/.exec(line))
    .flatMap((match) => (match ? [`${Number(match[1]).toFixed(2)} ${match[2]}`] : []));
}

describe('a fragment that is not finished', () => {
  it.each(['LOADED', 'PROCESSING'] as const)('%s plays as HLS', async (status) => {
    expect((await fragmentIn(status)).playback_uri).toMatch(/^\/api\/video_feed2\/\d+\?hash=/);
  });

  it.each(['PROCESSED', 'WAS_MERGED', 'DOWNLOADING_FROM_TASK'] as const)(
    '%s plays as one file',
    async (status) => {
      expect((await fragmentIn(status)).playback_uri).toMatch(/^\/api\/video_feed\/\d+\?/);
    },
  );
});

describe('the HLS stream of a fragment', () => {
  const listSegments = async () => {
    const { body, headers, statusCode } = await get(address);
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/vnd.apple.mpegurl']);
    const lines = body.split('\n');
    const names = [
      /URI="([^"]+)"/.exec(body)?.[1] ?? '',
      ...lines.filter((line) => line !== '' && !line.startsWith('#')),
    ];
    return { body, urls: names.map((name) => new URL(name, `http://x${address}`)) };
  };

  it('lists segments of at least four seconds, except the last, each with the wall time of its start', async () => {
    const { body, urls } = await listSegments();
    expect(urls).toHaveLength(7);
    const lengths = [...body.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Number(seconds));
    expect(lengths).toEqual([4, 4, 4, 4, 4, 1]);
    expect(body).toContain('#EXT-X-TARGETDURATION:4\n');
    const times = [...body.matchAll(/#EXT-X-PROGRAM-DATE-TIME:(.+)/g)].map(([, time]) => time);
    expect(times.slice(0, 2)).toEqual([`${DAY}T08:00:00.000Z`, `${DAY}T08:00:08.000Z`]);
  });

  it('has the video and audio packets of the file, each at its time', async () => {
    const { urls } = await listSegments();
    const segments: Buffer[] = [];
    for (const url of urls) {
      const answer = await get(url.pathname + url.search);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'video/mp4']);
      segments.push(answer.rawPayload);
    }
    const joined = path.join(folder, 'joined.mp4');
    writeFileSync(joined, Buffer.concat(segments));
    const packets = packetsOf(file, 'v');
    expect(packets).toHaveLength(210);
    expect(packetsOf(joined, 'v')).toEqual(packets);
    // Priming samples before the first sound have negative times.
    const sound = packetsOf(joined, 'a').filter((packet) => !packet.startsWith('-'));
    expect(sound).toEqual(packetsOf(file, 'a'));
  });

  it('begins each segment with a keyframe', async () => {
    const { urls } = await listSegments();
    const [head, , third] = await Promise.all(
      urls.map(async ({ pathname, search }) => (await get(pathname + search)).rawPayload),
    );
    const alone = path.join(folder, 'alone.mp4');
    writeFileSync(alone, Buffer.concat([head ?? Buffer.alloc(0), third ?? Buffer.alloc(0)]));
    const flags = execFileSync(ffmpeg.ffprobePath, [
      ...['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=flags'],
      ...['-of', 'csv=p=0', alone],
    ]).toString();
    expect(flags.split('\n')).toHaveLength(41);
    expect(flags).toMatch(/^K/);
  });

  it('opens nothing without its signature, for another fragment, nor with that of the file', async () => {
    const hash = new URLSearchParams(address.split('?')[1]).get('hash') ?? '';
    const mp4 = (await fragmentIn('PROCESSED')).playback_uri ?? '';
    const other = new URLSearchParams(mp4.split('?')[1]).get('hash') ?? '';
    for (const url of [
      `/api/video_feed2/${fragmentId}`,
      `/api/video_feed2/${fragmentId}/0.m4s`,
      `/api/video_feed2/${fragmentId + 1}?hash=${hash}`,
      `/api/video_feed2/${fragmentId + 1}/0.m4s?hash=${hash}`,
      `/api/video_feed2/${fragmentId}/init.mp4?hash=${other}`,
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 403]);
    }
    expect((await get(`/api/video_feed2/${fragmentId}/99.m4s?hash=${hash}`)).statusCode).toBe(404);
    expect((await get(`/api/video_feed2/${fragmentId}/..%2f0.m4s?hash=${hash}`)).statusCode).toBe(
      400,
    );
  });
});

describe('who watched what', () => {
  const audited = async (action: string): Promise<unknown[]> => {
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .innerJoin('users', 'users.id', 'audit_log.user_id')
      .select(['login', 'object_id', 'after'])
      .where('action', '=', action)
      .where('object_type', '=', 'segment')
      .orderBy('audit_log.id')
      .execute();
    return rows.map(({ login, object_id, after }) => [login, object_id, after]);
  };
  const forget = () => server.deps.database.db.deleteFrom('audit_log').execute();

  it('is in the audit log: one row for each opening, however many ranges and segments are requested', async () => {
    await forget();
    const stream = (await fragmentIn('LOADED')).playback_uri ?? '';
    const { playback_uri } = await fragmentIn('PROCESSED');
    for (let range = 0; range < 5; range += 1) {
      const headers = { range: `bytes=${range * 100}-${range * 100 + 99}` };
      await server.app.inject({ url: playback_uri ?? '', headers });
      await get(stream);
    }
    expect(await audited('open_video')).toEqual([
      ['first', String(fragmentId), { variant: 'playable' }],
      ['first', String(fragmentId), { variant: 'stream' }],
    ]);
    server.clock.advance(11 * 60_000);
    await get(playback_uri ?? '');
    expect(await audited('open_video')).toHaveLength(3);
  });

  it('downloads too, and nothing for who got nothing', async () => {
    await forget();
    const { download_playable } = await fragmentIn('PROCESSED');
    await get(download_playable ?? '');
    const token = await server.signIn('second');
    const foreign = await server.app.inject({
      url: `/api/download/${fragmentId}?processed=1`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(foreign.statusCode).toBe(404);
    expect(await audited('download_video')).toEqual([
      ['first', String(fragmentId), { variant: 'playable' }],
    ]);
  });
});
