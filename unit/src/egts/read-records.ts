// Reads the records of a unit's packet as far as a sender must know its own: their numbers, and who signs in by them.

/** A record of a packet. */
export interface SentRecord {
  readonly number: number;
  /** A record of the service AUTH tells the name of a unit, and nothing that is stored. */
  readonly isAuth: boolean;
  /** The ids of the terminal that says in it which one it is, its number before its IMEI; undefined: none does. */
  readonly ids: readonly string[] | undefined;
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
/** A terminal's number and flags, and two of its fields that follow if their flags say so. */
const TERMINAL_BYTES = 5;
const HOME = { flag: 0x01, bytes: 2 } as const;
const IMEI = { flag: 0x02, bytes: 15 } as const;

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
    const identity = isAuth ? identityIn(data.subarray(start, end)) : undefined;
    records.push({ number: data.readUInt16LE(at + 2), isAuth, ids: identity && idsIn(identity) });
    at = end;
  }
  return { records, isWhole: at === data.length };
}

/** The data of the last subrecord in which a terminal says its name. */
function identityIn(record: Buffer): Buffer | undefined {
  let identity: Buffer | undefined;
  for (let at = 0; at + SUBRECORD_BYTES <= record.length; ) {
    const end = at + SUBRECORD_BYTES + record.readUInt16LE(at + 1);
    if (record[at] === TERM_IDENTITY) identity = record.subarray(at + SUBRECORD_BYTES, end);
    at = end;
  }
  return identity;
}

function idsIn(identity: Buffer): string[] {
  if (identity.length < TERMINAL_BYTES) return [];
  const number = identity.readUInt32LE(0);
  const flags = identity[4] ?? 0;
  const at = TERMINAL_BYTES + ((flags & HOME.flag) === 0 ? 0 : HOME.bytes);
  const end = at + ((flags & IMEI.flag) === 0 ? 0 : IMEI.bytes);
  const imei = identity.toString('latin1', at, end).replaceAll('\0', '').trim();
  return [number === 0 ? '' : String(number), imei].filter((id) => id !== '');
}
