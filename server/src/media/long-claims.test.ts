import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, isPackaged } from '../test/clip.ts';
import { h264, makeFile } from '../test/shaped-video.ts';
import { makePlayable } from './make-playable.ts';
import { readVideo } from './read-video.ts';
import { timeLimitOf } from './run-limited.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-long-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a file whose clock jumps by 40 days', () => {
  it('gives a program the time of four hours of video at most', () => {
    expect(timeLimitOf(1_000, 2)).toBe(122_000);
    expect(timeLimitOf(40 * DAY_MS, 2)).toBe(timeLimitOf(4 * HOUR_MS, 2));
  });

  it.skipIf(isPackaged)('is read and plays, without the jump', async () => {
    const file = makeFile(folder, 'jump.mkv', [
      ...['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10:duration=3'],
      ...['-vf', `settb=1/1000,setpts='PTS+gt(N,20)*${40 * DAY_MS}'`],
      ...['-vsync', 'passthrough', '-enc_time_base', '1:1000', ...h264],
    ]);
    const source = await readVideo(ffmpeg, file);
    if (source === undefined) throw new Error('it was not read');
    expect(source.durationMs).toBeGreaterThan(40 * DAY_MS);
    const target = path.join(folder, 'jump.mp4');
    expect(await makePlayable(ffmpeg, source, file, target, 3000)).toBe(true);
    expect(await readVideo(ffmpeg, target)).toMatchObject({
      durationMs: 3000,
      packets: { count: 30 },
    });
  });
});
