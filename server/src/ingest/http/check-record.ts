// Each record is validated by itself, so that an invalid one does not cost the others.

import { Moment } from '@ridewatch/contract/primitives';
import { roundTo } from '@ridewatch/contract/round';
import {
  CameraStateRecord,
  DISPENSABLE_FIELDS,
  MAX_FRAGMENT_MS,
  PassengerRecord,
  PositionRecord,
  type Refusal,
  SegmentRecord,
  Sequence,
  type UnitRecord,
} from '@ridewatch/contract/unit';
import { findUnstorable, UNSTORABLE } from '../../core/storable.ts';
import { isPossible } from '../store/place-times.ts';
import type { SentRecord } from '../store/records.ts';

const schemas = {
  position: PositionRecord,
  passenger: PassengerRecord,
  camera_state: CameraStateRecord,
  segment: SegmentRecord,
} as const;

/** Hears of each field that a record is stored without. */
export type OnDropped = (type: UnitRecord['type'], field: string, message: string) => void;

/** Validates one record of a batch by itself, without the database; any moment is a valid time. */
export function checkRecord(
  value: unknown,
  index: number,
  onDropped: OnDropped,
): SentRecord | Refusal {
  const seq = readSequence(value);
  const refuse = (reason: Refusal['reason'], message: string, field?: string): Refusal => ({
    index,
    seq,
    reason,
    message,
    ...(field === undefined ? {} : { field }),
  });
  const type = readType(value);
  if (type === undefined) return refuse('malformed', 'is not a record with a type', 'type');
  if (!isKnownType(type)) return refuse('unknown_type', `the type '${type}' is not known`, 'type');
  const parsed = parse(type, value as Fields, onDropped);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refuse('malformed', issue?.message ?? 'is not usable', issue?.path.join('.'));
  }
  const record: UnitRecord = parsed.data;
  const unstorable = findUnstorable(record);
  if (unstorable !== undefined) {
    return refuse('malformed', UNSTORABLE, unstorable.join('.') || undefined);
  }
  if (record.type === 'position' && record.fix) {
    for (const field of ['latitude', 'longitude'] as const) {
      if (typeof record[field] === 'number') continue;
      return refuse('malformed', 'is missing; a position without a fix says so in `fix`', field);
    }
  }
  const timed = { index, seq: record.seq, sentMs: Date.parse(record.time) };
  if (record.type !== 'segment') return { ...timed, ...contentOf(record) };

  const startMs = Date.parse(record.start_time);
  const endMs = Date.parse(record.end_time);
  if (endMs <= startMs) {
    return refuse('ends_before_start', 'a fragment ends after it starts', 'end_time');
  }
  if (endMs - startMs > MAX_FRAGMENT_MS) {
    const message = `a fragment lasts ${MAX_FRAGMENT_MS / 3_600_000} h at most`;
    return refuse('too_long', message, 'end_time');
  }
  const { camera, video, max_objects_count: maxObjectsCount = null } = record;
  return { ...timed, type: record.type, camera, startMs, endMs, video, maxObjectsCount };
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a record, without those of its fields that are invalid if it can be stored without them. */
function parse(type: UnitRecord['type'], value: Fields, onDropped: OnDropped) {
  const schema = schemas[type];
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed;
  const { issues } = parsed.error;
  if (!issues.every(({ path }) => canDrop(type, value, String(path[0])))) return parsed;
  const kept = { ...value };
  for (const { path, message } of issues) {
    const field = String(path[0]);
    if (field in kept) onDropped(type, field, message);
    delete kept[field];
  }
  return schema.safeParse(kept);
}

function canDrop(type: UnitRecord['type'], value: Fields, field: string): boolean {
  // Nobody passed: a person would be invented.
  if (field === 'count' && value.count === 0) return false;
  const isPlace = field === 'latitude' || field === 'longitude';
  return DISPENSABLE_FIELDS[type].includes(field) || (isPlace && value.fix === false);
}

// The content of a record, without number and time.
function contentOf(record: Exclude<UnitRecord, SegmentRecord>) {
  if (record.type === 'passenger') {
    const { type, door, direction, passenger, count } = record;
    return { type, door, direction, passenger, count };
  }
  if (record.type === 'camera_state') {
    const { type, camera, status } = record;
    return { type, camera, status };
  }
  const { type, fix, latitude, longitude } = record;
  const hasFix = fix && typeof latitude === 'number' && typeof longitude === 'number';
  return {
    type,
    place: hasFix ? { latitude, longitude } : null,
    speedKmh: tenths(record.speed_kmh),
    course: tenths(record.course),
    satellites: record.satellites ?? null,
    hdop: record.hdop ?? null,
  };
}

/** Rounded to tenths, as positions are stored; `real` columns refuse a number that is almost 0. */
const tenths = (value: number | undefined): number | null =>
  value === undefined ? null : roundTo(value, 1);

/**
 * Reads what a unit has still to send, as a batch says.
 * @param offsetMs from clockOffsetMs
 * @param receivedMs the server's clock at the batch's arrival
 * @returns corrected time of the oldest record, ms since 1970 UTC; null for none, and for a time that no record may
 *   have; undefined when the batch does not say; 'invalid' for what is no moment
 */
export function readBacklog(
  from: unknown,
  offsetMs: number,
  receivedMs: number,
): number | null | undefined | 'invalid' {
  if (from === null || from === undefined) return from;
  if (typeof from !== 'string' || !Moment.safeParse(from).success) return 'invalid';
  const sentMs = Date.parse(from);
  const timeMs = sentMs + offsetMs;
  return isPossible(timeMs, receivedMs) ? timeMs : null;
}

/** Whether it is a valid record, not a refusal. */
export function isRefusal(checked: SentRecord | Refusal): checked is Refusal {
  return 'reason' in checked;
}

/** The type of an unknown value; undefined when the contract has no such type. */
export function knownTypeOf(value: unknown): UnitRecord['type'] | undefined {
  const type = readType(value);
  return type !== undefined && isKnownType(type) ? type : undefined;
}

function isKnownType(type: string): type is keyof typeof schemas {
  return Object.hasOwn(schemas, type);
}

function readType(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return typeof value.type === 'string' ? value.type : undefined;
}

function readSequence(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('seq' in value)) return null;
  const parsed = Sequence.safeParse(value.seq);
  return parsed.success ? parsed.data : null;
}
