import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVideo } from '../../media/read-video.ts';
import { openFolderStorage } from '../../storage/folder.ts';
import { ffmpeg, isPackaged } from '../../test/clip.ts';
import { h264, makeFile, makeTurned, turns } from '../../test/shaped-video.ts';
import { makeMergedVideo } from './make-merged-video.ts';
import { localFile } from './merge-part.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-shapes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A white picture of one second. */
function whitePart(name: string, size: string, more: readonly string[] = [], rate = 10): string {
  const scene = ['-f', 'lavfi', '-i', `color=white:size=${size}:rate=${rate}:duration=1`];
  return makeFile(folder, name, [...scene, ...more, ...h264, '-movflags', '+faststart']);
}

async function merge(name: string, parts: readonly string[]) {
  const work = path.join(folder, `${name}-work`);
  mkdirSync(work);
  const storage = await openFolderStorage(path.join(folder, 'media'));
  const { signal } = new AbortController();
  const { durationMs } = await makeMergedVideo(
    { storage, ffmpeg, key: name, folder: work, signal, onProgress: () => undefined },
    await Promise.all(parts.map(localFile)),
  );
  return { file: path.join(folder, 'media', name), durationMs };
}

/** Width and height of the white in a picture, in pixels of the screen. */
function whiteOf(file: string, atS: number): [number, number] {
  const square = 'scale=iw*sar:ih,setsar=1,format=gray';
  const args = ['-ss', String(atS), '-i', file, '-frames:v', '1', '-vf', square];
  const raw = execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', ...args, '-f', 'rawvideo', '-']);
  const isWhite = (at: number): boolean => (raw[at] ?? 0) > 128;
  const width = 1024;
  const height = raw.length / width;
  const [row, column] = [Math.floor(height / 2) * width, width / 2];
  return [
    Array.from({ length: width }, (_, x) => isWhite(row + x)).filter(Boolean).length,
    Array.from({ length: height }, (_, y) => isWhite(y * width + column)).filter(Boolean).length,
  ];
}

describe('a merged video of parts of different shapes', () => {
  it('shows each part in its own shape, upright, with bars', async ({ skip }) => {
    skip(isPackaged, 'the packaged ffmpeg forgets how long the last frame lasts');
    const wide = whitePart('wide.mp4', '704x576', ['-vf', 'setsar=16/11']);
    const square = whitePart('square.mp4', '320x240', [], 25);
    // A file as it was stored before verification turned pictures.
    const side = makeTurned(folder, 'side.mp4', turns['a quarter to the right']);
    const { file, durationMs } = await merge('mixed', [wide, square, side]);
    expect(durationMs).toBe(3000);
    expect(await readVideo(ffmpeg, file)).toMatchObject({
      ...{ width: 1024, height: 576, isUpright: true, hidesFrames: false },
    });
    expect([whiteOf(file, 0.5), whiteOf(file, 1.5)]).toEqual([
      [1024, 576],
      [768, 576],
    ]);
    // The white quarter at the top right of a picture that is 432 pixels wide.
    const [, down] = whiteOf(file, 2.5);
    expect(Math.abs(down - 288)).toBeLessThan(4);
  });

  it('copies parts of one shape, oblong pixels too', async () => {
    const parts = [1, 2].map((n) => whitePart(`d1-${n}.mp4`, '704x576', ['-vf', 'setsar=16/11']));
    const { file } = await merge('alike', parts);
    expect(await readVideo(ffmpeg, file)).toMatchObject({
      ...{ width: 1024, height: 576, stored: { width: 704, height: 576 } },
    });
  });
});
