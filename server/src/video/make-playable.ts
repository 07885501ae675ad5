// Real recorders send files that no browser plays or seeks: other containers and codings, indexes at the end or in
// fragments, clocks that start anywhere and run backwards. Such a file is made playable once. Its pictures are copied
// where they can be, so that they stay what the unit sent; they are coded anew only where they must.
import path from 'node:path';
import type { Ffmpeg } from './ffmpeg.ts';
import type { Mp4Layout } from './mp4-boxes.ts';
import type { VideoFacts } from './read-video.ts';
import { READ_LIMITS, runLimited } from './run-limited.ts';
import { isDisordered } from './timeline.ts';

/** A start that is later than this is a clock of its own, ms. */
const LATE_START_MS = 500;
/** What a raw stream may really have run at, pictures a second. */
const RATES = { least: 1, most: 120 };
/** A rate that a raw stream names is right when its length fits the announced one so well. */
const FITTING_PART = 0.05;
/** Slowest coding that is waited for: a minute of video may take two. */
const PATIENCE = { leastMs: 120_000, perMediaMs: 2 };

const PLAYED_SOUND: readonly (string | undefined)[] = [undefined, 'aac', 'mp3'];

/** Whether every browser plays the file and seeks in it at once, as it is. */
export function isPlayable(facts: VideoFacts, layout: Mp4Layout): boolean {
  return (
    facts.container === 'mp4' &&
    hasPlayedPictures(facts) &&
    PLAYED_SOUND.includes(facts.audioCodec) &&
    !isDisordered(facts.packets) &&
    facts.packets.beginMs <= LATE_START_MS &&
    layout.hasIndexInFront &&
    !layout.isBrokenOff
  );
}

function hasPlayedPictures({ codec, pixelFormat }: VideoFacts): boolean {
  return codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(pixelFormat);
}

/**
 * Makes an MP4 that every browser plays and seeks in: H.264 4:2:0, AAC or no sound, the index in front, time from 0 on.
 * @param wallMs how long the stretch of street is: the clock of a file without one
 * @returns whether it could be made
 * @throws Error when the server was too busy
 */
export async function makePlayable(
  ffmpeg: Ffmpeg,
  facts: VideoFacts,
  from: string,
  to: string,
  wallMs: number,
): Promise<boolean> {
  const hasTimes = facts.packets.dtsMs.some(Number.isFinite);
  const canCopy = canCopyPictures(facts);
  const rate = hasTimes ? [] : ['-r', rateOf(facts, wallMs)];
  const sound = facts.audioCodec === undefined ? [] : soundOf(facts);
  // What is tried in turn: broken sound does not cost the pictures, nor a copy that fails the video.
  const ways = [
    ...(canCopy ? [['-c:v', 'copy', ...sound, ...startOfCopy(facts)]] : []),
    [...codingOf(facts), ...sound],
    [...codingOf(facts), '-an'],
  ];
  for (const way of ways) {
    const done = await runLimited({
      program: ffmpeg.ffmpegPath,
      args: [
        ...['-nostdin', '-v', 'error', '-y', ...READ_LIMITS, ...rate, '-i', path.basename(from)],
        ...['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', ...way],
        ...['-movflags', '+faststart', path.basename(to)],
      ],
      beside: from,
      timeLimitMs: PATIENCE.leastMs + PATIENCE.perMediaMs * Math.max(facts.durationMs, wallMs),
    });
    if (done) return true;
  }
  return false;
}

// Where nothing is heard before the first picture that can be seen, the film begins with it.
function startOfCopy({ packets, audioCodec }: VideoFacts): string[] {
  if (audioCodec !== undefined || packets.unseen === 0 || isDisordered(packets)) return [];
  const firstMs = packets.ptsMs[packets.unseen] ?? Number.NaN;
  if (!Number.isFinite(firstMs)) return [];
  return ['-output_ts_offset', ((packets.beginMs - firstMs) / 1000).toFixed(6)];
}

// Pictures in another order than they are shown need both times, and MP4 needs times that rise.
function canCopyPictures(facts: VideoFacts): boolean {
  const { packets, isReordered } = facts;
  const isTimed = packets.ptsMs.every(Number.isFinite) && packets.dtsMs.every(Number.isFinite);
  return hasPlayedPictures(facts) && !isDisordered(packets) && (isTimed || !isReordered);
}

function soundOf({ audioCodec, packets }: VideoFacts): string[] {
  if (isDisordered(packets)) return ['-c:a', 'aac', '-af', 'asetpts=N/SR/TB'];
  return PLAYED_SOUND.includes(audioCodec) ? ['-c:a', 'copy'] : ['-c:a', 'aac'];
}

function codingOf({ packets, width, height }: VideoFacts): string[] {
  const usualS = packets.usualMs / 1000;
  const filters = [
    // A clock that runs backwards, or leaps, goes on by the usual step.
    ...(isDisordered(packets)
      ? [
          `setpts='if(eq(N,0),0,PREV_OUTPTS+if(between((PTS-PREV_INPTS)*TB,0.001,10),PTS-PREV_INPTS,${usualS}/TB))'`,
        ]
      : []),
    ...(width % 2 === 1 || height % 2 === 1 ? ['scale=trunc(iw/2)*2:trunc(ih/2)*2'] : []),
  ];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
    ...(filters.length > 0 ? ['-vf', filters.join(',')] : []),
  ];
}

// A raw stream has no clock. The rate that it may name is often a default: the announced stretch knows better.
function rateOf({ packets }: VideoFacts, wallMs: number): string {
  const named = 1000 / packets.usualMs;
  const lengthMs = packets.count * packets.usualMs;
  if (Math.abs(lengthMs - wallMs) <= wallMs * FITTING_PART) return named.toFixed(3);
  const real = (packets.count * 1000) / wallMs;
  return (real >= RATES.least && real <= RATES.most ? real : named).toFixed(3);
}
