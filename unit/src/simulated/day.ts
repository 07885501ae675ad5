// Simulates a bus's local day. A service that runs past midnight is split between both days.
import { addDays, dayRange } from '@ridewatch/contract/day';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { mostPeopleInView } from './clip/people-in-view.ts';
import type { CabinScene, DoorScene } from './clip/scene.ts';
import type { DoorCrossing } from './doors.ts';
import { chanceOf, hashOf } from './random.ts';
import { type Service, type ServiceLap, serviceOf } from './service.ts';

const MINUTE_MS = 60_000;
const BEFORE_DOORS_MS = 2000;
const AFTER_DOORS_MS = 2000;
/** A service camera announces one minute of every ten. */
const CABIN_EVERY_MS = 10 * MINUTE_MS;
const CABIN_MS = MINUTE_MS;
const CAMERA_FAILS = 0.06;
const LINK_FAILS = 0.15;

export interface Span {
  startMs: number;
  endMs: number;
}

/** A recording of a camera. */
export interface Fragment extends Span {
  camera: SimulatedCamera;
  scene: { kind: 'door'; door: DoorScene } | { kind: 'cabin'; cabin: CabinScene };
}

export interface CameraChange {
  atMs: number;
  camera: SimulatedCamera;
  status: 'online' | 'offline';
}

export interface BusDay extends Span {
  bus: SimulatedBus;
  day: string;
  /** The services that touch the day, in order. */
  services: readonly Service[];
  /** Laps that start on the day. */
  laps: readonly ServiceLap[];
  /** Passengers through doors on the day, in order of time. */
  crossings: readonly DoorCrossing[];
  /** Fragments that start on the day, in order of time. */
  fragments: readonly Fragment[];
  cameraChanges: readonly CameraChange[];
  /** When the unit is offline; records of that time are sent later. */
  linkBreaks: readonly Span[];
}

/**
 * Simulates a bus's local day; the same seed gives the same day.
 * @param day `YYYY-MM-DD` in the bus's zone
 */
export function busDay(seed: number, bus: SimulatedBus, day: string): BusDay {
  const range = dayRange(day, bus.zone);
  const dates =
    bus.departures === 'round the clock' ? [addDays(day, -1), day, addDays(day, 1)] : [day];
  const all = dates.map((date) => serviceOf(seed, bus, date));
  const services = all.filter(
    ({ startMs, endMs }) => startMs < range.endMs && endMs > range.startMs,
  );
  const failures = bus.cameras.map((camera) => ({
    camera,
    span: failureOf(seed, bus, camera, day, range),
  }));
  const isRecording = (camera: SimulatedCamera, span: Span): boolean => {
    const failure = failures.find((one) => one.camera === camera)?.span;
    return failure === undefined || span.endMs <= failure.startMs || span.startMs >= failure.endMs;
  };
  const laps = services.flatMap((service) => service.laps);
  const fragments = [
    ...laps.flatMap((lap) => listDoorFragments(seed, bus, lap)),
    ...services.flatMap((service) => listCabinFragments(seed, bus, service)),
  ]
    .filter((one) => isWithin(range, one.startMs) && isRecording(one.camera, one))
    .sort((a, b) => a.startMs - b.startMs || (a.camera.streamId < b.camera.streamId ? -1 : 1));
  return {
    ...range,
    bus,
    day,
    services,
    laps: laps.filter((lap) => isWithin(range, lap.departureMs)),
    crossings: laps
      .flatMap((lap) => lap.visits.flatMap((visit) => visit.opening?.crossings ?? []))
      .filter((crossing) => isWithin(range, crossing.atMs))
      .sort((a, b) => a.atMs - b.atMs || a.door - b.door),
    fragments,
    cameraChanges: listCameraChanges(bus, services, range, failures),
    linkBreaks: breaksOf(seed, bus, day, range),
  };
}

/** The most people in a frame of a fragment. */
export function mostInView({ scene }: Fragment): number {
  return scene.kind === 'door' ? mostPeopleInView(scene.door) : Math.min(scene.cabin.onBoard, 255);
}

/** Whether a moment lies in a half-open span. */
export function isWithin({ startMs, endMs }: Span, momentMs: number): boolean {
  return momentMs >= startMs && momentMs < endMs;
}

/** The state of a camera at a moment of the day. */
export function cameraStateAt(
  { cameraChanges }: Pick<BusDay, 'cameraChanges'>,
  camera: SimulatedCamera,
  momentMs: number,
): CameraChange['status'] {
  const last = cameraChanges.findLast((one) => one.camera === camera && one.atMs <= momentMs);
  return last?.status ?? 'online';
}

/** The number of people on board at a moment of the day. */
export function onBoardAt({ services }: Pick<BusDay, 'services'>, momentMs: number): number {
  const service = services.find((one) => isWithin(one, momentMs));
  const visits = service?.laps.flatMap((lap) => lap.visits) ?? [];
  return visits.findLast((visit) => visit.departureMs <= momentMs)?.loadAfter ?? 0;
}

function listDoorFragments(seed: number, bus: SimulatedBus, lap: ServiceLap): Fragment[] {
  const cameras = bus.cameras.filter((camera) => camera.door !== null);
  return lap.visits.flatMap(({ opening }) => {
    if (opening === undefined) return [];
    // Registrars cut at whole seconds.
    const startMs = Math.floor((opening.openMs - BEFORE_DOORS_MS) / 1000) * 1000;
    const endMs = Math.ceil((opening.closeMs + AFTER_DOORS_MS) / 1000) * 1000;
    return cameras.flatMap((camera): Fragment[] => {
      const crossings = opening.crossings.filter(({ door }) => door === camera.door);
      if (crossings.length === 0) return [];
      const door: DoorScene = {
        busName: bus.name,
        door: camera.door ?? 0,
        zone: bus.zone,
        startMs,
        endMs,
        doorOpenMs: opening.openMs,
        doorCloseMs: opening.closeMs,
        crossings: crossings.map(({ atMs, direction, passenger }) => ({
          atMs,
          direction,
          passenger,
        })),
        seed: hashOf(seed, bus.deviceId, camera.streamId, startMs),
      };
      return [{ camera, startMs, endMs, scene: { kind: 'door', door } }];
    });
  });
}

function listCabinFragments(seed: number, bus: SimulatedBus, service: Service): Fragment[] {
  const cameras = bus.cameras.filter((camera) => camera.live);
  const fragments: Fragment[] = [];
  let startMs = Math.ceil(service.startMs / CABIN_EVERY_MS) * CABIN_EVERY_MS;
  for (; startMs + CABIN_MS <= service.endMs; startMs += CABIN_EVERY_MS) {
    const onBoard = onBoardAt({ services: [service] }, startMs);
    const span = { startMs, endMs: startMs + CABIN_MS };
    for (const camera of cameras) {
      const cabin: CabinScene = {
        busName: bus.name,
        camera: camera.name,
        zone: bus.zone,
        ...span,
        onBoard,
        seed: hashOf(seed, bus.deviceId, camera.streamId, startMs),
      };
      fragments.push({ camera, ...span, scene: { kind: 'cabin', cabin } });
    }
  }
  return fragments;
}

function failureOf(
  seed: number,
  bus: SimulatedBus,
  camera: SimulatedCamera,
  day: string,
  range: Span,
): Span | undefined {
  if (camera.isBroken) return range;
  const chance = chanceOf(seed, bus.deviceId, camera.streamId, day, 'camera');
  if (!chance.happens(CAMERA_FAILS)) return undefined;
  const startMs = Math.floor(range.startMs + chance.between(6, 20) * 60 * MINUTE_MS);
  return { startMs, endMs: startMs + Math.floor(chance.between(20, 90) * MINUTE_MS) };
}

function breaksOf(seed: number, bus: SimulatedBus, day: string, range: Span): Span[] {
  const chance = chanceOf(seed, bus.deviceId, day, 'link');
  if (!chance.happens(LINK_FAILS)) return [];
  const startMs = Math.floor(range.startMs + chance.between(6, 21) * 60 * MINUTE_MS);
  return [{ startMs, endMs: startMs + Math.floor(chance.between(2, 12) * MINUTE_MS) }];
}

function listCameraChanges(
  bus: SimulatedBus,
  services: readonly Service[],
  range: Span,
  failures: readonly { camera: SimulatedCamera; span: Span | undefined }[],
): CameraChange[] {
  const starts = services.map(({ startMs }) => startMs).filter((ms) => isWithin(range, ms));
  return [
    ...starts.flatMap((atMs) =>
      bus.cameras
        .filter(({ isBroken }) => !isBroken)
        .map((camera): CameraChange => ({ atMs, camera, status: 'online' })),
    ),
    ...failures.flatMap(({ camera, span }): CameraChange[] =>
      span === undefined
        ? []
        : [
            { atMs: span.startMs, camera, status: 'offline' },
            ...(camera.isBroken ? [] : [{ atMs: span.endMs, camera, status: 'online' } as const]),
          ],
    ),
  ].sort((a, b) => a.atMs - b.atMs || (a.camera.streamId < b.camera.streamId ? -1 : 1));
}
