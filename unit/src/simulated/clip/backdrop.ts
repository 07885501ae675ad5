import { type Colour, FRAME_BYTES, HEIGHT, WIDTH } from './frame.ts';
import { seeded } from './seeded.ts';

/** Frames of the empty scene that differ only in noise. */
export type Backdrop = readonly Uint8Array[];

const GRAIN = 5;
/** A few noisy frames in turn look like fresh noise, at the cost of a copy. */
const NOISE_FRAMES = 3;
const NOISE = 1.6;

/**
 * Paints the empty scene pixel by pixel.
 * @param colourAt the lit colour of a pixel, before grain, noise and vignetting
 */
export function paintBackdrop(colourAt: (x: number, y: number) => Colour, seed: number): Backdrop {
  const random = seeded(seed);
  const clean = new Float32Array(WIDTH * HEIGHT);
  const chroma = new Uint8Array(FRAME_BYTES);
  const uStart = WIDTH * HEIGHT;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const colour = colourAt(x, y);
      const off = ((x - WIDTH / 2) / WIDTH) ** 2 + ((y - HEIGHT / 2) / HEIGHT) ** 2;
      clean[y * WIDTH + x] = colour[0] * (1 - 0.42 * off) + (random() - 0.5) * GRAIN;
      if (x % 2 === 0 && y % 2 === 0) {
        const at = uStart + ((y / 2) * WIDTH) / 2 + x / 2;
        chroma[at] = colour[1];
        chroma[at + uStart / 4] = colour[2];
      }
    }
  }
  return Array.from({ length: NOISE_FRAMES }, () => {
    const frame = chroma.slice();
    for (let index = 0; index < clean.length; index++) {
      const noisy = (clean[index] ?? 0) + (random() - 0.5) * 2 * NOISE;
      frame[index] = Math.max(16, Math.min(235, noisy));
    }
    return frame;
  });
}

/** A fixed value in [0, 1) for a cell of a pattern, such as tiles, stains or dots. */
export function patternAt(column: number, row: number): number {
  const mixed = Math.imul(column * 374_761_393 + row * 668_265_263, 1_274_126_177);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
}
