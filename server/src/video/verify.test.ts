import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fragment } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { countFragmentJob } from '../counts/count-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { makeOddVideo, type OddVideo } from '../test/odd-video.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { type Announced, announce, sha256Of, upload, verify } from '../test/video.ts';
import { addVideo } from './api.ts';
import { addUploads } from './uploads/uploads.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);
/** Files of real cameras, not part of the project; without the folder their tests are skipped. */
const SAMPLES = path.resolve(import.meta.dirname, '../../../../shared/data/video');
let server: TestServer;
let bus: TestBus;
let folder: string;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addUploads, addVideo]);
  server.clock.set(START_MS + 12 * 3_600_000);
  bus = (await insertTestFleet(server.deps.database.db)).firstBus;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-verify-test-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function shown({ fragmentId }: Announced, cameraId: number): Promise<Fragment> {
  const answer = await server.app.inject({
    url: `/api/period_list/${cameraId}?startdate=${DAY}&enddate=${DAY}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  const found = answer.json<{ items: Fragment[] }>().items.find(({ id }) => id === fragmentId);
  if (found === undefined) throw new Error(answer.body);
  return found;
}

/** Uploads, verifies and, for a counting camera, counts a file. @returns its fragment */
async function receive(file: string, lengthMs: number, camera = 'door1'): Promise<Fragment> {
  minutes += 5;
  const options = { lengthMs, camera };
  const announced = await announce(server, bus, START_MS + minutes * 60_000, 'queued', options);
  const bytes = readFileSync(file);
  await verify(server, await upload(server, bus, announced, bytes, sha256Of(bytes)));
  const job = countFragmentJob(server.deps);
  if (camera !== 'cabin') {
    const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
    await job.run({ segmentId: announced.fragmentId }, context);
  }
  return shown(announced, camera === 'cabin' ? bus.cameras.cabin : bus.cameras.door1);
}

const get = (uri: string | null, headers: Record<string, string> = {}) =>
  server.app.inject({ url: uri ?? '/none', headers });

/** Width and height of a JPEG: the first frame header (ITU T.81, B.2.2). */
function sizeOfJpeg(bytes: Buffer): [number, number] {
  const at = bytes.findIndex(
    (byte, index) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(bytes[index + 1] ?? 0),
  );
  return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
}

describe('the file that the unit sent', () => {
  it.each([
    ['sound.mp4', 'video/mp4', 'mp4'],
    ['quicktime-pcm.mov', 'video/quicktime', 'mov'],
    ['pcm.avi', 'video/x-msvideo', 'avi'],
    ['offset.ts', 'video/mp2t', 'ts'],
    ['raw.h264', 'video/h264', 'h264'],
    ['alaw.mkv', 'video/matroska', 'mkv'],
    ['opus.webm', 'video/webm', 'webm'],
  ] as const)('%s is returned as what it is', async (name: OddVideo, type, extension) => {
    const file = makeOddVideo(folder, name);
    const { download, download_playable, playback_uri } = await receive(file, 6000);
    const sent = await get(download);
    expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, type]);
    expect(sent.headers['content-disposition']).toMatch(new RegExp(`_UTC%2B3\\.${extension}$`));
    expect(sha256Of(sent.rawPayload)).toBe(sha256Of(readFileSync(file)));
    const saved = await get(download_playable);
    expect(saved.headers['content-type']).toBe('video/mp4');
    expect(saved.headers['content-disposition']).toMatch(/_UTC%2B3\.mp4$/);
    expect((await get(playback_uri)).rawPayload.equals(saved.rawPayload)).toBe(true);
  });

  it('of a service camera is not given away, nor one that is not finished', async () => {
    const file = makeOddVideo(folder, 'plain.mp4');
    const { id, download, download_playable } = await receive(file, 6000, 'cabin');
    expect([download, download_playable !== null]).toEqual([null, true]);
    const token = await server.signIn('admin');
    const asked = await get(`/api/download/${id}?processed=0`, {
      authorization: `Bearer ${token}`,
    });
    expect(asked.statusCode).toBe(404);
    const playable = await get(`/api/download/${id}`, { authorization: `Bearer ${token}` });
    expect(playable.statusCode).toBe(200);
  });
});

describe('what is read from the file', () => {
  it('is given with the fragment', async () => {
    const { video } = await receive(makeOddVideo(folder, 'hevc.mp4'), 6000);
    expect(video).toMatchObject({ width: 160, height: 120, codec: 'hevc', time_map: null });
    expect(video?.duration_ms).toBeCloseTo(6000, -2);
  });

  it('tells where wall time and media time differ', async () => {
    const { video } = await receive(makeOddVideo(folder, 'pause-of-40s.ts'), 43_000, 'cabin');
    expect(video?.time_map?.at(-1)?.offset_ms).toBeCloseTo(43_000, -2);
    expect(video?.duration_ms).toBeLessThan(7000);
  });

  it('begins with the period, not with the first frame that can be shown', async () => {
    const file = makeOddVideo(folder, 'mid-group-sound.ts');
    const { video, status } = await receive(file, 18_800);
    expect([status, video?.time_map, video?.preview?.count]).toEqual(['PROCESSED', null, 10]);
    expect(video?.duration_ms).toBeCloseTo(18_800, -2);
  });

  it('leaves a file that breaks off at the pace of the street', async () => {
    const whole = readFileSync(makeOddVideo(folder, 'plain.mp4'));
    const file = path.join(folder, 'broken-off.mp4');
    writeFileSync(file, whole.subarray(0, whole.length * 0.5));
    const { video, status } = await receive(file, 6000);
    expect([status, video?.time_map]).toEqual(['PROCESSED', null]);
    expect(video?.duration_ms).toBeLessThan(4500);
  });

  it('is a sheet of thumbnails, one every two seconds, under an address of its own', async () => {
    const { id, video, playback_uri } = await receive(makeOddVideo(folder, 'plain.mp4'), 6000);
    const { uri, ...sprite } = video?.preview ?? { uri: '' };
    expect(sprite).toEqual({
      step_ms: 2000,
      count: 3,
      columns: 3,
      tile_width: 160,
      tile_height: 120,
    });
    const sheet = await get(uri);
    expect(sheet.headers['content-type']).toBe('image/jpeg');
    expect(sizeOfJpeg(sheet.rawPayload)).toEqual([480, 120]);
    const hash = new URLSearchParams(playback_uri?.split('?')[1]).get('hash');
    expect((await get(`/api/segments/preview/${id}?hash=${hash}`)).statusCode).toBe(403);
  });
});

describe.skipIf(!existsSync(SAMPLES))('a file of a real camera', () => {
  it.each([
    ['overhead_pavement_pairs.mp4', 42_833],
    ['intel_one_by_one.mp4', 139_400],
    ['intel_car_12.5fps_aac.mp4', 30_160],
    ['dashcam_osd_clock_aac.mp4', 17_167],
  ])('%s plays at the pace of the street', async (name, lengthMs) => {
    const segment = await receive(path.join(SAMPLES, name), lengthMs);
    expect(segment).toMatchObject({ status: 'PROCESSED', fail_reason: null });
    expect(segment.video?.time_map).toBeNull();
    expect(Math.abs((segment.video?.duration_ms ?? 0) - lengthMs)).toBeLessThan(100);
    expect((await get(segment.playback_uri, { range: 'bytes=0-99' })).statusCode).toBe(206);
  });
});
if (!existsSync(SAMPLES)) {
  process.stderr.write(`Tests on real camera files are left out: no folder ${SAMPLES}\n`);
}
