import path from 'node:path';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import { OWN_TIMES } from '../../media/own-times.ts';
import { fitInto } from '../../media/pictures.ts';
import { READ_LIMITS, runLimited, timeLimitOf } from '../../media/run-limited.ts';
import type { Aim, Coding } from './agree.ts';

/** Timeout of the encoder, ms for each ms of video: a minute may take three. */
const PER_MEDIA_MS = 3;

interface CodingRun {
  readonly from: string;
  readonly to: string;
  readonly durationS: number;
  readonly signal: AbortSignal;
  /** Called with the progress in the part, s. */
  readonly onProgress: (doneS: number) => void;
}

/**
 * Encodes what differs between a part and the common format. Video is scaled and padded, and keeps its times.
 * @throws Error when it fails or is stopped
 */
export async function codePart(
  ffmpeg: Ffmpeg,
  aim: Aim,
  coding: Coding,
  { from, to, durationS, signal, onProgress }: CodingRun,
): Promise<void> {
  const done = await runLimited({
    program: ffmpeg.ffmpegPath,
    args: [
      ...['-nostdin', '-v', 'error', '-y', '-progress', 'pipe:1', ...READ_LIMITS],
      ...['-i', path.basename(from), '-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1'],
      ...(coding.video ? videoOptions(aim) : ['-c:v', 'copy']),
      ...(coding.sound && aim.sound
        ? ['-c:a', 'aac', '-ar', String(aim.sound.rate), '-ac', String(aim.sound.channels)]
        : ['-c:a', 'copy']),
      ...['-video_track_timescale', String(aim.timescale), '-movflags', '+faststart'],
      path.basename(to),
    ],
    beside: from,
    signal,
    timeLimitMs: timeLimitOf(durationS * 1000, PER_MEDIA_MS),
    onLine: (line) => {
      // Both are microseconds; the name depends on ffmpeg's version.
      const microseconds = /^out_time_(?:us|ms)=(\d+)$/.exec(line)?.[1];
      if (microseconds !== undefined) onProgress(Math.min(durationS, Number(microseconds) / 1e6));
    },
  });
  signal.throwIfAborted();
  if (!done) throw new Error('Encoding a part failed.');
}

// Without reordering: else a long first frame would make the part longer by its duration.
function videoOptions({ aspect, ...size }: Aim): string[] {
  const filters = fitInto(size, aspect);
  return [
    ...['-vf', filters.join(','), ...OWN_TIMES, '-c:v', 'libx264'],
    ...['-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p', '-bf', '0'],
    ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
  ];
}
