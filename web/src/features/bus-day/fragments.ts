import type { Camera } from '@ridewatch/contract/buses';

/** The cameras that record doors, as the count tab shows them. */
export function recordedCameras(cameras: readonly Camera[]): Camera[] {
  return cameras.filter((camera) => !camera.live);
}
