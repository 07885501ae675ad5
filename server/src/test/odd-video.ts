// Files with every oddity that real registrars have shown.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ffmpeg } from './clip.ts';

const RATE = 10;
const scene = (seconds: number, size = '160x120') => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${RATE}:duration=${seconds}`],
];
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
/** Steps of 61 and 126 ms, and a pause of 400 ms after the thirtieth frame: a recorder that writes what it can. */
export const unevenSteps = [
  ...['-vf', "settb=1/90000,setpts='(N*100+13*mod(N*7,5)+400*gte(N,30))*90'"],
  ...['-vsync', 'passthrough', '-enc_time_base', '1:90000'],
];
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '20'];
const whole = ['-movflags', '+faststart'];

/** A white bar on black that moves 10 pixels to the right each second, from its place at `fromS` seconds. */
const bar = (seconds: number, { fromS = 0, sound = true } = {}) => [
  ...['-f', 'lavfi', '-i', `color=black:size=320x16:rate=${RATE}:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `color=white:size=4x16:rate=${RATE}:duration=${seconds}`],
  ...(sound ? tone(seconds + fromS) : []),
  '-filter_complex',
  `[0][1]overlay=x=10*(t+${fromS}):shortest=1,setpts=PTS+${fromS}/TB[bar]`,
  ...['-map', '[bar]', ...(sound ? ['-map', '2:a', '-c:a', 'aac'] : []), '-vsync', 'vfr'],
];
const groupsOf5s = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'];

/** The ffmpeg arguments of each file; files last 6 s unless the name says otherwise. */
const recipes = {
  'plain.mp4': [...scene(6), ...h264, ...whole],
  'sound.mp4': [...scene(6), ...tone(6), ...h264, '-c:a', 'aac', ...whole],
  'sound-21s.mp4': [...scene(21), ...tone(21), ...h264, '-c:a', 'aac', ...whole],
  // Its last frame alone is a keyframe, more than four seconds after the one before; the audio ends earlier.
  'tiny-end.mp4': [
    ...['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=25:duration=8.24', ...tone(8.1)],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '1000', '-sc_threshold', '0'],
    ...['-force_key_frames', '4.1,8.2', '-c:a', 'aac', ...whole],
  ],
  'sound-stops-at-5s.mp4': [...scene(21), ...tone(5), ...h264, '-c:a', 'aac', ...whole],
  'mp3-stops-at-15s.mp4': [...scene(21), ...tone(15), ...h264, '-c:a', 'libmp3lame', ...whole],
  'sound-from-6s.mp4': [
    ...[...scene(21), '-itsoffset', '6', ...tone(15), ...h264, '-c:a', 'aac', ...whole],
  ],
  'clip-of-59s.mp4': [...scene(59), ...h264, ...whole],
  'index-at-end.mp4': [...scene(6), ...h264],
  'fragments.mp4': [...scene(6), ...h264, '-movflags', 'frag_keyframe+empty_moov'],
  'quicktime-pcm.mov': [...scene(6), ...tone(6), ...h264, '-c:a', 'pcm_mulaw'],
  'pcm.avi': [...scene(6), ...tone(6), ...h264, '-bf', '0', '-c:a', 'pcm_s16le'],
  'reordered.avi': [...scene(6), ...h264],
  'mjpeg.avi': [...scene(6), '-c:v', 'mjpeg'],
  'alaw.mkv': [...scene(6), ...tone(6), ...h264, '-c:a', 'pcm_alaw'],
  'opus.webm': [...scene(6), ...tone(6), '-c:v', 'libvpx', '-c:a', 'libopus'],
  'hevc.mp4': [...scene(6), '-c:v', 'libx265', '-x265-params', 'log-level=none'],
  'colour-422.mp4': [...scene(6), '-c:v', 'libx264', '-pix_fmt', 'yuv422p', ...whole],
  'odd-size.mp4': [...scene(6, '161x121'), '-c:v', 'libx264', '-pix_fmt', 'yuv444p', ...whole],
  'raw.h264': [...scene(6), ...h264, '-bf', '0'],
  'raw-reordered.h264': [...scene(6), ...h264],
  'offset.ts': [
    ...[...scene(6), ...tone(6), ...h264, '-c:a', 'aac'],
    ...['-output_ts_offset', '33000', '-f', 'mpegts'],
  ],
  // Ten frames a second, then two, then ten: a camera that slows down in the dark.
  'variable-10s.mp4': [
    ...scene(6),
    ...['-vf', "setpts='if(lt(N,20),N,if(lt(N,30),20+(N-20)*5,70+N-30))/10/TB'", '-vsync', 'vfr'],
    ...[...h264, ...whole],
  ],
  'uneven-hevc.ts': [
    ...[...scene(6), ...unevenSteps, '-c:v', 'libx265', '-x265-params', 'log-level=none'],
    ...['-f', 'mpegts'],
  ],
  'uneven-mjpeg.mkv': [...scene(6), ...unevenSteps, '-c:v', 'mjpeg'],
  'uneven-422.mp4': [
    ...[...scene(6), ...unevenSteps, '-c:v', 'libx264', '-pix_fmt', 'yuv422p', ...whole],
  ],
  'uneven.ts': [...scene(6), ...unevenSteps, ...h264, '-f', 'mpegts'],
  'uneven.mkv': [...scene(6), ...unevenSteps, ...h264],
  'first-half.ts': [...scene(3), ...h264, '-bf', '0', '-output_ts_offset', '60', '-f', 'mpegts'],
  'second-half.ts': [...scene(3), ...h264, '-bf', '0', '-output_ts_offset', '30', '-f', 'mpegts'],
  'after-pause.ts': [...scene(3), ...h264, '-bf', '0', '-output_ts_offset', '100', '-f', 'mpegts'],
  'bar.ts': [...bar(30), '-c:v', 'libx264', ...groupsOf5s],
  'bar-silent.ts': [...bar(30, { sound: false }), '-c:v', 'libx264', ...groupsOf5s],
  'bar-hevc.ts': [...bar(30), ...['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=50']],
  // Sound from 0 on, or nothing, and frames from 5 s on.
  'late-frames.mp4': [...bar(25, { fromS: 5 }), '-c:v', 'libx264', ...groupsOf5s, ...whole],
  'late-frames.mkv': [...bar(25, { fromS: 5 }), '-c:v', 'libx264', ...groupsOf5s],
  'late-start.mp4': [
    ...[...bar(22, { fromS: 8, sound: false }), '-c:v', 'libx264', ...groupsOf5s, ...whole],
  ],
} satisfies Record<string, readonly string[]>;

/** Files cut from others in the middle of a group of pictures (GOP): at 11.2 s, 3.8 s before the next group. */
const cut = {
  'mid-group.ts': ['bar.ts', '-an'],
  'mid-group-sound.ts': ['bar.ts'],
  'mid-group-hevc.ts': ['bar-hevc.ts'],
  'mid-group.h264': ['bar.ts', '-an'],
} satisfies Record<string, readonly [keyof typeof recipes, ...string[]]>;

/** Files that join two others. */
const joined = {
  'clock-set-back.ts': ['first-half.ts', 'second-half.ts'],
  'pause-of-40s.ts': ['first-half.ts', 'after-pause.ts'],
} satisfies Record<string, readonly [keyof typeof recipes, keyof typeof recipes]>;

/** Files that begin inside another, at any packet. */
const torn = {
  'torn.ts': 'bar.ts',
  'torn-silent.ts': 'bar-silent.ts',
} satisfies Record<string, keyof typeof recipes>;
const TS_PACKET = 188;
/** The packets of a transport stream before its first frame, bytes. */
const TS_HEAD = 3 * TS_PACKET;

export type OddVideo =
  | keyof typeof recipes
  | keyof typeof cut
  | keyof typeof joined
  | keyof typeof torn;

/**
 * Makes a file.
 * @returns its path
 */
export function makeOddVideo(folder: string, name: OddVideo): string {
  const file = path.join(folder, name);
  if (name === 'clock-set-back.ts' || name === 'pause-of-40s.ts') {
    const parts = joined[name].map((part) => readFileSync(makeOddVideo(folder, part)));
    writeFileSync(file, Buffer.concat(parts));
    return file;
  }
  if (name === 'torn.ts' || name === 'torn-silent.ts') {
    const whole = readFileSync(makeOddVideo(folder, torn[name]));
    const from = TS_PACKET * Math.floor((whole.length * 0.4) / TS_PACKET);
    writeFileSync(file, Buffer.concat([whole.subarray(0, TS_HEAD), whole.subarray(from)]));
    return file;
  }
  mkdirSync(folder, { recursive: true });
  execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', '-y', ...recipeOf(folder, name), file]);
  return file;
}

function recipeOf(
  folder: string,
  name: keyof typeof recipes | keyof typeof cut,
): readonly string[] {
  if (!(name in cut)) return recipes[name as keyof typeof recipes];
  const [from, ...options] = cut[name as keyof typeof cut];
  const whole = makeOddVideo(folder, from);
  return ['-i', whole, '-ss', '11.2', '-c', 'copy', '-copyinkf', ...options];
}
