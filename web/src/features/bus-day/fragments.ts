import type { Camera } from '@ridewatch/contract/buses';
import { segmentGroup } from '@ridewatch/contract/segment-states';
import type { Segment } from '@ridewatch/contract/segments';
import type { TimelineRow } from '../../timeline/blocks.ts';

/** The cameras that record doors, as the count tab shows them. */
export function recordedCameras(cameras: readonly Camera[]): Camera[] {
  return cameras.filter((camera) => !camera.live);
}

/** One timeline row a camera, with its fragments in order of start. */
export function timelineRows(
  cameras: readonly Camera[],
  segments: readonly Segment[],
): TimelineRow[] {
  return cameras.map((camera) => ({
    id: camera.id,
    label: camera.name,
    blocks: segments
      .filter((segment) => segment.cameraId === camera.id)
      .map((segment) => ({
        id: segment.id,
        startMs: Date.parse(segment.start_time),
        endMs: Date.parse(segment.end_time),
        group: segmentGroup(segment.status, camera.live),
        entered: segment.entered.adult + segment.entered.kids,
        exited: segment.exited.adult + segment.exited.kids,
      })),
  }));
}
