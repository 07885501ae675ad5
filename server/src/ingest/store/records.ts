// Records of units in any protocol, validated and with their times. A protocol's room makes them; the store does not
// know which one.

/** The fields of all records. */
interface Timed {
  /** Position in the batch, from 0. */
  readonly index: number;
  /** Number in its stream. Unit, stream and number are the record's key. */
  readonly seq: number;
  /** Its time as sent, and corrected where the unit's clock is wrong; ms since 1970 UTC. */
  readonly sentMs: number;
  readonly timeMs: number;
}

/** A record whose corrected time is not known. */
type Untimed<Record> = Record extends Timed ? Omit<Record, 'timeMs'> : never;

/** A place on earth, degrees. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface PositionRecord extends Timed {
  readonly type: 'position';
  /** Null without a fix: such a record is acknowledged, and only its number is stored. */
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
  /** Of a reading of a counter that never starts anew: the counter's module. `count` is what the counter showed. */
  readonly module?: number;
}

export interface CameraStateRecord extends Timed {
  readonly type: 'camera_state';
  /** The unit's key of the camera. */
  readonly camera: string;
  readonly status: 'online' | 'offline';
}

/** The announcement of a fragment. */
export interface AnnouncementRecord extends Timed {
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
export type CheckedRecord =
  | PositionRecord
  | PassengerRecord
  | CameraStateRecord
  | AnnouncementRecord;

/** A valid record that is not placed in time yet. */
export type SentRecord = Untimed<CheckedRecord>;

/** A record that no rule places in time. */
export interface AsideRecord {
  readonly record: SentRecord;
  /** As the unit sent it. */
  readonly raw: unknown;
}

/** Why a valid record is not stored. */
export interface StoreRefusal {
  readonly record: SentRecord;
  readonly reason: 'unknown_camera' | 'other_content' | 'too_dense' | 'aside_full';
  /** The field at fault. */
  readonly field: 'camera' | 'seq' | 'time' | 'module';
  /** A sentence without its subject, for the people who maintain the unit. */
  readonly message: string;
}

/** The records of a batch by type. */
export interface Sorted {
  readonly positions: PositionRecord[];
  readonly passengers: PassengerRecord[];
  readonly cameraStates: CameraStateRecord[];
  readonly announcements: AnnouncementRecord[];
}

/** Sorts records by type. */
export function sortRecords(records: readonly CheckedRecord[]): Sorted {
  const sorted: Sorted = { positions: [], passengers: [], cameraStates: [], announcements: [] };
  for (const record of records) {
    if (record.type === 'position') sorted.positions.push(record);
    else if (record.type === 'passenger') sorted.passengers.push(record);
    else if (record.type === 'camera_state') sorted.cameraStates.push(record);
    else sorted.announcements.push(record);
  }
  return sorted;
}

/** Whether a position is stored: it has a fix other than 0,0, where no bus drives. */
export function hasPlace<R extends Pick<PositionRecord, 'place'>>(
  record: R,
): record is R & { readonly place: Place } {
  return record.place !== null && (record.place.latitude !== 0 || record.place.longitude !== 0);
}

/** Whether a record is a position without a place: at most its number is stored. */
export function isUnplaced(
  record:
    | Pick<PositionRecord, 'type' | 'place'>
    | { readonly type: Exclude<CheckedRecord['type'], 'position'> },
): boolean {
  return record.type === 'position' && !hasPlace(record);
}

/** A smaller difference of two clocks is network latency, ms. */
export const CLOCK_TOLERANCE_MS = 30_000;

/**
 * Whether a record can be the present. One from the future is stored but would hide every live one until then. Within
 * the tolerance it counts as the present, from a clock that is slightly fast.
 * @param aheadMs the tolerance, ms
 */
export function isOfPresent(
  { timeMs }: CheckedRecord,
  receivedMs: number,
  aheadMs = CLOCK_TOLERANCE_MS,
): boolean {
  return timeMs <= receivedMs + aheadMs;
}
