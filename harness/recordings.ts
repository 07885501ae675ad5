// Makes recordings like those of real registrars with ffmpeg, and uploads them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@ridewatch/server/src/core/config.ts';
import { type Ffmpeg, findFfmpeg } from '@ridewatch/server/src/media/ffmpeg.ts';
import { sendRecords } from './product.ts';
import { uploadVideo } from './upload-video.ts';

export const ffmpeg: Ffmpeg = findFfmpeg(readConfig());

export interface Recording {
  readonly seconds: number;
  readonly size: string;
  readonly rate: number;
  /** Hz; undefined for no sound. */
  readonly tone?: number;
  /** Encoder arguments of ffmpeg. */
  readonly coding: readonly string[];
  readonly extension: 'mp4' | 'mkv' | 'avi' | 'ts';
}

/** Makes a recording in which all frames differ. */
export function makeRecording(folder: string, name: string, recording: Recording): Buffer {
  const { seconds, size, rate, tone, coding, extension } = recording;
  const file = path.join(folder, `${name}.${extension}`);
  const scene = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`];
  const heard =
    tone === undefined
      ? []
      : ['-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=44100:duration=${seconds}`];
  execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', '-y', ...scene, ...heard, ...coding, file]);
  return readFileSync(file);
}

/** Announces and uploads a recording as a unit does. */
export async function sendRecording(
  url: string,
  credential: string,
  camera: string,
  startMs: number,
  endMs: number,
  bytes: Buffer,
): Promise<void> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const record = {
    type: 'segment',
    time: iso(endMs),
    camera,
    start_time: iso(startMs),
    end_time: iso(endMs),
    video: 'queued',
  };
  const { stream } = await sendRecords(url, credential, [record]);
  await uploadVideo(url, credential, { stream, seq: 0 }, bytes);
}

/** Measures the durations of a file's video and sound, s, and counts its frames. */
export function measure(file: string): { video: number; audio: number; frames: number } {
  const read = (stream: string): { end: number; count: number } => {
    const args = ['-v', 'error', '-select_streams', stream];
    const entries = ['-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0'];
    const output = execFileSync(ffmpeg.ffprobePath, [...args, ...entries, file], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const lines = output.toString().trim().split('\n').filter(Boolean);
    const ends = lines.map((line) => {
      const [at, length] = line.split(',').map(Number);
      return (at ?? 0) + (length || 0);
    });
    return { end: Math.max(0, ...ends), count: lines.length };
  };
  const video = read('v:0');
  return { video: video.end, audio: read('a:0').end, frames: video.count };
}
