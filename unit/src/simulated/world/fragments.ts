import type { CabinScene, DoorScene } from '../film/scene.ts';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { chanceOf, seedOf } from './chance.ts';
import type { ServiceDay, StopVisit } from './service-day.ts';

/** A door's fragment begins before the door opens and ends after it has closed, ms. */
const LEAD_MS = 2000;
const CABIN_EVERY_MS = 10 * 60_000;
const CABIN_MS = 60_000;

/** A time in which a camera gave nothing. */
export interface Outage {
  readonly camera: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a camera recorded, and the scene to film it again from. */
export type Fragment = {
  readonly camera: string;
  readonly startMs: number;
  readonly endMs: number;
} & (
  | { readonly kind: 'door'; readonly scene: DoorScene }
  | { readonly kind: 'cabin'; readonly scene: CabinScene }
);

/** When cameras of a bus were lost on a day: now and then, one at a time. */
export function listOutages(seed: number, service: ServiceDay): Outage[] {
  const { bus, day, shifts } = service;
  const chance = chanceOf(seed, bus.deviceId, day, 'outage');
  const first = shifts[0];
  if (first === undefined || bus.cameras.length < 2 || chance.next() > 0.25) return [];
  const camera = bus.cameras[Math.floor(chance.next() * bus.cameras.length)];
  const lengthMs = first.endMs - first.startMs;
  const fromMs = Math.round((first.startMs + lengthMs * chance.between(0.2, 0.8)) / 1000) * 1000;
  const toMs = fromMs + Math.round(chance.between(10, 45)) * 60_000;
  return camera === undefined ? [] : [{ camera: camera.stream_id, fromMs, toMs }];
}

/** Everything that a bus's cameras recorded on a day, in order of time. */
export function listFragments(seed: number, service: ServiceDay): Fragment[] {
  const { bus } = service;
  const outages = listOutages(seed, service);
  const isLost = (camera: string, startMs: number, endMs: number): boolean =>
    outages.some((out) => out.camera === camera && out.fromMs < endMs && out.toMs > startMs);
  const fragments = [...doorFragments(seed, service), ...cabinFragments(seed, service)];
  return fragments
    .filter(
      ({ camera, startMs, endMs }) => bus.cameras.length > 0 && !isLost(camera, startMs, endMs),
    )
    .sort((a, b) => a.startMs - b.startMs || a.camera.localeCompare(b.camera));
}

function doorFragments(seed: number, { bus, laps }: ServiceDay): Fragment[] {
  return laps.flatMap((lap) =>
    lap.visits.flatMap((visit) =>
      bus.cameras.flatMap((camera) => atDoor(seed, bus, camera, visit)),
    ),
  );
}

function atDoor(
  seed: number,
  bus: SimulatedBus,
  camera: SimulatedCamera,
  visit: StopVisit,
): Fragment[] {
  const door = visit.doors.find((one) => one.door === camera.door);
  if (door === undefined || door.crossings.length === 0) return [];
  const startMs = door.openMs - LEAD_MS;
  const endMs = door.closeMs + LEAD_MS;
  const scene: DoorScene = {
    busName: bus.name,
    door: door.door,
    zone: bus.timezone,
    startMs,
    endMs,
    doorOpenMs: door.openMs,
    doorCloseMs: door.closeMs,
    crossings: door.crossings,
    seed: seedOf(seed, bus.deviceId, door.door, startMs),
  };
  return [{ kind: 'door', camera: camera.stream_id, startMs, endMs, scene }];
}

function cabinFragments(seed: number, { bus, laps, shifts }: ServiceDay): Fragment[] {
  const visits = laps.flatMap((lap) => lap.visits);
  return bus.cameras
    .filter((camera) => camera.live)
    .flatMap((camera) =>
      shifts.flatMap((shift) => {
        const fragments: Fragment[] = [];
        const firstMs = Math.ceil(shift.startMs / CABIN_EVERY_MS) * CABIN_EVERY_MS;
        for (let ms = firstMs; ms + CABIN_MS <= shift.endMs; ms += CABIN_EVERY_MS) {
          const last = visits.findLast((visit) => visit.departureMs <= ms);
          const scene: CabinScene = {
            busName: bus.name,
            camera: camera.name,
            zone: bus.timezone,
            startMs: ms,
            endMs: ms + CABIN_MS,
            onBoard: last?.load ?? 0,
            seed: seedOf(seed, bus.deviceId, camera.stream_id, ms),
          };
          const endMs = ms + CABIN_MS;
          fragments.push({ kind: 'cabin', camera: camera.stream_id, startMs: ms, endMs, scene });
        }
        return fragments;
      }),
    );
}
