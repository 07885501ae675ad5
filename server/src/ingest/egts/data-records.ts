// The records of a packet, and their subrecords. A record has its own number, which the answer confirms.

/** A record of a packet. */
export interface DataRecord {
  readonly number: number;
  /** The object of which it tells; null: none is named, here or in an earlier record of the packet. */
  readonly object: number | null;
  /** When it was made, s since 2010 UTC; null: not said. */
  readonly seconds: number | null;
  /** The services of sender and receiver. */
  readonly sender: number;
  readonly receiver: number;
  readonly data: Buffer;
}

/** A subrecord of a record. */
export interface Subrecord {
  readonly type: number;
  readonly data: Buffer;
}

const FLAG = { time: 0x04, event: 0x02, object: 0x01 } as const;
/** Fields that every record has: length, number and flags before the optional ones, two services after them. */
const FIRST_BYTES = 5;
const SERVICE_BYTES = 2;
/** A subrecord has a type and a length before its data. */
const SUBRECORD_BYTES = 3;

/**
 * Reads the records of a packet's data.
 * @returns the whole ones, in order, and whether they were all of the data
 */
export function readRecords(data: Buffer): {
  readonly records: readonly DataRecord[];
  readonly isWhole: boolean;
} {
  const records: DataRecord[] = [];
  // The first record of an object may name it, and their common time, for those after it.
  let [object, seconds]: [number | null, number | null] = [null, null];
  let at = 0;
  while (at < data.length) {
    if (at + FIRST_BYTES > data.length) return { records, isWhole: false };
    const flags = data[at + 4] ?? 0;
    const given = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
    const timeAt = at + FIRST_BYTES + given(FLAG.object) + given(FLAG.event);
    const servicesAt = timeAt + given(FLAG.time);
    const start = servicesAt + SERVICE_BYTES;
    const end = start + data.readUInt16LE(at);
    if (end > data.length) return { records, isWhole: false };
    if (given(FLAG.object) > 0) {
      const named = data.readUInt32LE(at + FIRST_BYTES);
      if (named !== object) seconds = null;
      object = named;
    }
    if (given(FLAG.time) > 0) seconds = data.readUInt32LE(timeAt);
    records.push({
      number: data.readUInt16LE(at + 2),
      // Zero names nobody.
      object: object === 0 ? null : object,
      seconds,
      sender: data[servicesAt] ?? 0,
      receiver: data[servicesAt + 1] ?? 0,
      data: data.subarray(start, end),
    });
    at = end;
  }
  return { records, isWhole: true };
}

/** Reads the subrecords of a record. @returns undefined when their lengths do not add up to it */
export function readSubrecords(data: Buffer): Subrecord[] | undefined {
  const subrecords: Subrecord[] = [];
  let at = 0;
  while (at < data.length) {
    if (at + SUBRECORD_BYTES > data.length) return undefined;
    const start = at + SUBRECORD_BYTES;
    const end = start + data.readUInt16LE(at + 1);
    if (end > data.length) return undefined;
    subrecords.push({ type: data[at] ?? 0, data: data.subarray(start, end) });
    at = end;
  }
  return subrecords;
}

/**
 * Finds the last subrecords of a record without reading them.
 * @param most of them
 * @returns their bytes; undefined when the lengths of all do not add up to the record
 */
export function lastSubrecords(data: Buffer, most: number): Buffer | undefined {
  const starts: number[] = Array(most).fill(0);
  let [at, count] = [0, 0];
  while (at < data.length) {
    if (at + SUBRECORD_BYTES > data.length) return undefined;
    starts[count % most] = at;
    count += 1;
    at += SUBRECORD_BYTES + data.readUInt16LE(at + 1);
  }
  if (at > data.length) return undefined;
  return count <= most ? data : data.subarray(starts[count % most]);
}
