import { formatMoment } from '@ridewatch/contract/day';
import { CAPTION_HEIGHT, captionAt } from './caption.ts';
import type { Clip } from './clip.ts';
import { type Light, lightAt } from './daylight.ts';
import { doorBackdrop, drawLeaves } from './door-place.ts';
import { figure, HEADINGS, LOOKS, STEPS, shadow } from './figures.ts';
import { frameCount, HEIGHT, lay, momentOfFrame } from './frame.ts';
import type { DoorScene } from './scene.ts';
import { type Place, placesAt, planWalks, SILL_Y } from './walks.ts';

export const CLOCK_PATTERN = 'DD.MM.YYYY HH:mm:ss';

const SIZE = { adult: 1, child: 0.64 };
const STEP_PX = 7;
const GLANCE_MS = 120;

/** The clip of a camera above a door. */
export function doorClip(scene: DoorScene): Clip {
  const walks = planWalks(scene);
  const light = lightAt(scene.startMs, scene.zone);
  const backdrop = doorBackdrop(light);
  const clock = clockOf(scene);
  const burnClock = captionAt(4, 4);
  const burnName = captionAt(4, HEIGHT - CAPTION_HEIGHT - 4);
  return {
    frames: frameCount(scene),
    draw(index, frame) {
      const momentMs = momentOfFrame(scene, index);
      frame.set(backdrop[(index + scene.seed) % backdrop.length] as Uint8Array);
      drawLeaves(frame, momentMs, scene, light);
      const places = placesAt(walks, momentMs);
      const before = placesAt(walks, momentMs - GLANCE_MS);
      for (const place of places) drawShadow(frame, place, light);
      for (const place of places) {
        const earlier = before.find((other) => other.walk === place.walk) ?? place;
        drawPerson(frame, place, earlier, light);
      }
      burnClock(frame, clock(momentMs));
      burnName(frame, `${scene.busName} · ДВЕРЬ ${scene.door}`);
    },
  };
}

/** The burnt-in clock of a camera: local time, updated once a second. */
export function clockOf(scene: { zone: string }): (momentMs: number) => string {
  let second = Number.NaN;
  let text = '';
  return (momentMs) => {
    const now = Math.floor(momentMs / 1000);
    if (now !== second) {
      second = now;
      text = formatMoment(now * 1000, scene.zone, CLOCK_PATTERN);
    }
    return text;
  };
}

function drawShadow(frame: Uint8Array, place: Place, light: Light): void {
  const cast = shadow(SIZE[place.walk.crossing.passenger]);
  const outside = place.y < SILL_Y;
  const left = place.x - cast.width / 2 + (outside ? light.shadowPx : 3);
  lay(frame, cast, Math.round(left), Math.round(place.y - cast.height / 2) + 4, 1);
}

function drawPerson(frame: Uint8Array, place: Place, earlier: Place, light: Light): void {
  const { walk } = place;
  const movedX = place.x - earlier.x;
  const movedY = place.y - earlier.y;
  const stands = Math.hypot(movedX, movedY) < 1;
  // A standing person looks at the door, in the middle of the frame.
  const towards = stands ? [160 - place.x, (SILL_Y - place.y) * 2] : [movedX, movedY];
  const turn = Math.atan2(towards[1] ?? 0, towards[0] ?? 0) / (2 * Math.PI);
  const heading = Math.round((turn + 1) * HEADINGS) % HEADINGS;
  const step = stands ? undefined : Math.floor(Math.abs(place.distancePx) / STEP_PX) % STEPS;
  const look = Math.floor(walk.look * LOOKS);
  const sprite = figure(SIZE[walk.crossing.passenger], look, heading, step);
  const indoors = Math.max(0, Math.min(1, (place.y - SILL_Y + 30) / 60));
  const brightness = light.street + (light.bus - light.street) * indoors;
  const left = Math.round(place.x) - sprite.width / 2;
  lay(frame, sprite, left, Math.round(place.y) - sprite.height / 2, brightness);
}
