import { frameCount, HEIGHT, momentOfFrame, WIDTH } from './frame.ts';
import type { DoorScene } from './scene.ts';
import { type Place, placesAt, planWalks } from './walks.ts';

/** Whether the middle of a head is in the frame. */
export function isInView(place: Place): boolean {
  return place.x >= 0 && place.x < WIDTH && place.y >= 0 && place.y < HEIGHT;
}

/** The most heads in one frame of a door's clip, which a unit reports as `max_objects_count`. */
export function mostPeopleInView(scene: DoorScene): number {
  const walks = planWalks(scene);
  let most = 0;
  for (let index = 0; index < frameCount(scene); index++) {
    const places = placesAt(walks, momentOfFrame(scene, index));
    most = Math.max(most, places.filter(isInView).length);
  }
  return most;
}
