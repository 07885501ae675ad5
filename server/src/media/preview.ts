import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ThumbnailSheet } from '@ridewatch/contract/fragments';
import { hasErrorCode } from '../core/errors.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { READ_LIMITS, runLimited } from './run-limited.ts';
import type { VideoFacts } from './video-facts.ts';

const TILE_WIDTH = 160;
const TILE_HEIGHTS = { least: 40, most: 320 };
const COLUMNS = 10;
const LEAST_STEP_MS = 2000;
const MOST_TILES = 100;

/** The layout of a video's thumbnail sheet. */
export function spriteOf(video: {
  durationMs: number;
  width: number;
  height: number;
}): ThumbnailSheet {
  const stepMs = Math.max(LEAST_STEP_MS, Math.ceil(video.durationMs / MOST_TILES));
  const count = Math.max(1, Math.ceil(video.durationMs / stepMs));
  const height = 2 * Math.round((TILE_WIDTH * video.height) / Math.max(video.width, 1) / 2);
  return {
    step_ms: stepMs,
    count,
    columns: Math.min(COLUMNS, count),
    tile_width: TILE_WIDTH,
    tile_height: Math.min(TILE_HEIGHTS.most, Math.max(TILE_HEIGHTS.least, height)),
  };
}

/**
 * Makes a JPEG of thumbnails, one every step, row by row.
 * @returns whether there is one: a video that cannot be decoded has none
 * @throws Error when the server was too busy
 */
export async function makePreview(
  ffmpeg: Ffmpeg,
  facts: VideoFacts,
  sprite: ThumbnailSheet,
  from: string,
  to: string,
): Promise<boolean> {
  const rows = Math.ceil(sprite.count / sprite.columns);
  // Keyframes suffice when every step has one: that costs a tenth.
  const areKeyframesEnough = facts.packets.longestGroup * facts.packets.usualMs <= sprite.step_ms;
  const filters = [
    // The last frame passes, too, so that a video of one frame has a thumbnail.
    `fps=1000/${sprite.step_ms}:start_time=0:eof_action=pass`,
    `scale=${sprite.tile_width}:${sprite.tile_height}`,
    `tile=${sprite.columns}x${rows}`,
  ];
  const done = await runLimited({
    program: ffmpeg.ffmpegPath,
    args: [
      ...['-nostdin', '-v', 'error', '-y', ...READ_LIMITS],
      ...(areKeyframesEnough ? ['-skip_frame', 'nokey'] : []),
      ...['-i', path.basename(from), '-map', '0:v:0', '-vf', filters.join(',')],
      ...['-frames:v', '1', '-q:v', '5', '-f', 'mjpeg', path.basename(to)],
    ],
    beside: from,
  });
  // ffmpeg succeeds even without a frame.
  return done && (await sizeOf(to)) > 0;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
