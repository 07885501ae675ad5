// Clips whose pictures are stored otherwise than they are shown. The top left quarter of a stored picture is white, its top
// right quarter grey, the rest dark.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ffmpeg } from './clip.ts';

const RATE = 10;
const ONE = 0x01_00_00;
/** Bytes from the type of a track header to its matrix (ISO/IEC 14496-12, section 8.3.2). */
const MATRIX_AT = 44;

/** The first two columns of the first two rows of a display matrix. */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

/** All ways to turn and mirror a picture. */
export const turns = {
  'half a turn': [-1, 0, 0, -1],
  'a quarter to the right': [0, 1, -1, 0],
  'a quarter to the left': [0, -1, 1, 0],
  'left and right': [-1, 0, 0, 1],
  'top and bottom': [1, 0, 0, -1],
  'along one diagonal': [0, 1, 1, 0],
  'along the other diagonal': [0, -1, -1, 0],
} satisfies Record<string, Matrix>;

/** Input options of ffmpeg for a clip. */
export const quarters = (seconds: number, size = '320x240'): string[] => {
  const quarter = 'w=iw/2:h=ih/2:t=fill';
  return [
    ...['-f', 'lavfi', '-i', `color=0x202020:size=${size}:rate=${RATE}:duration=${seconds}`],
    ...['-vf', `drawbox=x=0:y=0:${quarter}:c=white,drawbox=x=iw/2:y=0:${quarter}:c=0x808080`],
  ];
};
/** Coding with a keyframe each second, quickly. */
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'];

/** Runs ffmpeg. @returns the path of the file */
export function makeFile(folder: string, name: string, args: readonly string[]): string {
  const file = path.join(folder, name);
  execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', '-y', ...args, file]);
  return file;
}

/** Makes a clip of one second whose matrix turns the picture `quarters` draws. */
export function makeTurned(folder: string, name: string, [a, b, c, d]: Matrix): string {
  const file = makeFile(folder, name, [...quarters(1), ...h264, '-movflags', '+faststart']);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('tkhd') + MATRIX_AT;
  for (const [index, value] of [a, b, 0, c, d].entries())
    bytes.writeInt32BE(value * ONE, at + 4 * index);
  writeFileSync(file, bytes);
  return file;
}

/** The brightness in the middle of the quarters of a picture, row by row. */
export function quartersOf(file: string, atS = 0.5): string {
  const args = ['-ss', String(atS), '-i', file, '-frames:v', '1', '-vf', 'scale=64:64,format=gray'];
  const raw = execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', ...args, '-f', 'rawvideo', '-']);
  const shadeAt = (x: number, y: number): string => {
    const value = raw[y * 64 + x] ?? 0;
    if (value > 200) return 'white';
    return value > 90 ? 'grey' : 'dark';
  };
  return [shadeAt(16, 16), shadeAt(48, 16), shadeAt(16, 48), shadeAt(48, 48)].join(' ');
}
