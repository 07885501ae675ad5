// The two programs that read received media. Whatever a unit sent may be hostile: only files of the job's own folder
// are opened (a playlist inside a .mp4 could name other files of the server), time, memory and output are limited.

import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { Config } from '../config.ts';
import { StartError } from '../errors.ts';

const run = promisify(execFile);

const READ_LIMITS = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,matroska,webm,mpegts,avi,h264,hevc,flv',
];
const TIME_LIMIT_MS = 120_000;
const OUTPUT_LIMIT_BYTES = 1024 * 1024;
/** Address space of one ffmpeg, KiB: 4K video decodes in far less. */
const MEMORY_LIMIT_KIB = 2 * 1024 * 1024;

export interface Ffmpeg {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/**
 * Finds ffmpeg and ffprobe: the configured ones, else those on the PATH, else the ones that npm brought.
 * @throws Error that says what to do when there is none
 */
export function findFfmpeg(config: Config): Ffmpeg {
  return {
    ffmpegPath: findProgram('ffmpeg', config.ffmpegPath),
    ffprobePath: findProgram('ffprobe', config.ffprobePath),
  };
}

function findProgram(name: 'ffmpeg' | 'ffprobe', configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const folders = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];
  const onPath = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  if (onPath !== undefined) return onPath;
  try {
    const require = createRequire(import.meta.url);
    const packed = require(`@${name}-installer/${name}`) as { path: string };
    return packed.path;
  } catch (cause) {
    throw new StartError(`There is no ${name}; install it or set ${name.toUpperCase()}_PATH.`, {
      cause,
    });
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const Probe = z.object({
  format: z.object({ format_name: z.string(), duration: z.optional(z.string()) }),
  streams: z.array(
    z.object({
      codec_type: z.optional(z.string()),
      codec_name: z.optional(z.string()),
      pix_fmt: z.optional(z.string()),
      width: z.optional(z.int()),
      height: z.optional(z.int()),
    }),
  ),
  /** Frames that were really decoded from the start of the file. */
  frames: z.optional(z.array(z.object({ media_type: z.optional(z.string()) }))),
});

export interface VideoFacts {
  readonly format: string;
  readonly codec: string;
  readonly pixelFormat: string;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number | null;
}

/**
 * Reads what a file is and decodes its first frames.
 * @param file in a folder of its own
 * @returns undefined when it is not a video that can be decoded
 */
export async function probeVideo(ffmpeg: Ffmpeg, file: string): Promise<VideoFacts | undefined> {
  const text = await runLimited(
    ffmpeg.ffprobePath,
    [
      '-v',
      'error',
      ...READ_LIMITS,
      '-read_intervals',
      '%+#8',
      '-select_streams',
      'v:0',
      '-show_entries',
      'format=format_name,duration:stream=codec_type,codec_name,pix_fmt,width,height:frame=media_type',
      '-of',
      'json',
      path.basename(file),
    ],
    path.dirname(file),
  );
  if (text === undefined) return undefined;
  const parsed = Probe.safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  const { format, streams, frames } = parsed.data;
  const video = streams.find((stream) => stream.codec_type === 'video');
  if (video === undefined || (frames ?? []).length === 0) return undefined;
  const seconds = Number(format.duration);
  return {
    format: format.format_name,
    codec: video.codec_name ?? '',
    pixelFormat: video.pix_fmt ?? '',
    width: video.width ?? 0,
    height: video.height ?? 0,
    durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
  };
}

/**
 * Makes an MP4 that every browser plays and that can be sought at once: index in front, H.264 4:2:0.
 * Streams are copied where they already are that.
 * @throws Error with ffmpeg's last words
 */
export async function makePlayable(
  ffmpeg: Ffmpeg,
  facts: VideoFacts,
  from: string,
  to: string,
): Promise<void> {
  const copy = isBrowserVideo(facts);
  const encode = ['libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'];
  const done = await runLimited(
    ffmpeg.ffmpegPath,
    [
      '-nostdin',
      '-v',
      'error',
      '-y',
      ...READ_LIMITS,
      '-i',
      path.basename(from),
      '-map',
      '0:v:0',
      '-map',
      '0:a:0?',
      '-c:v',
      ...(copy ? ['copy'] : encode),
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      path.basename(to),
    ],
    path.dirname(from),
  );
  if (done === undefined) throw new Error('The video could not be made playable.');
}

/** Whether browsers decode it as it is. */
export function isBrowserVideo(facts: VideoFacts): boolean {
  return facts.codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(facts.pixelFormat);
}

// Undefined when the program refused the file; a program that cannot be started is our fault and is thrown.
async function runLimited(
  program: string,
  args: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const limited = `ulimit -v ${MEMORY_LIMIT_KIB} 2>/dev/null; exec nice -n 10 "$0" "$@"`;
  try {
    const { stdout } = await run('/bin/sh', ['-c', limited, program, ...args], {
      cwd: folder,
      timeout: TIME_LIMIT_MS,
      maxBuffer: OUTPUT_LIMIT_BYTES,
      env: { PATH: '/usr/bin:/bin' },
    });
    return stdout;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 126 || code === 127) throw error;
    return undefined;
  }
}
