import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mediaAt } from '@ridewatch/contract/time-map';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg } from '../test/clip.ts';
import { makeOddVideo, type OddVideo } from '../test/odd-video.ts';
import { isPlayable, makePlayable } from './make-playable.ts';
import { readLayout } from './mp4/mp4-boxes.ts';
import { readVideo } from './read-video.ts';
import { durationOf, mapTime } from './timeline.ts';
import type { VideoFacts } from './video-facts.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-odd-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(file: string): Promise<VideoFacts> {
  const facts = await readVideo(ffmpeg, file);
  if (facts === undefined) throw new Error(`${file} was not read`);
  return facts;
}

/** Makes the playable file of an odd one. */
async function play(name: OddVideo, wallMs: number) {
  const file = makeOddVideo(folder, name);
  const source = await read(file);
  if (isPlayable(source, await readLayout(file)))
    return { source, playable: source, isMade: false };
  const target = `${file}.mp4`;
  expect(await makePlayable(ffmpeg, source, file, target, wallMs)).toBe(true);
  const playable = await read(target);
  expect(isPlayable(playable, await readLayout(target))).toBe(true);
  return { source, playable, isMade: true };
}

describe('a received file', () => {
  it('is known by what lies in it', async () => {
    const facts = await read(makeOddVideo(folder, 'sound.mp4'));
    expect(facts).toMatchObject({
      container: 'mp4',
      codec: 'h264',
      width: 160,
      height: 120,
      audioCodec: 'aac',
      timeBase: '1/10240',
      durationMs: 6000,
    });
    expect(facts.frameRate).toBeCloseTo(10);
    expect(facts.packets.count).toBe(60);
  });

  it.each([
    ['a playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nplain.mp4\n#EXT-X-ENDLIST\n'],
    ['a list of files', "ffconcat version 1.0\nfile 'plain.mp4'\n"],
    ['text', 'this is not a video'],
    ['nothing', ''],
  ])('that is %s is no video, and opens no other file', async (_name, text) => {
    makeOddVideo(folder, 'plain.mp4');
    const file = path.join(folder, 'hostile.mp4');
    await writeFile(file, text);
    expect(await readVideo(ffmpeg, file)).toBeUndefined();
    expect(await readVideo(ffmpeg, path.join(folder, 'missing.mp4'))).toBeUndefined();
  });
});

describe('what plays as it is', () => {
  it.each(['plain.mp4', 'sound.mp4', 'variable-10s.mp4'] as const)('%s', async (name) => {
    const { isMade } = await play(name, 6000);
    expect(isMade).toBe(false);
  });
});

describe('what is made playable once', () => {
  it.each([
    ['index-at-end.mp4', 'mp4', undefined],
    ['fragments.mp4', 'mp4', undefined],
    ['quicktime-pcm.mov', 'mov', 'aac'],
    ['pcm.avi', 'avi', 'aac'],
    ['reordered.avi', 'avi', undefined],
    ['mjpeg.avi', 'avi', undefined],
    ['alaw.mkv', 'matroska', 'aac'],
    ['opus.webm', 'webm', 'aac'],
    ['hevc.mp4', 'mp4', undefined],
    ['colour-422.mp4', 'mp4', undefined],
    ['odd-size.mp4', 'mp4', undefined],
    ['raw.h264', 'h264', undefined],
    ['raw-reordered.h264', 'h264', undefined],
    ['offset.ts', 'mpegts', 'aac'],
  ] as const)('%s', async (name, container, sound) => {
    const { source, playable, isMade } = await play(name, 6000);
    expect([isMade, source.container, playable.audioCodec]).toEqual([true, container, sound]);
    expect(playable.packets.count).toBe(60);
    expect(Math.abs(playable.durationMs - 6000)).toBeLessThanOrEqual(50);
    expect(mapTime(source, playable, 6000)).toBeNull();
  });

  it('a file that breaks off, as long as it goes', async () => {
    const file = path.join(folder, 'broken-off.mp4');
    const whole = await readFile(makeOddVideo(folder, 'plain.mp4'));
    await writeFile(file, whole.subarray(0, whole.length * 0.7));
    const source = await read(file);
    expect(source.durationMs).toBeLessThan(5500);
    const layout = await readLayout(file);
    expect([isPlayable(source, layout), layout.isBrokenOff]).toEqual([false, true]);
    await makePlayable(ffmpeg, source, file, `${file}.mp4`, 6000);
    const playable = await read(`${file}.mp4`);
    expect(isPlayable(playable, await readLayout(`${file}.mp4`))).toBe(true);
    expect(playable.durationMs).toBeGreaterThan(2000);
    expect(Math.abs(playable.durationMs - source.durationMs)).toBeLessThan(200);
  });

  it.each([
    'plain.mp4',
    'sound.mp4',
    'fragments.mp4',
    'offset.ts',
    'uneven.ts',
    'raw.h264',
  ] as const)('%s up to the last frame that is whole, wherever it was cut', async (name) => {
    const whole = await readFile(makeOddVideo(folder, name));
    for (const share of [0.35, 0.61, 0.73]) {
      const file = path.join(folder, `cut-${share}-${name}`);
      await writeFile(file, whole.subarray(0, whole.length * share));
      const source = await read(file);
      const target = `${file}.mp4`;
      expect(await makePlayable(ffmpeg, source, file, target, 6000)).toBe(true);
      const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode'];
      execFileSync(ffmpeg.ffmpegPath, [...strict, '-i', target, '-f', 'null', '-']);
      const { packets } = await read(target);
      expect(source.packets.count - packets.count).toBeOneOf([0, 1]);
    }
  });

  it('a copy of the frames where they can be copied', async () => {
    const { source, playable } = await play('offset.ts', 6000);
    expect([source.packets.longestGroup, playable.packets.longestGroup]).toEqual([20, 20]);
  });

  it('a raw stream at the pace of the street, not at the one that it names', async () => {
    const { source, playable } = await play('raw.h264', 4000);
    expect(playable.durationMs).toBeCloseTo(4000, -2);
    expect(mapTime(source, playable, 4000)).toBeNull();
  });
});

describe('times that no player can follow', () => {
  it('a clock that was set back goes on', async () => {
    const { source, playable } = await play('clock-set-back.ts', 6000);
    expect(playable.packets.count).toBe(60);
    expect(durationOf(playable.packets)).toBeCloseTo(6000, -2);
    expect(mapTime(source, playable, 6000)).toBeNull();
  });

  it('a pause of the registrar is not waited for, and is in the map', async () => {
    const { source, playable } = await play('pause-of-40s.ts', 43_000);
    expect(durationOf(playable.packets)).toBeLessThan(7000);
    const map = mapTime(source, playable, 43_000);
    expect(mediaAt(map, 1000)).toBeCloseTo(1000, -2);
    expect(mediaAt(map, 20_000)).toBeCloseTo(3000, -2.5);
    expect(mediaAt(map, 42_000)).toBeCloseTo(5000, -2.5);
  });

  it('98 s of wall time in 6 s of video are spread evenly', async () => {
    const { source, playable } = await play('plain.mp4', 98_000);
    const map = mapTime(source, playable, 98_000);
    expect(mediaAt(map, 49_000)).toBe(3000);
  });

  it.each([
    'uneven-hevc.ts',
    'uneven-mjpeg.mkv',
    'uneven-422.mp4',
    'uneven.mkv',
    'uneven.ts',
  ] as const)('%s keeps the time of each frame', async (name) => {
    const { source, playable, isMade } = await play(name, 6400);
    expect(isMade).toBe(true);
    const [sent, shown] = [source, playable].map(({ packets }) => {
      const times = packets.ptsMs.toSorted((a, b) => a - b);
      return times.map((ms) => ms - (times[0] ?? 0));
    });
    expect(shown).toHaveLength(60);
    for (const [number, ms] of (sent ?? []).entries()) {
      expect(Math.abs((shown?.[number] ?? 0) - ms), `frame ${number}`).toBeLessThan(1);
    }
    expect(mapTime(source, playable, 6400)).toBeNull();
  });

  it('a rate that changes is kept: it is the time of the street', async () => {
    const { source, playable } = await play('variable-10s.mp4', 10_000);
    expect(mapTime(source, playable, 10_000)).toBeNull();
  });
});
