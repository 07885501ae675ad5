import { WIDTH } from './frame.ts';
import { GLYPH_COLUMNS, GLYPH_ROWS, glyphOf } from './letters.ts';

const DOT = 2;
const ADVANCE = (GLYPH_COLUMNS + 1) * DOT;
const INK = 232;
const RIM = 20;

/** Height of a caption line, pixels. */
export const CAPTION_HEIGHT = GLYPH_ROWS * DOT + 2;

/**
 * Creates a function that burns a line of text into frames: light letters with a dark rim on a transparent ground, so
 * that heads stay visible. Text that does not fit is cut off.
 */
export function captionAt(left: number, top: number): (frame: Uint8Array, text: string) => void {
  let known = '';
  // The text rarely changes from frame to frame.
  let painted: { at: number; luma: number }[] = [];
  return (frame, text) => {
    if (text !== known) {
      known = text;
      painted = paint(text, left, top);
    }
    for (const { at, luma } of painted) frame[at] = luma;
  };
}

function paint(text: string, left: number, top: number): { at: number; luma: number }[] {
  const pixels = new Map<number, number>();
  const square = (x: number, y: number, side: number, luma: number) => {
    for (let index = 0; index < side * side; index++) {
      pixels.set((y + Math.floor(index / side)) * WIDTH + x + (index % side), luma);
    }
  };
  const fitting = [...text].slice(0, Math.floor((WIDTH - left - 2) / ADVANCE));
  const dots = fitting.flatMap((letter, index) =>
    dotsOf(letter).map(({ x, y }) => ({ x: left + 1 + index * ADVANCE + x, y: top + 1 + y })),
  );
  for (const dot of dots) square(dot.x - 1, dot.y - 1, DOT + 2, RIM);
  for (const dot of dots) square(dot.x, dot.y, DOT, INK);
  return Array.from(pixels, ([at, luma]) => ({ at, luma }));
}

function dotsOf(letter: string): { x: number; y: number }[] {
  return glyphOf(letter).flatMap((dots, row) =>
    [...dots].flatMap((dot, column) => (dot === '#' ? [{ x: column * DOT, y: row * DOT }] : [])),
  );
}
