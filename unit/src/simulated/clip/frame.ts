import { u8 } from '@ridewatch/contract/columns';

/** Frame size of every simulated camera, pixels; frames are I420 with one byte a sample. */
export const WIDTH = 320;
export const HEIGHT = 240;
/** Frames per second. */
export const RATE = 10;
/** Bytes of one frame: luma, then two chroma planes of half the width and height. */
export const FRAME_BYTES = (WIDTH * HEIGHT * 3) / 2;

const FRAME_MS = 1000 / RATE;
const HALF_WIDTH = WIDTH / 2;
const U_START = WIDTH * HEIGHT;
const V_START = U_START + U_START / 4;

/** A video colour: luma 16–235, chroma around 128. */
export type Colour = readonly [y: number, u: number, v: number];

/** Number of frames of a fragment [startMs, endMs): its length to the nearest frame, at least one. */
export function frameCount(fragment: { startMs: number; endMs: number }): number {
  return Math.max(1, Math.round((fragment.endMs - fragment.startMs) / FRAME_MS));
}

/** The time of a frame, ms since 1970 UTC. */
export function momentOfFrame(fragment: { startMs: number }, index: number): number {
  return fragment.startMs + index * FRAME_MS;
}

/** A small image with transparency: luma at full, chroma at half resolution. */
export interface Sprite {
  /** Even, as is the height. */
  width: number;
  height: number;
  luma: Uint8Array;
  alpha: Uint8Array;
  u: Uint8Array;
  v: Uint8Array;
  chromaAlpha: Uint8Array;
}

/**
 * Draws a sprite over a frame, clipped at the edges.
 * @param left whole pixels; it and `top` may lie outside the frame
 * @param light brightness, 1 for the painted one
 */
export function lay(
  frame: Uint8Array,
  sprite: Sprite,
  left: number,
  top: number,
  light: number,
): void {
  const gain = Math.round(light * 256);
  const { width, luma, alpha } = sprite;
  const right = Math.min(width, WIDTH - left);
  const bottom = Math.min(sprite.height, HEIGHT - top);
  for (let y = Math.max(0, -top); y < bottom; y++) {
    let from = y * width + Math.max(0, -left);
    const until = y * width + right;
    let to = (top + y) * WIDTH + left + Math.max(0, -left);
    for (; from < until; from++, to++) {
      const cover = u8(alpha, from);
      if (cover === 0) continue;
      const lit = (u8(luma, from) * gain) >> 8;
      const under = u8(frame, to);
      frame[to] = under + (((lit - under) * cover) >> 8);
    }
  }
  layChroma(frame, sprite, left >> 1, top >> 1);
}

/** Fills a rectangle inside the frame; even coordinates keep its chroma from bleeding. */
export function fill(
  frame: Uint8Array,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: Colour,
): void {
  for (let y = top; y < top + height; y++) {
    frame.fill(colour[0], y * WIDTH + left, y * WIDTH + left + width);
  }
  const half = { left: left >> 1, width: (width + 1) >> 1 };
  for (let y = top >> 1; y < (top + height + 1) >> 1; y++) {
    const start = y * HALF_WIDTH + half.left;
    frame.fill(colour[1], U_START + start, U_START + start + half.width);
    frame.fill(colour[2], V_START + start, V_START + start + half.width);
  }
}

function layChroma(frame: Uint8Array, sprite: Sprite, left: number, top: number): void {
  const width = sprite.width >> 1;
  const right = Math.min(width, HALF_WIDTH - left);
  const bottom = Math.min(sprite.height >> 1, HEIGHT / 2 - top);
  for (let y = Math.max(0, -top); y < bottom; y++) {
    for (let x = Math.max(0, -left); x < right; x++) {
      const from = y * width + x;
      const cover = u8(sprite.chromaAlpha, from);
      if (cover === 0) continue;
      const to = U_START + (top + y) * HALF_WIDTH + left + x;
      const underU = u8(frame, to);
      const underV = u8(frame, to + V_START - U_START);
      frame[to] = underU + (((u8(sprite.u, from) - underU) * cover) >> 8);
      frame[to + V_START - U_START] = underV + (((u8(sprite.v, from) - underV) * cover) >> 8);
    }
  }
}
