// A file that was cut ends in the middle of a frame or of an audio packet. Browsers end such a video with an error instead
// of its end.
import path from 'node:path';
import type { ContainerName } from './containers.ts';
import { isCutShort } from './cut-short.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { READ_LIMITS, runLimited } from './run-limited.ts';
import type { Packets } from './video-facts.ts';

/** Formats whose packets do not say how long they are: a cut leaves no other trace. */
const WITHOUT_LENGTHS: readonly ContainerName[] = ['mpegts', 'mpeg', 'h264', 'hevc'];
/** Beyond the longest group of pictures, so that a keyframe lies in it, ms. */
const MARGIN_MS = 1000;

/** Whether a received file may end in the middle of a frame. */
export async function mayBreakOff(file: string, container: ContainerName): Promise<boolean> {
  return WITHOUT_LENGTHS.includes(container) || (await isCutShort(file, container));
}

/**
 * Output options of ffmpeg that leave out the last frame and the last audio packet of a playable file, if its end cannot
 * be decoded.
 * @param made the playable file
 * @param packets of the received one
 * @returns none where the end decodes, or nothing would be left
 * @throws Error when the server was too busy
 */
export async function withoutBrokenEnd(
  ffmpeg: Ffmpeg,
  made: string,
  { longestGroup, usualMs }: Packets,
): Promise<string[]> {
  const tailS = ((longestGroup + 1) * usualMs + MARGIN_MS) / 1000;
  const decodes = await runLimited({
    program: ffmpeg.ffmpegPath,
    args: [
      ...['-nostdin', '-v', 'error', '-xerror', '-err_detect', 'explode', ...READ_LIMITS],
      ...['-sseof', `-${tailS.toFixed(3)}`, '-i', path.basename(made)],
      ...['-map', '0:v:0', '-map', '0:a:0?', '-f', 'null', '-'],
    ],
    beside: made,
  });
  if (decodes) return [];
  const { video = 0, audio = 0 } = await countPackets(ffmpeg, made);
  if (video < 2) return [];
  return ['-frames:v', String(video - 1), ...(audio < 2 ? [] : ['-frames:a', String(audio - 1)])];
}

// The number of packets of each kind.
async function countPackets(ffmpeg: Ffmpeg, file: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await runLimited({
    program: ffmpeg.ffprobePath,
    args: [
      ...['-v', 'error', ...READ_LIMITS, '-show_entries', 'packet=codec_type'],
      ...['-of', 'csv=p=0', path.basename(file)],
    ],
    beside: file,
    onLine: (line) => {
      const kind = line.replace(/\W+$/, '');
      counts[kind] = (counts[kind] ?? 0) + 1;
    },
  });
  return counts;
}
