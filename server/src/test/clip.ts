import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../core/config.ts';
import { type Ffmpeg, findFfmpeg } from '../media/ffmpeg.ts';

/** The ffmpeg programs of tests. */
export const ffmpeg: Ffmpeg = findFfmpeg(readConfig());

/** The packaged programs of 2018 and 2023 serve the demo: they read and make some videos wrongly. */
export const isPackaged = ffmpeg.ffmpegPath.includes('node_modules');

/** A short H.264 clip that browsers play. */
export function makeClip(seconds = 2, size = '160x120'): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-clip-'));
  const file = path.join(folder, 'clip.mp4');
  const scene = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=10:duration=${seconds}`];
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
  try {
    execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', ...scene, ...coding, file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
