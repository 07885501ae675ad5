import { type Backdrop, paintBackdrop, patternAt } from './backdrop.ts';
import type { Light } from './daylight.ts';
import { type Colour, fill, WIDTH } from './frame.ts';

/** A place for a person in the cabin, by the middle of the head, pixels. */
export interface PlaceInCabin {
  x: number;
  y: number;
  standing: boolean;
}

const WINDOW_HEIGHT = 24;
const SEAT_ROWS = [52, 88, 152, 188] as const;
const SEAT_PITCH = 46;
const FIRST_SEAT = 26;
const SEATS_A_ROW = 7;
const SEAT_HALF_HEIGHT = 15;
const LAMP_EVERY = 96;

/** Every place in view: seats by the windows, standing room in the aisle. */
export const PLACES: readonly PlaceInCabin[] = [
  ...SEAT_ROWS.flatMap((y) =>
    Array.from({ length: SEATS_A_ROW }, (_, index) => seat(FIRST_SEAT + index * SEAT_PITCH, y)),
  ),
  ...Array.from({ length: 8 }, (_, index) => ({
    x: 24 + index * 38,
    y: 120 + (index % 2 === 0 ? -4 : 4),
    standing: true,
  })),
];

const backdrops = new Map<string, Backdrop>();

/** The empty cabin from above, in a light. */
export function cabinBackdrop(light: Light): Backdrop {
  const key = light.street.toFixed(2);
  const known = backdrops.get(key);
  if (known) return known;
  const painted = paintBackdrop((x, y) => lit(x, y, light), WINDOW_HEIGHT);
  backdrops.set(key, painted);
  return painted;
}

/** Draws the street behind both rows of windows: bright and dark, moving backwards. */
export function passStreet(frame: Uint8Array, index: number, light: Light): void {
  const moved = (index * 6) % (LAMP_EVERY * 2);
  for (const top of [6, 240 - WINDOW_HEIGHT + 6]) {
    for (let x = -LAMP_EVERY * 2; x < WIDTH; x += LAMP_EVERY) {
      const left = Math.max(0, x + moved);
      const right = Math.min(WIDTH, x + moved + 30);
      if (right <= left) continue;
      const bright = patternAt(Math.round(x / LAMP_EVERY) & 1, top) < 0.5 ? 82 : 150;
      fill(frame, left, top, right - left, 8, [bright * light.street, 126, 128]);
    }
  }
}

function lit(x: number, y: number, light: Light): Colour {
  const inWindow = y < WINDOW_HEIGHT || y >= 240 - WINDOW_HEIGHT;
  const [luma, u, v] = inWindow ? windowAt(x, y) : floorAt(x, y);
  return [luma * (inWindow ? light.street : light.bus), u, v];
}

function windowAt(x: number, y: number): Colour {
  if (x % 80 < 6 || y === WINDOW_HEIGHT - 1 || y === 240 - WINDOW_HEIGHT) return [52, 128, 128];
  return [126 - 6 * ((y % 8) / 8), 134, 124];
}

function floorAt(x: number, y: number): Colour {
  for (const row of SEAT_ROWS) {
    const acrossPx = Math.abs(y - row);
    const along = x - FIRST_SEAT + SEAT_PITCH / 2;
    const seatIndex = Math.floor(along / SEAT_PITCH);
    const insidePx = along - seatIndex * SEAT_PITCH;
    if (acrossPx > SEAT_HALF_HEIGHT || seatIndex < 0 || seatIndex >= SEATS_A_ROW) continue;
    if (insidePx > 30 && insidePx < 39) return [70, 146, 120];
    if (insidePx > 8 && insidePx <= 30) return [92 + 8 * patternAt(x >> 1, y >> 1), 150, 116];
  }
  if (Math.abs(y - 120) < 2 && x % 76 < 3) return [176, 92, 146];
  return [98 + 6 * patternAt(x >> 3, y >> 3), 130, 126];
}

function seat(x: number, y: number): PlaceInCabin {
  return { x, y, standing: false };
}
