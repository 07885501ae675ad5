import { GLYPH_COLUMNS, GLYPH_ROWS, glyphOf } from './letters.ts';
import { type Colour, fill, WIDTH } from './picture.ts';

const DOT = 2;
const ADVANCE = (GLYPH_COLUMNS + 1) * DOT;
const PAPER: Colour = [24, 128, 128];
const INK = 226;

/** How high a line of caption is, in pixels. */
export const CAPTION_HEIGHT = GLYPH_ROWS * DOT + 6;

/** Burns a line of text into a frame, light on a dark strip; what does not fit is cut off. */
export function caption(frame: Uint8Array, text: string, left: number, top: number): void {
  const fitting = [...text].slice(0, Math.floor((WIDTH - left - 6) / ADVANCE));
  fill(frame, left, top, fitting.length * ADVANCE + 6, CAPTION_HEIGHT, PAPER);
  for (const [index, letter] of fitting.entries()) {
    const x = left + 4 + index * ADVANCE;
    for (const [row, dots] of glyphOf(letter).entries()) {
      for (let column = 0; column < GLYPH_COLUMNS; column++) {
        if (dots[column] !== '#') continue;
        const at = (top + 3 + row * DOT) * WIDTH + x + column * DOT;
        frame.fill(INK, at, at + DOT);
        frame.fill(INK, at + WIDTH, at + WIDTH + DOT);
      }
    }
  }
}
