// Registrars send files that no browser plays or seeks: other containers and codecs, indexes at the end or in
// fragments, clocks that start anywhere or run backwards. Such a file is converted once. Frames are copied where
// possible, so that they stay what the unit sent, and encoded only where they must be.
import path from 'node:path';
import { mayBreakOff, withoutBrokenEnd } from './broken-end.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { Mp4Layout } from './mp4/mp4-boxes.ts';
import { OWN_TIMES } from './own-times.ts';
import { evenSize, fitInto } from './pictures.ts';
import { READ_LIMITS, runLimited, timeLimitOf } from './run-limited.ts';
import { firstShownMs, isDisordered, leadOf } from './timeline.ts';
import type { VideoFacts } from './video-facts.ts';

/** Frames that begin later than this are late, ms: some players show nothing until then, or seek wrongly. */
const LATE_START_MS = 500;
/** ffmpeg takes this for a jump of the clock of a transport stream, ms (`-dts_delta_threshold`). */
const PAUSE_MS = 10_000;
/** Possible frame rates of a raw stream, frames a second. */
const RATES = { least: 1, most: 120 };
/** The rate in a raw stream is right when its duration fits the announced one within this fraction. */
const TOLERANCE = 0.05;
/** Timeout of the encoder, ms for each ms of video: a minute may take two. */
const PER_MEDIA_MS = 2;

const PLAYED_SOUND: readonly (string | undefined)[] = [undefined, 'aac', 'mp3'];

/** Whether every browser plays the file and seeks in it as it is. */
export function isPlayable(facts: VideoFacts, layout: Mp4Layout): boolean {
  return (
    facts.container === 'mp4' &&
    hasPlayableVideo(facts) &&
    isShownAsStored(facts) &&
    PLAYED_SOUND.includes(facts.audioCodec) &&
    !isDisordered(facts.packets) &&
    firstShownMs(facts.packets) <= LATE_START_MS &&
    layout.hasIndexInFront &&
    !layout.isBrokenOff
  );
}

// Players differ in what they make of turned pictures, of changing sizes and of hidden frames, and a copy keeps all of them.
const isShownAsStored = ({ isUpright, hidesFrames }: VideoFacts): boolean =>
  isUpright && !hidesFrames;

function hasPlayableVideo({ codec, pixelFormat }: VideoFacts): boolean {
  return codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(pixelFormat);
}

/**
 * Makes an MP4 that every browser plays and seeks in: H.264 4:2:0, AAC or no audio, the index in front, time from 0, the
 * pictures upright and of one size.
 * A period that begins before the first frame shows that frame from 0 on. A last frame that is cut off is left out.
 * @param wallMs length of the fragment's period; the clock of a file without one
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
  const rate = hasTimes ? [] : ['-r', rateOf(facts, wallMs)];
  const sound = facts.audioCodec === undefined ? [] : soundOf(facts);
  const start = startOf(facts, wallMs);
  const canCopy = canCopyVideo(facts) && start.cut.length === 0;
  // Attempts in order: broken audio must not cost the video, nor a failed copy the file.
  const ways = [
    ...(canCopy ? [[...copyOf(facts, start), ...sound]] : []),
    [...codingOf(facts, start), ...sound],
    [...codingOf(facts, start), '-an'],
  ];
  const make = (way: readonly string[]): Promise<boolean> =>
    runLimited({
      program: ffmpeg.ffmpegPath,
      args: [
        ...['-nostdin', '-v', 'error', '-y', ...READ_LIMITS, ...clockArguments(facts)],
        ...rate,
        ...(keepsFilters(facts) ? ['-reinit_filter', '0'] : []),
        ...[...start.shift, '-i', path.basename(from), ...start.cut],
        ...['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', ...way],
        ...['-movflags', '+faststart', path.basename(to)],
      ],
      beside: from,
      timeLimitMs: timeLimitOf(Math.max(facts.durationMs, wallMs), PER_MEDIA_MS),
    });
  for (const way of ways) {
    if (!(await make(way))) continue;
    if (!(await mayBreakOff(from, facts.container))) return true;
    const limits = await withoutBrokenEnd(ffmpeg, to, facts.packets);
    return limits.length === 0 || make([...way, ...limits]);
  }
  return false;
}

// In transport and programme streams ffmpeg takes a frame that comes 0.1 s before its prediction for a jump of the clock,
// and shifts all later ones. Where the clock runs without jumps, it must keep the times; longer pauses it removes.
function clockArguments({ container, packets }: VideoFacts): string[] {
  const { dtsMs } = packets;
  const isSteady = dtsMs.every(
    (ms, index) => index === 0 || ms - (dtsMs[index - 1] ?? 0) < PAUSE_MS,
  );
  const keeps = ['mpegts', 'mpeg'].includes(container) && isSteady && !isDisordered(packets);
  return keeps ? ['-copyts', '-start_at_zero'] : [];
}

// Reordered frames need both timestamps, and MP4 needs increasing ones.
function canCopyVideo(facts: VideoFacts): boolean {
  const { packets, isReordered } = facts;
  const isTimed = packets.ptsMs.every(Number.isFinite) && packets.dtsMs.every(Number.isFinite);
  const canStay = hasPlayableVideo(facts) && isShownAsStored(facts);
  return canStay && !isDisordered(packets) && (isTimed || !isReordered);
}

/** How a playable file begins. */
interface Start {
  /** Input options of ffmpeg. */
  readonly shift: readonly string[];
  /** Output options of ffmpeg. */
  readonly cut: readonly string[];
  /** The freeze frame lasts from 0 to this time, ms; 0 without one. */
  readonly freezeMs: number;
}

function startOf(facts: VideoFacts, wallMs: number): Start {
  const leadMs = leadOf(facts, wallMs);
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  // Audio from before the period is cut.
  if (facts.leadMs - leadMs > LATE_START_MS) {
    return { shift: [], cut: ['-ss', seconds(facts.leadMs)], freezeMs: 0 };
  }
  if (leadMs <= LATE_START_MS) return { shift: [], cut: [], freezeMs: 0 };
  // ffmpeg starts with the first packet of any stream; here there is none for a while.
  const shift = leadMs > facts.leadMs ? ['-itsoffset', seconds(leadMs - facts.leadMs)] : [];
  return { shift, cut: [], freezeMs: leadMs };
}

function copyOf({ packets }: VideoFacts, { freezeMs }: Start): string[] {
  if (freezeMs === 0) return ['-c:v', 'copy'];
  const shown = packets.ptsMs.every(Number.isFinite) ? 'PTS' : 'DTS';
  const times = `pts=if(eq(N\\,0)\\,0\\,${shown}):dts=if(eq(N\\,0)\\,DTS-${shown}\\,DTS)`;
  return ['-c:v', 'copy', '-bsf:v', `setts=${times}`];
}

// Else ffmpeg would begin its filters anew where the size changes, and those that tell times would begin again at 0.
const keepsFilters = ({ stored }: VideoFacts): boolean => stored === undefined;

function soundOf({ audioCodec, packets, hidesFrames }: VideoFacts): string[] {
  if (hidesFrames) return ['-c:a', 'aac'];
  if (isDisordered(packets)) return ['-c:a', 'aac', '-af', 'asetpts=N/SR/TB'];
  return PLAYED_SOUND.includes(audioCodec) ? ['-c:a', 'copy'] : ['-c:a', 'aac'];
}

function codingOf(facts: VideoFacts, { freezeMs }: Start): string[] {
  const { packets, stored } = facts;
  const usualS = packets.usualMs / 1000;
  const filters = [
    // A clock that runs backwards or jumps continues by the usual step.
    ...(isDisordered(packets)
      ? [
          `setpts='if(eq(N,0),0,PREV_OUTPTS+if(between((PTS-PREV_INPTS)*TB,0.001,10),PTS-PREV_INPTS,${usualS}/TB))'`,
        ]
      : []),
    ...(freezeMs > 0 ? freezeOf(facts, freezeMs) : []),
    ...(stored === undefined ? fitInto(evenSize(facts)) : []),
    ...(isOdd(stored?.width) || isOdd(stored?.height) ? ['scale=trunc(iw/2)*2:trunc(ih/2)*2'] : []),
  ];
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
    // Without times in the file the rate is constant.
    ...(packets.ptsMs.every(Number.isFinite) ? OWN_TIMES : []),
    // Reordering delays all frames by the first steps, one of which is the freeze frame.
    ...(freezeMs > 0 ? ['-bf', '0'] : []),
    ...(filters.length > 0 ? ['-vf', filters.join(',')] : []),
  ];
}

const isOdd = (pixels = 0): boolean => pixels % 2 === 1;

// A decoder may output damaged frames whose references are missing.
function freezeOf({ packets, leadMs }: VideoFacts, freezeMs: number): string[] {
  const isTimed = packets.ptsMs.every(Number.isFinite) && !isDisordered(packets);
  const fromMs = Math.max(0, leadMs - packets.usualMs / 2);
  return [
    ...(isTimed ? [`select='gte(t,${fromMs / 1000})'`] : []),
    `setpts='if(eq(N,0),0,PTS-STARTPTS+${freezeMs / 1000}/TB)'`,
  ];
}

// A raw stream has no clock, and the rate in it is often a default: one that lasts longer than its period gets the rate
// of the period. A shorter one may be truncated.
function rateOf({ packets, durationMs }: VideoFacts, wallMs: number): string {
  const named = 1000 / packets.usualMs;
  if (durationMs <= wallMs * (1 + TOLERANCE)) return named.toFixed(3);
  const real = durationMs / packets.usualMs / (wallMs / 1000);
  return (real >= RATES.least && real <= RATES.most ? real : named).toFixed(3);
}
