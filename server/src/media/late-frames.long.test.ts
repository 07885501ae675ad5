import { execFileSync } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mediaAt } from '@ridewatch/contract/time-map';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteRange } from '../storage/storage.ts';
import { ffmpeg } from '../test/clip.ts';
import { makeOddVideo, type OddVideo } from '../test/odd-video.ts';
import { isPlayable, makePlayable } from './make-playable.ts';
import { hlsSegmentsOf, initSegmentOf, readHlsSegment } from './mp4/hls-segments.ts';
import { readLayout } from './mp4/mp4-boxes.ts';
import { readIndex } from './mp4/mp4-index.ts';
import { makePreview, spriteOf } from './preview.ts';
import { readVideo } from './read-video.ts';
import { firstShownMs, mapTime } from './timeline.ts';
import type { VideoFacts } from './video-facts.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-late-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(file: string): Promise<VideoFacts> {
  const facts = await readVideo(ffmpeg, file);
  if (facts === undefined) throw new Error(`${file} was not read`);
  return facts;
}

/** Makes the playable file of a fragment that lasts `wallMs`, with its time map. */
async function play(name: OddVideo, wallMs: number) {
  const file = makeOddVideo(folder, name);
  const source = await read(file);
  expect(isPlayable(source, await readLayout(file))).toBe(false);
  const target = path.join(folder, `${name}-${wallMs}.mp4`);
  expect(await makePlayable(ffmpeg, source, file, target, wallMs)).toBe(true);
  const playable = await read(target);
  expect(isPlayable(playable, await readLayout(target))).toBe(true);
  return { target, playable, map: mapTime(source, playable, wallMs) };
}

const timesOf = async (file: string): Promise<string[]> =>
  (await read(file)).packets.ptsMs.map((ms) => (ms / 1000).toFixed(2));

/** Position of the bar at a media time, in seconds of its movement. */
function barAt(file: string, mediaMs: number): number {
  const options = ['-frames:v', '1', '-vf', 'crop=320:1:0:8,format=gray', '-f', 'rawvideo', '-'];
  const row = execFileSync(ffmpeg.ffmpegPath, [
    ...['-v', 'error', '-ss', String(mediaMs / 1000), '-i', file, ...options],
  ]);
  return row.indexOf(Math.max(...row)) / 10;
}

describe('a period whose frames begin later than the period', () => {
  it.each([
    ['mid-group.ts', 18_800, 11.2, 15],
    ['mid-group-sound.ts', 18_800, 11.2, 15],
    ['mid-group-hevc.ts', 18_800, 11.2, 15],
    ['mid-group.h264', 18_800, 11.2, 15],
    ['late-frames.mp4', 30_000, 0, 5],
    ['late-frames.mkv', 30_000, 0, 5],
    ['late-start.mp4', 30_000, 0, 8],
  ] as const)(
    '%s keeps wall time, and shows its first frame until then',
    async (name, wallMs, fromS, firstS) => {
      const { target, playable, map } = await play(name, wallMs);
      expect(map).toBeNull();
      expect(Math.abs(playable.durationMs - wallMs)).toBeLessThan(300);
      expect(firstShownMs(playable.packets)).toBeLessThan(100);
      for (let offsetMs = 0; offsetMs < wallMs - 200; offsetMs += 2300) {
        const wallS = Math.max(fromS + offsetMs / 1000, firstS);
        expect(Math.abs(barAt(target, mediaAt(map, offsetMs)) - wallS)).toBeLessThan(0.35);
      }
    },
  );

  it.each(['torn.ts', 'torn-silent.ts'] as const)(
    '%s keeps the time of each frame',
    async (name) => {
      const { durationMs, leadMs } = await read(makeOddVideo(folder, name));
      expect(leadMs).toBeGreaterThan(600);
      const { target, playable, map } = await play(name, durationMs);
      expect([map, firstShownMs(playable.packets) < 100]).toEqual([null, true]);
      for (let offsetMs = 0; offsetMs < durationMs; offsetMs += 2300) {
        const wallS = (30_000 - durationMs + Math.max(offsetMs, leadMs)) / 1000;
        expect(Math.abs(barAt(target, offsetMs) - wallS)).toBeLessThan(0.5);
      }
    },
  );

  it('plays as HLS at the same times', async () => {
    const { target } = await play('mid-group-sound.ts', 18_800);
    const storage = {
      get: async (_key: string, range?: ByteRange) =>
        createReadStream(target, { start: range?.from, end: range?.to }),
    };
    const index = await readIndex(storage, 'video', statSync(target).size);
    const segments = hlsSegmentsOf(index);
    expect(segments.map(({ startS }) => Math.round(startS))).toEqual([0, 9, 14]);
    const bytes = await Promise.all(
      segments.map(async (_segment, number) => readHlsSegment(storage, 'video', index, number)),
    );
    const joined = path.join(folder, 'joined.mp4');
    const buffers = bytes.map((one) => one ?? Buffer.alloc(0));
    await writeFile(joined, Buffer.concat([initSegmentOf(index), ...buffers]));
    expect(await timesOf(joined)).toEqual(await timesOf(target));
  });

  it('has thumbnails of all of it', async () => {
    const { target, playable } = await play('mid-group-sound.ts', 18_800);
    const sprite = spriteOf(playable);
    expect(sprite).toMatchObject({ step_ms: 2000, count: 10 });
    const sheet = `${target}.jpg`;
    expect(await makePreview(ffmpeg, playable, sprite, target, sheet)).toBe(true);
    const row = execFileSync(ffmpeg.ffmpegPath, [
      ...['-v', 'error', '-i', sheet, '-vf', `format=gray,crop=${10 * sprite.tile_width}:1:0:8`],
      ...['-f', 'rawvideo', '-'],
    ]);
    for (let tile = 0; tile < sprite.count - 1; tile += 1) {
      const small = row.subarray(tile * sprite.tile_width, (tile + 1) * sprite.tile_width);
      const seenS = small.indexOf(Math.max(...small)) / 5 - 11.2;
      // A thumbnail shows a frame of the two seconds from its time on.
      expect(seenS).toBeGreaterThan(Math.max(3.8, tile * 2) - 0.3);
      expect(seenS).toBeLessThan(Math.max(3.8, tile * 2 + 1) + 0.3);
    }
  });
});

describe('a period that begins with its frames', () => {
  it('leaves out the audio before it', async () => {
    const { target, playable, map } = await play('late-frames.mp4', 25_000);
    expect(map).toBeNull();
    expect(Math.abs(playable.durationMs - 25_000)).toBeLessThan(300);
    expect(barAt(target, 10_000)).toBeCloseTo(15, 0);
  });
});

it('a video shorter than its period is spread over it from the first frame on', async () => {
  const { playable, map } = await play('mid-group-sound.ts', 40_000);
  expect(map).toEqual([
    { offset_ms: 0, media_ms: 0 },
    { offset_ms: 40_000, media_ms: playable.durationMs },
  ]);
});
