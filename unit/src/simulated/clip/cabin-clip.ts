import { cabinBackdrop, PLACES, type PlaceInCabin, passStreet } from './cabin-place.ts';
import { CAPTION_HEIGHT, captionAt } from './caption.ts';
import type { Clip } from './clip.ts';
import { lightAt } from './daylight.ts';
import { clockOf } from './door-clip.ts';
import { figure, HEADINGS, LOOKS, shadow } from './figures.ts';
import { frameCount, HEIGHT, lay, momentOfFrame } from './frame.ts';
import type { CabinScene } from './scene.ts';
import { seeded } from './seeded.ts';

const SIZE = 0.56;

interface Passenger {
  at: PlaceInCabin;
  look: number;
  /** Rate and phase of the swaying, radians a second and radians. */
  rate: number;
  phase: number;
}

/**
 * The clip of a cabin camera: people take seats first, then stand. It shows at most as many people as there are places
 * in view.
 */
export function cabinClip(scene: CabinScene): Clip {
  const light = lightAt(scene.startMs, scene.zone);
  const backdrop = cabinBackdrop(light);
  const passengers = board(scene);
  const clock = clockOf(scene);
  const burnClock = captionAt(4, 4);
  const burnName = captionAt(4, HEIGHT - CAPTION_HEIGHT - 4);
  const cast = shadow(SIZE);
  return {
    frames: frameCount(scene),
    draw(index, frame) {
      const momentMs = momentOfFrame(scene, index);
      frame.set(backdrop[(index + scene.seed) % backdrop.length] as Uint8Array);
      passStreet(frame, index, light);
      for (const { at } of passengers) {
        lay(frame, cast, at.x - cast.width / 2 + 2, at.y - cast.height / 2 + 3, 1);
      }
      for (const passenger of passengers) drawPassenger(frame, passenger, index, light.bus);
      burnClock(frame, clock(momentMs));
      burnName(frame, `${scene.busName} · ${scene.camera}`);
    },
  };
}

function board(scene: CabinScene): Passenger[] {
  const random = seeded(scene.seed);
  const inOrder = PLACES.map((at) => ({ at, rank: random() + (at.standing ? 1 : 0) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, Math.max(0, scene.onBoard));
  return inOrder.map(({ at }) => ({
    at,
    look: Math.floor(random() * LOOKS),
    rate: 0.5 + random(),
    phase: random() * 2 * Math.PI,
  }));
}

function drawPassenger(
  frame: Uint8Array,
  passenger: Passenger,
  index: number,
  light: number,
): void {
  const { at, look, rate, phase } = passenger;
  const swing = Math.sin((index / 10) * rate + phase);
  const reach = at.standing ? 2.2 : 0.8;
  // A seated person looks ahead, to the left of the frame; sometimes a head turns.
  const turned = at.standing ? Math.floor(phase * 2.5) : 0;
  const glance = swing > 0.97 ? 1 : 0;
  const sprite = figure(SIZE, look, (HEADINGS / 2 + turned + glance) % HEADINGS, undefined);
  const left = Math.round(at.x + swing * reach - sprite.width / 2);
  lay(frame, sprite, left, at.y - sprite.height / 2, light);
}
