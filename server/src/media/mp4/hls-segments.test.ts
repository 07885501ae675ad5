import { execFileSync } from 'node:child_process';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteRange } from '../../storage/storage.ts';
import { ffmpeg } from '../../test/clip.ts';
import { makeOddVideo, type OddVideo } from '../../test/odd-video.ts';
import { casesOf } from '../../test/tries-of.ts';
import { type HlsSegment, hlsSegmentsOf, initSegmentOf, readHlsSegment } from './hls-segments.ts';
import { readIndex } from './mp4-index.ts';

/** A frame of AAC at 44,100 Hz, s. */
const FRAME_S = 1024 / 44_100;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-segments-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Stream {
  readonly file: string;
  readonly segments: HlsSegment[];
  /** Files of the init segment with one segment each. */
  readonly parts: string[];
  /** The init segment with all segments. */
  readonly joined: string;
}

/** The HLS stream of a file. */
async function streamOf(name: OddVideo): Promise<Stream> {
  const file = makeOddVideo(folder, name);
  const storage = {
    get: async (_key: string, range?: ByteRange) =>
      createReadStream(file, { start: range?.from, end: range?.to }),
  };
  const index = await readIndex(storage, 'video', statSync(file).size);
  const segments = hlsSegmentsOf(index);
  const init = initSegmentOf(index);
  const bytes: Buffer[] = [];
  for (const number of segments.keys()) {
    bytes.push((await readHlsSegment(storage, 'video', index, number)) ?? Buffer.alloc(0));
  }
  const save = (part: string, content: Buffer[]): string => {
    const to = path.join(folder, `${name}-${part}.mp4`);
    writeFileSync(to, Buffer.concat([init, ...content]));
    return to;
  };
  return {
    file,
    segments,
    parts: bytes.map((one, number) => save(String(number), [one])),
    joined: save('joined', bytes),
  };
}

/** The presentation times of a file's packets and their ends, s. */
function timesOf(file: string, stream: 'v' | 'a'): { atS: number; endS: number }[] {
  const args = ['-v', 'error', '-select_streams', stream, '-of', 'csv=p=0', '-show_entries'];
  const entries = 'packet=pts_time,duration_time';
  return (
    execFileSync(ffmpeg.ffprobePath, [...args, entries, file])
      .toString()
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(',').map(Number))
      // The last packet has no duration.
      .map(([atS = 0, lengthS = 0]) => ({ atS, endS: atS + (lengthS || 0) }))
  );
}

const endOf = (times: readonly { endS: number }[]): number =>
  Math.max(...times.map(({ endS }) => endS));

/** Messages of a decoder. */
function complaintsOf(file: string): string {
  const args = ['-v', 'warning', '-i', file, '-map', '0:a', '-f', 'null', '-'];
  return execFileSync('/bin/sh', ['-c', '"$0" "$@" 2>&1', ffmpeg.ffmpegPath, ...args]).toString();
}

describe('the last segment of an HLS stream', () => {
  it('has more than a last keyframe that stands alone', async () => {
    const { segments, file, joined } = await streamOf('tiny-end.mp4');
    expect(segments.map(({ startS }) => startS.toFixed(2))).toEqual(['0.00', '4.12']);
    expect(segments.at(-1)?.endS).toBeCloseTo(8.24, 3);
    expect(timesOf(joined, 'v')).toHaveLength(206);
    expect(timesOf(joined, 'v').map(({ atS }) => atS)).toEqual(
      timesOf(file, 'v').map(({ atS }) => atS),
    );
  });

  it('begins a second before the end of audio that cannot be lengthened', async () => {
    const { segments, joined } = await streamOf('mp3-stops-at-15s.mp4');
    expect(segments.map(({ startS }) => startS)).toEqual([0, 4, 8, 12]);
    expect(segments.at(-1)?.endS).toBe(21);
    expect(timesOf(joined, 'v')).toHaveLength(210);
  });
});

describe('the audio of an HLS stream', () => {
  const videos = [
    ['tiny-end.mp4', 0, 8.1],
    ['sound-stops-at-5s.mp4', 0, 5],
    ['sound-from-6s.mp4', 6, 21],
  ] as const;
  it.each(casesOf(videos, 1))(
    '%s lasts as long as its video in each segment',
    async (name, fromS, toS) => {
      const { file, segments, parts, joined } = await streamOf(name);
      for (const [number, part] of parts.entries()) {
        const { startS, endS } = segments[number] ?? { startS: 0, endS: 0 };
        const sound = timesOf(part, 'a');
        expect(Math.max(0, sound[0]?.atS ?? 99) - startS, `start of ${number}`).toBeLessThan(0.05);
        expect(endS - endOf(sound), `end of ${number}`).toBeLessThan(0.05);
      }
      // The segments hold the file's frames unchanged, and each frame once.
      const all = timesOf(joined, 'a');
      for (const [number, { atS }] of all.entries()) {
        const before = all[number - 1];
        if (before) expect(Math.abs(atS - before.atS - FRAME_S)).toBeLessThan(0.001);
      }
      const own = timesOf(file, 'a').filter(({ atS }) => atS >= 0);
      const kept = all.filter(({ atS }) => atS > fromS - 0.001 && atS < toS);
      expect(kept.length).toBeGreaterThanOrEqual(own.length - 2);
      expect(complaintsOf(joined)).toBe('');
    },
  );
});
