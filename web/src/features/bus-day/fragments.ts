import type { Camera } from '@ridewatch/contract/buses';

/** The recorded cameras of a bus, in the given order. */
export function recordedCameras(cameras: readonly Camera[]): Camera[] {
  return cameras.filter((camera) => !camera.live);
}
