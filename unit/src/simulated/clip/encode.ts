import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clip } from './clip.ts';
import { FRAME_BYTES, HEIGHT, RATE, WIDTH } from './frame.ts';

export interface ClipJob {
  clip: Clip;
  outPath: string;
}

/** Frames in one write to ffmpeg: fewer writes, and the event loop is free every few milliseconds. */
const FRAMES_A_WRITE = 8;
const KEYFRAME_EVERY = 2 * RATE;
/** Constant, because rate control carries over from one clip to the next: a clip made alone would differ. */
const QUANTISER = '28';
const MOST_REASON_CHARACTERS = 2000;

/**
 * Encodes clips one after another in one ffmpeg, each into an MP4 that begins with a keyframe and has one at least
 * every two seconds. Files appear atomically; all paths must be on one file system.
 * @param onFile called when a file is ready, with its index among the jobs
 * @throws Error when ffmpeg cannot be run or fails, with its output
 */
export async function encodeClips(
  jobs: readonly ClipJob[],
  ffmpegPath: string,
  onFile: (index: number) => Promise<void> | void = () => {},
): Promise<void> {
  const firstPath = jobs[0]?.outPath;
  if (firstPath === undefined) return;
  const folder = await mkdtemp(join(dirname(firstPath), '.clip-'));
  try {
    await encodeInto(folder, jobs, ffmpegPath, onFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function encodeInto(
  folder: string,
  jobs: readonly ClipJob[],
  ffmpegPath: string,
  onFile: (index: number) => Promise<void> | void,
): Promise<void> {
  const ffmpeg = spawn(ffmpegPath, argumentsFor(jobs, folder), { stdio: 'pipe' });
  let output = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-MOST_REASON_CHARACTERS);
  });
  // A failed spawn has no exit code and a broken pipe no reason: the end of the process reports both.
  const ended = new Promise<void>((resolve, reject) => {
    ffmpeg.once('error', (cause) => reject(new Error(`Cannot run ${ffmpegPath}`, { cause })));
    ffmpeg.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`ffmpeg ended with ${code ?? signal}: ${output.trim()}`));
    });
  });
  let broken = false;
  ffmpeg.stdin.on('error', () => {
    broken = true;
  });
  const work = [
    ended,
    writeClips(ffmpeg, jobs, () => broken),
    moveFiles(ffmpeg, folder, jobs, onFile),
  ];
  try {
    await Promise.all(work);
  } catch (error) {
    ffmpeg.kill('SIGKILL');
    throw error;
  } finally {
    await Promise.allSettled(work);
  }
}

async function writeClips(
  ffmpeg: ChildProcessWithoutNullStreams,
  jobs: readonly ClipJob[],
  isBroken: () => boolean,
): Promise<void> {
  // The next buffer is drawn while ffmpeg reads one.
  const buffers = [0, 1].map(() => new Uint8Array(FRAME_BYTES * FRAMES_A_WRITE));
  let written = Promise.resolve();
  let turn = 0;
  for (const { clip } of jobs) {
    for (let first = 0; first < clip.frames; first += FRAMES_A_WRITE) {
      if (isBroken()) return;
      const buffer = buffers[turn++ % 2] as Uint8Array;
      const count = Math.min(FRAMES_A_WRITE, clip.frames - first);
      for (let index = 0; index < count; index++) {
        const start = index * FRAME_BYTES;
        clip.draw(first + index, buffer.subarray(start, start + FRAME_BYTES));
      }
      await written;
      written = write(ffmpeg, buffer.subarray(0, count * FRAME_BYTES));
    }
  }
  await written;
  ffmpeg.stdin.end();
}

/** Resolves when the bytes are written; also when the pipe broke, which `ended` reports. */
function write(ffmpeg: ChildProcessWithoutNullStreams, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    ffmpeg.stdin.write(bytes, () => resolve());
  });
}

// ffmpeg names a file on its standard output once the file is whole.
async function moveFiles(
  ffmpeg: ChildProcessWithoutNullStreams,
  folder: string,
  jobs: readonly ClipJob[],
  onFile: (index: number) => Promise<void> | void,
): Promise<void> {
  const closed = once(ffmpeg, 'close').catch(() => undefined);
  let index = 0;
  for await (const name of createInterface({ input: ffmpeg.stdout })) {
    const job = jobs[index];
    if (name === '' || job === undefined) continue;
    await rename(join(folder, name), job.outPath);
    await onFile(index);
    index += 1;
  }
  await closed;
}

function argumentsFor(jobs: readonly ClipJob[], folder: string): string[] {
  const bounds: number[] = [];
  let frames = 0;
  for (const { clip } of jobs) {
    frames += clip.frames;
    bounds.push(frames);
  }
  const keyframes = [0, ...bounds].map((frame) => (frame / RATE).toFixed(3)).join(',');
  return [
    ...['-hide_banner', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'yuv420p'],
    ...['-s', `${WIDTH}x${HEIGHT}`, '-r', String(RATE), '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1'],
    ...['-profile:v', 'baseline', '-qp', QUANTISER, '-g', String(KEYFRAME_EVERY)],
    ...['-force_key_frames', keyframes, '-f', 'segment', '-reset_timestamps', '1'],
    ...['-segment_frames', bounds.join(','), '-segment_format', 'mp4'],
    ...['-segment_format_options', 'movflags=+faststart'],
    ...['-segment_list', 'pipe:1', '-segment_list_type', 'flat', join(folder, '%d.mp4')],
  ];
}
