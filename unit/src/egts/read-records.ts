// Reads the records of a unit's packet as far as a sender must know its own: their numbers, and whether they sign in.

/** A record of a packet. */
export interface SentRecord {
  readonly number: number;
  /** A record of the service AUTH tells the name of a unit, and nothing that is stored. */
  readonly isAuth: boolean;
  /** Whether a terminal says in it which one it is. */
  readonly isSignIn: boolean;
}

const SIGNED = 2;
const [AUTH, TELEDATA] = [1, 2];
const TERM_IDENTITY = 1;
/** Flags of a header: its data are encrypted or compressed. */
const UNREADABLE = 0x1c;
/** Flags of a record whose optional fields have four bytes each: object, event, time. */
const FIELDS = [0x01, 0x02, 0x04];
/** Length, number and flags. */
const FIRST_BYTES = 5;
const SUBRECORD_BYTES = 3;

/**
 * Reads the records of a packet (GOST 33472-2015, annex Б).
 * @param packet with a whole header
 * @returns the whole ones in their order, and whether they are all that the packet holds
 */
export function readSentRecords(packet: Buffer): {
  readonly records: readonly SentRecord[];
  readonly isWhole: boolean;
} {
  const records: SentRecord[] = [];
  const headerBytes = packet[3] ?? 0;
  const dataBytes = packet.readUInt16LE(5);
  if (dataBytes === 0) return { records, isWhole: true };
  if (((packet[2] ?? 0) & UNREADABLE) !== 0) return { records, isWhole: false };
  const data = packet.subarray(headerBytes, headerBytes + dataBytes);
  let at = packet[9] === SIGNED && data.length >= 2 ? 2 + data.readUInt16LE(0) : 0;
  while (at + FIRST_BYTES <= data.length) {
    const flags = data[at + 4] ?? 0;
    const fields = FIELDS.filter((flag) => (flags & flag) !== 0);
    const servicesAt = at + FIRST_BYTES + 4 * fields.length;
    const start = servicesAt + 2;
    const end = start + data.readUInt16LE(at);
    if (end > data.length) break;
    const services = [...data.subarray(servicesAt, start)];
    const isAuth = services.includes(AUTH) && !services.includes(TELEDATA);
    const isSignIn = isAuth && typesOf(data.subarray(start, end)).includes(TERM_IDENTITY);
    records.push({ number: data.readUInt16LE(at + 2), isAuth, isSignIn });
    at = end;
  }
  return { records, isWhole: at === data.length };
}

/** The types of the subrecords of a record. */
function typesOf(record: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + SUBRECORD_BYTES <= record.length; ) {
    types.push(record[at] ?? 0);
    at += SUBRECORD_BYTES + record.readUInt16LE(at + 1);
  }
  return types;
}
