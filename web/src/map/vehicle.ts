import { type MapLibreMap, Marker } from 'maplibre-gl';
import { isGlide, type Pose, poseBetween } from './glide.ts';
import styles from './map.module.css';
import type { MapVehicle } from './map-parts.ts';

/** Duration of the glide to the next place, ms: the interval of the positions. */
const GLIDE_MS = 1_000;
/** The map does not follow a vehicle within this share of its width and height, in the middle. */
const CALM_SHARE = 0.6;
const FOLLOW_MS = 800;

/** The vehicle of one map. */
export interface Vehicle {
  set(next: MapVehicle | null): void;
  /** Makes the map follow the vehicle, or stop following. */
  follow(on: boolean): void;
  remove(): void;
}

/** Makes the vehicle of a map. It glides and turns between places, unless the user prefers reduced motion. */
export function createVehicle(map: MapLibreMap): Vehicle {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const element = document.createElement('div');
  element.className = styles.vehicle ?? '';
  element.role = 'img';
  const body = document.createElement('i');
  element.append(body);
  const marker = new Marker({ element, subpixelPositioning: true });
  let pose: Pose | undefined;
  let from: Pose | undefined;
  let target: Pose | undefined;
  let startedMs = 0;
  let frame = 0;
  let follows = false;
  let isTurned = false;

  const draw = (next: Pose) => {
    pose = next;
    marker.setLngLat([next.longitude, next.latitude]);
    body.style.rotate = `${next.direction}deg`;
  };
  const tick = (nowMs: number) => {
    frame = 0;
    if (!from || !target) return;
    const share = (nowMs - startedMs) / GLIDE_MS;
    draw(poseBetween(from, target, share));
    if (share < 1) frame = requestAnimationFrame(tick);
  };
  const keepInSight = () => {
    if (!follows || !target) return;
    const { clientWidth, clientHeight } = map.getContainer();
    const { x, y } = map.project([target.longitude, target.latitude]);
    const isCalm =
      Math.abs(x / clientWidth - 0.5) < CALM_SHARE / 2 &&
      Math.abs(y / clientHeight - 0.5) < CALM_SHARE / 2;
    if (isCalm || map.isMoving()) return;
    map.easeTo({ center: [target.longitude, target.latitude], duration: FOLLOW_MS });
  };
  return {
    set(next) {
      cancelAnimationFrame(frame);
      frame = 0;
      if (!next) {
        marker.remove();
        pose = undefined;
        target = undefined;
        isTurned = false;
        return;
      }
      element.dataset.kind = next.kind;
      element.ariaLabel = next.name;
      element.title = next.name;
      const { latitude, longitude } = next;
      target = { latitude, longitude, direction: next.direction ?? pose?.direction ?? 0 };
      isTurned ||= next.direction !== null;
      element.toggleAttribute('data-turned', isTurned);
      const glides =
        next.kind === 'live' && pose !== undefined && !calm.matches && isGlide(pose, target);
      if (glides) {
        from = pose;
        startedMs = performance.now();
        frame = requestAnimationFrame(tick);
      } else {
        const isNew = pose === undefined;
        draw(target);
        if (isNew) marker.addTo(map);
      }
      keepInSight();
    },
    follow(on) {
      follows = on;
      keepInSight();
    },
    remove() {
      cancelAnimationFrame(frame);
      marker.remove();
    },
  };
}
