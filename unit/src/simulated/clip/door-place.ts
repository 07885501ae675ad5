import { type Backdrop, paintBackdrop, patternAt } from './backdrop.ts';
import type { Light } from './daylight.ts';
import { type Colour, fill } from './frame.ts';
import { SILL_Y } from './walks.ts';

const DOORWAY = { left: 52, right: 268 };
const WALL = { top: SILL_Y - 14, bottom: SILL_Y + 8 };
const LEAF_TOP = SILL_Y - 12;
const LEAF_HEIGHT = 8;
const FOLDED_PX = 14;
const LEAF_MS = 900;
const RAILS = [
  { x: 60, y: 140 },
  { x: 260, y: 140 },
];

const backdrops = new Map<string, Backdrop>();

/** The empty doorway from above, in a light: pavement, kerb, sill, floor of the bus. */
export function doorBackdrop(light: Light): Backdrop {
  const key = `${light.street.toFixed(2)} ${light.bus.toFixed(2)}`;
  const known = backdrops.get(key);
  if (known) return known;
  const painted = paintBackdrop((x, y) => lit(x, y, light), SILL_Y);
  backdrops.set(key, painted);
  return painted;
}

/**
 * Draws both leaves of the door, which meet in the middle when closed and are fully open from `doorOpenMs` to
 * `doorCloseMs`.
 */
export function drawLeaves(
  frame: Uint8Array,
  momentMs: number,
  scene: { doorOpenMs: number; doorCloseMs: number },
  light: Light,
): void {
  const opening = (scene.doorOpenMs - momentMs) / LEAF_MS;
  const closing = (momentMs - scene.doorCloseMs) / LEAF_MS;
  const closed = Math.max(0, Math.min(1, Math.max(opening, closing)));
  const span = (DOORWAY.right - DOORWAY.left) / 2 - FOLDED_PX;
  const length = 2 * Math.round((FOLDED_PX + span * closed) / 2);
  const frameColour: Colour = [58 * light.bus, 128, 128];
  const glass: Colour = [118 * light.street, 136, 124];
  const rubber: Colour = [26, 128, 128];
  for (const left of [DOORWAY.left, DOORWAY.right - length]) {
    fill(frame, left, LEAF_TOP, length, LEAF_HEIGHT, frameColour);
    fill(frame, left + 4, LEAF_TOP + 2, length - 8, 4, glass);
  }
  fill(frame, DOORWAY.left + length - 4, LEAF_TOP, 4, LEAF_HEIGHT, rubber);
  fill(frame, DOORWAY.right - length, LEAF_TOP, 4, LEAF_HEIGHT, rubber);
}

function lit(x: number, y: number, light: Light): Colour {
  const [luma, u, v] = paintAt(x, y);
  if (y < WALL.top) return [luma * (light.street - (y > WALL.top - 8 ? 0.12 : 0)), u, v];
  // The bus's lamps are slightly warm where the sun does not outshine them.
  const warmth = Math.max(0, 1 - light.street) * 5;
  return [luma * light.bus, u - warmth, v + warmth * 0.6];
}

function paintAt(x: number, y: number): Colour {
  if (y < 74) return pavement(x, y);
  if (y < 84) return x % 80 < 2 ? [96, 128, 128] : [152, 128, 128];
  if (y < WALL.top) return [74 + 10 * patternAt(x >> 1, y >> 1), 128, 128];
  if (y < WALL.bottom) {
    if (x < DOORWAY.left || x >= DOORWAY.right) return wall(x, y);
    return sill(x, y);
  }
  for (const rail of RAILS) {
    const far = Math.hypot(x - rail.x, y - rail.y);
    if (far < 5) return [184 - 12 * far, 92, 146];
    if (far < 8) return [44, 128, 128];
  }
  return floor(x, y);
}

function pavement(x: number, y: number): Colour {
  const row = Math.floor(y / 18);
  const shifted = x + (row % 2) * 18;
  if (y % 18 === 0 || shifted % 36 === 0) return [94, 127, 129];
  const tile = patternAt(Math.floor(shifted / 36), row);
  return [124 + 18 * tile, 127, 130];
}

function wall(x: number, y: number): Colour {
  if (y < WALL.top + 3) return [150, 140, 118];
  return y > WALL.bottom - 4 ? [90, 128, 128] : [62 + 8 * patternAt(x >> 3, 0), 130, 127];
}

function sill(x: number, y: number): Colour {
  if (y >= SILL_Y - 1 && y < SILL_Y + 4) return [190, 62, 146];
  if (y >= SILL_Y + 4) return [72, 128, 128];
  return x % 6 < 2 ? [104, 128, 128] : [138, 128, 128];
}

function floor(x: number, y: number): Colour {
  const dotX = (x % 10) - 5;
  const dotY = (y % 10) - 5;
  const raised = dotX * dotX + dotY * dotY < 6 ? 16 : 0;
  return [86 + raised + 6 * patternAt(x >> 4, y >> 4), 132, 124];
}
