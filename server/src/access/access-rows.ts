// What is read of an object together with whether the asking user may see it (access.ts).
import type { SegmentStatus } from '@ridewatch/contract/segment-states';
import type { TimeMap } from '@ridewatch/contract/time-map';

export interface BusRow {
  readonly id: number;
  readonly name: string;
  readonly type: 'VMS' | 'COUNTER';
}

export interface CameraRow {
  readonly id: number;
  readonly workplaceId: number;
  readonly live: boolean;
}

export interface SegmentRow {
  readonly id: number;
  readonly cameraId: number;
  readonly workplaceId: number;
  readonly unitId: number;
}

/** A stored file of a fragment. */
export interface SegmentFile {
  readonly segmentId: number;
  readonly cameraId: number;
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** Strong validator of the bytes. */
  readonly etag: string;
  /** Its form, as server/src/media/containers.ts names it; null for files from before it was kept. */
  readonly format: string | null;
  readonly startTime: Date;
  readonly endTime: Date;
  /** Of the playable file; null where wall time and media time run alike. */
  readonly timeMap: TimeMap | null;
  readonly status: SegmentStatus;
  /** Of a service camera. */
  readonly live: boolean;
}

export interface ClientRow {
  readonly id: number;
  readonly name: string;
}

export interface GroupRow {
  readonly id: number;
  readonly clientId: number;
  readonly name: string;
}

/** A merge request with its file. */
export interface MergeFile {
  readonly id: number;
  readonly status: 'PROCESS' | 'FAILED' | 'COMPLETE' | 'SENT';
  /** Null while there is no file. */
  readonly storageKey: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: Buffer | null;
  readonly cameraId: number;
  readonly fromTime: Date;
  readonly toTime: Date;
}

export interface LapRow {
  readonly id: number;
  readonly workplaceId: number;
  readonly day: string;
  readonly groupId: number | null;
  readonly startTime: Date;
  readonly endTime: Date;
}

export interface ClassifierRow {
  readonly id: number;
  readonly clientId: number;
}
