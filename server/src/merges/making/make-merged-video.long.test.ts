import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderStorage } from '../../storage/folder.ts';
import type { Storage } from '../../storage/storage.ts';
import { ffmpeg } from '../../test/clip.ts';
import { unevenSteps } from '../../test/odd-video.ts';
import { type MergedVideo, makeMergedVideo } from './make-merged-video.ts';
import { localFile } from './merge-part.ts';

let folder: string;
let storage: Storage;
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-merge-'));
  storage = await openFolderStorage(path.join(folder, 'media'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Recipe {
  seconds?: number;
  size?: string;
  rate?: number;
  /** Hz; undefined for no sound. */
  tone?: number;
  toneSeconds?: number;
  more?: readonly string[];
}

/** Makes a playable file as verification does. */
function makePart(recipe: Recipe): string {
  const { seconds = 4, size = '160x120', rate = 10, tone, more = [] } = recipe;
  const file = path.join(folder, `made-${count++}.mp4`);
  const scene = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`];
  const sound = `sine=frequency=${tone}:sample_rate=44100:duration=${recipe.toneSeconds ?? seconds}`;
  const heard = tone ? ['-f', 'lavfi', '-i', sound, '-c:a', 'aac', '-ac', '1'] : [];
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '20', ...more];
  const args = ['-v', 'error', ...scene, ...heard, ...coding, '-movflags', '+faststart', file];
  execFileSync(ffmpeg.ffmpegPath, args);
  return file;
}

async function join(
  parts: readonly string[],
  onProgress: (share: number) => void = () => undefined,
  signal = new AbortController().signal,
): Promise<MergedVideo & { file: string; work: string }> {
  const number = count++;
  const work = path.join(folder, `work-${number}`);
  mkdirSync(work);
  const key = `merged-${number}`;
  const files = await Promise.all(parts.map(localFile));
  const merged = await makeMergedVideo(
    { storage, ffmpeg, key, folder: work, signal, onProgress },
    files,
  );
  return { ...merged, work, file: path.join(folder, 'media', key) };
}

/** MD5 of every frame, in order. */
function framesOf(file: string): string[] {
  const args = ['-v', 'error', '-i', file, '-map', '0:v', '-vsync', 'passthrough'];
  const output = execFileSync(ffmpeg.ffmpegPath, [...args, '-f', 'framemd5', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = output.toString().split('\n');
  return lines
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

function probe(file: string, entries: string): string[] {
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', file];
  return execFileSync(ffmpeg.ffprobePath, args).toString().trim().split('\n');
}

const lengthOf = (file: string, stream: 'v' | 'a'): number => {
  const args = [
    '-v',
    'error',
    '-select_streams',
    stream,
    '-show_entries',
    'packet=pts_time,duration_time',
  ];
  const lines = execFileSync(ffmpeg.ffprobePath, [...args, '-of', 'csv=p=0', file])
    .toString()
    .trim()
    .split('\n');
  return Math.max(
    ...lines.map((line) => {
      const [at, length] = line.split(',').map(Number);
      return (at ?? 0) + (length || 0);
    }),
  );
};

/** Error messages of a decoder. */
const complaintsOf = (file: string): string => {
  const args = ['-v', 'warning', '-show_entries', 'frame=pts_time', file];
  return spawnSync(ffmpeg.ffprobePath, args, { maxBuffer: 64 * 1024 * 1024 }).stderr.toString();
};

/** Starts and ends of silences, s. */
function silencesOf(file: string): { starts: number[]; ends: number[] } {
  const args = ['-i', file, '-af', 'silencedetect=noise=-40dB:d=0.5', '-f', 'null', '-'];
  const log = spawnSync(ffmpeg.ffmpegPath, args).stderr.toString();
  const all = (name: string): number[] =>
    [...log.matchAll(new RegExp(`silence_${name}: ([\\d.]+)`, 'g'))].map((match) =>
      Number(match[1]),
    );
  return { starts: all('start'), ends: all('end') };
}

describe('a merged video of several fragments', () => {
  it('has exactly the frames of its parts, in order, and their length', async () => {
    const parts = [1, 2, 3].map((n) => makePart({ seconds: 3 + n, tone: 400 * n }));
    const merged = await join(parts);
    expect(framesOf(merged.file)).toEqual(parts.flatMap(framesOf));
    expect(merged.durationMs).toBe(15_000);
    expect(lengthOf(merged.file, 'v')).toBeCloseTo(15, 1);
    expect(lengthOf(merged.file, 'a')).toBeCloseTo(15, 1);
    expect(complaintsOf(merged.file)).toBe('');
  });

  it('is described by its length and SHA-256, and has its index in front', async () => {
    const merged = await join([makePart({}), makePart({})]);
    const bytes = readFileSync(merged.file);
    expect(merged.sizeBytes).toBe(bytes.length);
    expect(merged.sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it('keeps audio and video in sync over many parts whose audio ends early or late', async () => {
    const early = makePart({ seconds: 4, tone: 440, toneSeconds: 3 });
    const late = makePart({ seconds: 4, tone: 440, toneSeconds: 4.7 });
    const merged = await join(Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? early : late)));
    expect(merged.durationMs).toBe(48_000);
    expect(lengthOf(merged.file, 'a')).toBeCloseTo(48, 0);
    const { starts, ends } = silencesOf(merged.file);
    for (const [n, at] of [0, 12, 24, 36].entries()) {
      expect(Math.abs((starts[n] ?? 0) - (at + 3))).toBeLessThan(0.2);
      expect(Math.abs((ends[n] ?? 0) - (at + 4))).toBeLessThan(0.2);
    }
    // Also for a decoder that counts samples instead of reading times.
    const raw = execFileSync(
      ffmpeg.ffmpegPath,
      ['-v', 'error', '-i', merged.file, '-f', 's16le', '-'],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    expect(raw.length / 2 / 44_100).toBeCloseTo(48, 0);
  });

  it.each([
    ['copied', '160x120'],
    ['coded anew', '320x240'],
  ])('shows a freeze frame as long as its part does, %s', async (_way, size) => {
    const held = ['-vf', "setpts='if(eq(N,0),0,PTS+4/TB)'", '-vsync', 'vfr', '-bf', '0'];
    const parts = [
      makePart({ seconds: 4, tone: 440, toneSeconds: 8, more: held }),
      makePart({ seconds: 6, size }),
      makePart({ seconds: 6, size }),
    ];
    const merged = await join(parts);
    expect(Math.abs(merged.durationMs - 20_000)).toBeLessThan(100);
    const shownS = probe(merged.file, 'packet=stream_index,pts_time')
      .filter((line) => line.startsWith('0,'))
      .map((line) => Number(line.split(',')[1]))
      .sort((a, b) => a - b);
    const from = (second: number) => shownS.filter((at) => at > second - 0.05).length;
    // Ten frames a second from the fifth second on.
    expect([from(4.1), from(8)]).toEqual([159, 120]);
    expect(Math.abs((silencesOf(merged.file).starts[0] ?? 0) - 8)).toBeLessThan(0.2);
  });

  it('is silent where a part has no audio, and copies the frames of all', async () => {
    const parts = [makePart({}), makePart({ tone: 440 }), makePart({})];
    const merged = await join(parts);
    expect(framesOf(merged.file)).toEqual(parts.flatMap(framesOf));
    const { starts, ends } = silencesOf(merged.file);
    expect(ends[0]).toBeCloseTo(4, 1);
    expect(starts[1]).toBeCloseTo(8, 0);
  });

  it('copies frames that differ only in parameter sets, rate and ticks', async () => {
    const parts = [
      makePart({ more: ['-bf', '0'] }),
      makePart({ rate: 25, more: ['-bf', '3', '-refs', '4'] }),
      makePart({ rate: 12, more: ['-profile:v', 'baseline', '-video_track_timescale', '90000'] }),
    ];
    const merged = await join(parts);
    expect(framesOf(merged.file)).toEqual(parts.flatMap(framesOf));
    expect(merged.durationMs).toBe(12_000);
    expect(complaintsOf(merged.file)).toBe('');
  });

  it('codes anew only what has another size, into the largest size, though most of it is smaller', async () => {
    const most = [makePart({ seconds: 6, tone: 440 }), makePart({ seconds: 6, tone: 440 })];
    const largest = makePart({ seconds: 4, size: '320x180', rate: 15 });
    const shares: number[] = [];
    const parts = [most[0] ?? '', largest, most[1] ?? ''];
    const merged = await join(parts, (share) => shares.push(share));
    expect(probe(merged.file, 'stream=width,height').join()).toContain('320,180');
    const frames = framesOf(merged.file);
    expect(frames).toHaveLength(60 + 60 + 60);
    expect(frames.slice(60, 120)).toEqual(framesOf(largest));
    expect(merged.durationMs).toBe(16_000);
    expect(complaintsOf(merged.file)).toBe('');
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.95);
  });

  it('keeps the time of each frame that it codes anew', async () => {
    const uneven = makePart({ seconds: 4, more: unevenSteps });
    const merged = await join([makePart({ size: '320x240' }), uneven]);
    const timesOf = (file: string): number[] =>
      probe(file, 'packet=pts_time')
        .map(Number)
        .sort((a, b) => a - b);
    const times = timesOf(merged.file).slice(-40);
    for (const [number, atS] of timesOf(uneven).entries()) {
      expect(Math.abs((times[number] ?? 0) - 4 - atS), `frame ${number}`).toBeLessThan(0.001);
    }
    expect(complaintsOf(merged.file)).toBe('');
  });

  it('codes sound anew that is of another kind', async () => {
    const parts = [
      makePart({ tone: 440 }),
      makePart({ tone: 440, more: ['-c:a', 'libmp3lame'] }),
      makePart({ tone: 440, more: ['-ar', '22050', '-ac', '2'] }),
    ];
    const merged = await join(parts);
    expect(framesOf(merged.file)).toEqual(parts.flatMap(framesOf));
    expect(lengthOf(merged.file, 'a')).toBeCloseTo(12, 0);
    expect(silencesOf(merged.file).starts).toEqual([]);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const stop = new AbortController();
    const parts = [makePart({ seconds: 6 }), makePart({ seconds: 60, size: '640x360', rate: 25 })];
    const making = join(
      [...parts.slice(0, 1), ...Array(9).fill(parts[0]), parts[1] ?? ''],
      () => stop.abort(),
      stop.signal,
    );
    await expect(making).rejects.toThrow('aborted');
    const keys: string[] = [];
    for await (const { key } of storage.list('merged-')) keys.push(key);
    expect(keys).not.toContain(`merged-${count - 1}`);
  });
});
