// What units say, whatever protocol they say it in: checked, with their times. A protocol's room makes these; nothing
// behind it knows which protocol it was.

/** What all records have. */
interface Timed {
  /** Place in the batch, from 0. */
  readonly index: number;
  /** Number in its stream; with the unit and the stream it is the record's key. */
  readonly seq: number;
  /** Its time as the unit sent it, and corrected by the offset of the unit's clock; ms since 1970 UTC. */
  readonly sentMs: number;
  readonly timeMs: number;
}

/** A place on earth, degrees. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface PositionRecord extends Timed {
  readonly type: 'position';
  /** Null without a fix: such a record is acknowledged, and nothing but its number is stored. */
  readonly place: Place | null;
  readonly speedKmh: number | null;
  /** Degrees clockwise from north. */
  readonly course: number | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
}

/** A position that is stored. */
export type PlacedRecord = PositionRecord & { readonly place: Place };

export interface PassengerRecord extends Timed {
  readonly type: 'passenger';
  readonly door: number;
  readonly direction: 'entered' | 'exited';
  readonly passenger: 'adult' | 'child';
  /** How many at once. */
  readonly count: number;
}

export interface CameraStateRecord extends Timed {
  readonly type: 'camera_state';
  /** The unit's key of the camera. */
  readonly camera: string;
  readonly status: 'online' | 'offline';
}

/** The announcement of a fragment. */
export interface SegmentRecord extends Timed {
  readonly type: 'segment';
  readonly camera: string;
  /** Start and end as sent, ms since 1970 UTC. */
  readonly startMs: number;
  readonly endMs: number;
  /** Being recorded, to be uploaded by the unit, or kept on the registrar. */
  readonly video: 'adding' | 'queued' | 'kept';
  readonly maxObjectsCount: number | null;
}

/** A record that may be stored. */
export type CheckedRecord = PositionRecord | PassengerRecord | CameraStateRecord | SegmentRecord;

/** Why a checked record is not stored. */
export interface StoreRefusal {
  readonly record: CheckedRecord;
  readonly reason: 'unknown_camera' | 'other_content' | 'too_dense';
  /** What of the record is at fault. */
  readonly field: 'camera' | 'seq' | 'time';
  /** A sentence without its subject, for whoever looks after the unit. */
  readonly message: string;
}

/** The records of a batch that belong together, each kind on its own. */
export interface Sorted {
  readonly positions: PositionRecord[];
  readonly passengers: PassengerRecord[];
  readonly cameraStates: CameraStateRecord[];
  readonly segments: SegmentRecord[];
}

/** Puts records into their kinds. */
export function sortRecords(records: readonly CheckedRecord[]): Sorted {
  const sorted: Sorted = { positions: [], passengers: [], cameraStates: [], segments: [] };
  for (const record of records) {
    if (record.type === 'position') sorted.positions.push(record);
    else if (record.type === 'passenger') sorted.passengers.push(record);
    else if (record.type === 'camera_state') sorted.cameraStates.push(record);
    else sorted.segments.push(record);
  }
  return sorted;
}

/** Whether a position is stored: it has a place, and not 0,0, where no bus drives. */
export function hasPlace(record: PositionRecord): record is PlacedRecord {
  return record.place !== null && (record.place.latitude !== 0 || record.place.longitude !== 0);
}

/** Whether nothing is stored of a record but its number. */
export function isUnplaced(record: CheckedRecord): boolean {
  return record.type === 'position' && !hasPlace(record);
}

/** A smaller difference than this between two clocks is the way of the message, ms. */
export const CLOCK_TOLERANCE_MS = 30_000;

/**
 * Whether a record may tell what is now: one from the future is kept, but would hide every live one until then.
 * Within the tolerance it is the present, said by a clock that is a little fast.
 */
export function isOfPresent({ timeMs }: CheckedRecord, receivedMs: number): boolean {
  return timeMs <= receivedMs + CLOCK_TOLERANCE_MS;
}
