// How the pictures of a file are shown: their pixels may be oblong, the file may turn them, and a camera that is switched
// to another resolution changes their size within a file.
import path from 'node:path';
import type { FrameSize } from '@ridewatch/contract/merges';
import type { Ffmpeg } from './ffmpeg.ts';
import { READ_LIMITS, runLimited, timeLimitOf } from './run-limited.ts';

/** A pixel aspect beyond this is an error of the file, not the shape of a sensor: such pixels count as square. */
const WIDEST_PIXEL = 4;
/** Most pictures of different shapes that are told apart. */
const MOST_SHAPES = 32;
/** Timeout of reading them, as of the encoder, ms for each ms of video: of some codecs every frame is a keyframe. */
const PER_MEDIA_MS = 2;

/** The stored form of pictures. */
export interface PictureShape extends FrameSize {
  /** Width of a pixel in its heights. */
  readonly aspect: number;
}

/**
 * Reads a pixel aspect ratio.
 * @param text `16:11` or `16/11`
 * @returns width of a pixel in its heights; 1 for an unknown one
 */
export function pixelAspectOf(text: string | undefined): number {
  const [across, down] = (text ?? '').split(/[:/]/).map(Number);
  const aspect = across && down ? across / down : 1;
  return aspect <= WIDEST_PIXEL && aspect >= 1 / WIDEST_PIXEL ? aspect : 1;
}

/** The size at which a picture is shown on square pixels. */
export function shownSize({ width, height, aspect }: PictureShape): FrameSize {
  return { width: Math.round(width * aspect), height };
}

/**
 * The shapes of the pictures of a file, from its keyframes: the header tells only the first. Costs the start of ffmpeg, and
 * 3 ms a keyframe of 768 × 432.
 * @param mediaMs length of the file
 * @returns each shape once; none when no keyframe decodes
 * @throws Error when the server was too busy
 */
export async function listShapes(
  ffmpeg: Ffmpeg,
  file: string,
  mediaMs: number,
): Promise<PictureShape[]> {
  const shapes = new Map<string, PictureShape>();
  await runLimited({
    program: ffmpeg.ffmpegPath,
    args: [
      ...['-nostdin', '-hide_banner', '-v', 'info', '-nostats', ...READ_LIMITS],
      ...['-noautorotate', '-skip_frame', 'nokey', '-i', path.basename(file)],
      ...['-map', '0:v:0', '-vf', 'showinfo', '-f', 'null', '-'],
    ],
    beside: file,
    timeLimitMs: timeLimitOf(mediaMs, PER_MEDIA_MS),
    reads: 'stderr',
    onLine: (line) => {
      const [, aspect, width, height] = /\bsar:(\d+\/\d+) s:(\d+)x(\d+) /.exec(line) ?? [];
      if (aspect === undefined || shapes.size >= MOST_SHAPES) return;
      const shape = { width: Number(width), height: Number(height), aspect: pixelAspectOf(aspect) };
      shapes.set(JSON.stringify(shape), shape);
    },
  });
  return [...shapes.values()];
}

/**
 * Filters of ffmpeg that fit pictures of any shape into frames, with bars beside or above them, undistorted.
 * @param aspect width of a pixel of the frame, as a fraction: `1/1`
 */
export function fitInto({ width, height }: FrameSize, aspect = '1/1'): string[] {
  const pixel = pixelAspectOf(aspect);
  const across = `2*round(min(${width}\\,${height}*dar/${pixel})/2)`;
  const down = `2*round(min(${height}\\,${width}*${pixel}/dar)/2)`;
  return [
    `scale=w='${across}':h='${down}'`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:eval=frame`,
    `setsar=${aspect}`,
  ];
}

/** The nearest size with an even width and height, as H.264 4:2:0 wants it. */
export function evenSize({ width, height }: FrameSize): FrameSize {
  return {
    width: 2 * Math.max(1, Math.round(width / 2)),
    height: 2 * Math.max(1, Math.round(height / 2)),
  };
}

/** The turn that the display matrix of a file gives its pictures. */
export interface Turn {
  /** Whether players must turn or mirror the pictures. */
  readonly isTurned: boolean;
  /** Whether width and height change places. */
  readonly isOnSide: boolean;
}

/**
 * Reads a display matrix (ISO/IEC 14496-12, section 6.2.2).
 * @param text as ffprobe prints it, three rows of three numbers; undefined without one
 */
export function turnOf(text: string | undefined): Turn {
  const rows = (text ?? '').split('\\n').flatMap((row) => row.split(':')[1] ?? []);
  const [a = 0, b = 0, c = 0, d = 0] = rows
    .slice(0, 2)
    .flatMap((row) => row.trim().split(/\s+/).slice(0, 2).map(Number));
  if (rows.length === 0) return { isTurned: false, isOnSide: false };
  return { isTurned: !(a > 0 && d > 0 && b === 0 && c === 0), isOnSide: Math.abs(b) > Math.abs(a) };
}
