import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { type Ffmpeg, findFfmpeg, isBrowserVideo, makePlayable, probeVideo } from './ffmpeg.ts';

let ffmpeg: Ffmpeg;
let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  ffmpeg = findFfmpeg(readConfig());
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-ffmpeg-'));
  const make = (name: string, coding: readonly string[]): void => {
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=10:duration=2'];
    execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', ...source, ...coding, at(name)]);
  };
  make('good.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']);
  make('odd.avi', ['-c:v', 'mpeg4']);
  // Files of the server that a hostile upload would like to have opened.
  await writeFile(
    at('playlist.mp4'),
    '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\ngood.mp4\n#EXT-X-ENDLIST\n',
  );
  await writeFile(at('concat.mp4'), "ffconcat version 1.0\nfile 'good.mp4'\n");
  await writeFile(at('text.mp4'), 'this is not a video');
  await writeFile(at('empty.mp4'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a received file', () => {
  it('that is a video is known by what it is, not by what was said of it', async () => {
    const facts = await probeVideo(ffmpeg, at('good.mp4'));
    expect(facts).toMatchObject({ codec: 'h264', width: 160, height: 120, durationMs: 2000 });
    expect(facts !== undefined && isBrowserVideo(facts)).toBe(true);
  });

  it.each(['playlist.mp4', 'concat.mp4', 'text.mp4', 'empty.mp4', 'missing.mp4'])(
    'called %s is no video, and opens no other file',
    async (name) => {
      expect(await probeVideo(ffmpeg, at(name))).toBeUndefined();
    },
  );

  it('that browsers cannot play is made playable', async () => {
    const facts = await probeVideo(ffmpeg, at('odd.avi'));
    if (facts === undefined) throw new Error('not read');
    expect(isBrowserVideo(facts)).toBe(false);
    await makePlayable(ffmpeg, facts, at('odd.avi'), at('playable.mp4'));
    expect(await probeVideo(ffmpeg, at('playable.mp4'))).toMatchObject({
      codec: 'h264',
      pixelFormat: 'yuv420p',
      durationMs: 2000,
    });
  });
});
