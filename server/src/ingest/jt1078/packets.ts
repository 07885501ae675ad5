// Cuts a stream of bytes into packets. A packet says its length and has no checksum, and the terminal's number in it has six
// bytes or, in many terminals of 2019, ten: nothing in it says which. So the first header is offered in both readings, and
// the caller knows which stream was asked for, and chooses. From then on the bytes of the number must be in each header, which
// tells a header from a picture that holds the marker by chance.
import { numberOf } from '../jt808/bcd.ts';
import { DATA, type Data, MARKER, MOST_BODY_BYTES, PART, type Part } from './codes.ts';

const NONE = Buffer.alloc(0);
/** The place of the terminal's number, and its lengths in two forms of the header. */
const PHONE_AT = 8;
const FORMS = [6, 10] as const;
type PhoneBytes = (typeof FORMS)[number];
/** After the number: channel, kind, time, two intervals of a picture, length. */
const MOST_HEADER_BYTES = PHONE_AT + 10 + 2 + 8 + 4 + 2;
/** Most bytes since the last sound packet. */
const MOST_DAMAGED_BYTES = 2 ** 20;

/** A reading of the first header. */
export interface Reading {
  readonly phoneBytes: PhoneBytes;
  /** The terminal's number without zeros before it. */
  readonly terminal: string;
  readonly channel: number;
}

export interface Packet {
  readonly payloadType: number;
  readonly serial: number;
  readonly channel: number;
  readonly data: Data;
  readonly part: Part;
  /** By the terminal's own count, ms; 0 for bytes of another device. */
  readonly timeMs: number;
  readonly body: Buffer;
}

export interface PacketReader {
  /** Takes bytes as they arrive. */
  push(bytes: Buffer): void;
  /** The readings of the first header; undefined until it has arrived, and once one is chosen. */
  readings(): readonly Reading[] | undefined;
  /** Chooses one of them. */
  choose(reading: Reading): void;
  /** The next packet; undefined until more bytes arrive, and until a reading is chosen. */
  next(): Packet | undefined;
  /** Whether so much was damaged that the other side hardly speaks the protocol. */
  isLost(): boolean;
}

/** Makes the reader of one connection. It keeps at most the bytes of one packet and of the last push. */
export function createPacketReader(): PacketReader {
  let bytes: Buffer = NONE;
  let from = 0;
  /** Bytes since the last sound packet. */
  let unsound = 0;
  let phone: Buffer | undefined;

  const skip = (count: number): void => {
    from += count;
    unsound += count;
  };
  // To the next marker, or to the last bytes, which may be the beginning of one.
  const seek = (): boolean => {
    const at = bytes.indexOf(MARKER, from);
    skip((at < 0 ? Math.max(from, bytes.length - MARKER.length + 1) : at) - from);
    return at >= 0;
  };

  return {
    push: (more) => {
      bytes = from < bytes.length ? Buffer.concat([bytes.subarray(from), more]) : more;
      from = 0;
    },
    readings: () => {
      if (phone !== undefined) return undefined;
      while (seek()) {
        if (bytes.length - from < MOST_HEADER_BYTES) return undefined;
        const readings = FORMS.flatMap((form) => readingOf(bytes.subarray(from), form) ?? []);
        if (readings.length > 0) return readings;
        skip(1);
      }
      return undefined;
    },
    choose: ({ phoneBytes }) => {
      // A copy: a view would keep all of the read bytes.
      phone = Buffer.from(bytes.subarray(from + PHONE_AT, from + PHONE_AT + phoneBytes));
    },
    next: () => {
      while (phone !== undefined && seek()) {
        const packet = readPacket(bytes.subarray(from), phone);
        if (packet === 'more') return undefined;
        if (packet !== 'none') {
          from += packet.bytes;
          unsound = 0;
          return packet.packet;
        }
        skip(1);
      }
      return undefined;
    },
    isLost: () => unsound > MOST_DAMAGED_BYTES,
  };
}

function readingOf(bytes: Buffer, phoneBytes: PhoneBytes): Reading | undefined {
  const phone = bytes.subarray(PHONE_AT, PHONE_AT + phoneBytes);
  const terminal = numberOf(phone);
  const channel = bytes[PHONE_AT + phoneBytes] ?? 0;
  const isSound = channel > 0 && readPacket(bytes, phone) !== 'none';
  return terminal !== null && isSound ? { phoneBytes, terminal, channel } : undefined;
}

type Read = 'none' | 'more' | { readonly packet: Packet; readonly bytes: number };

// `bytes` begin with a marker.
function readPacket(bytes: Buffer, phone: Buffer): Read {
  const kindAt = PHONE_AT + phone.length + 1;
  if (bytes.length <= kindAt) return 'more';
  const channel = bytes[kindAt - 1] ?? 0;
  const kind = bytes[kindAt] ?? 0;
  const data = Object.values(DATA).find((one) => one === kind >> 4);
  const part = Object.values(PART).find((one) => one === (kind & 0x0f));
  // Version 2 of RTP, which the header resembles.
  const isVersion2 = ((bytes[4] ?? 0) & 0xc0) === 0x80;
  const isOwn = phone.equals(bytes.subarray(PHONE_AT, PHONE_AT + phone.length));
  if (!isVersion2 || !isOwn || data === undefined || part === undefined) return 'none';
  const lengthAt = kindAt + 1 + headBytesOf(data);
  if (bytes.length < lengthAt + 2) return 'more';
  const length = bytes.readUInt16BE(lengthAt);
  if (length > MOST_BODY_BYTES) return 'none';
  const end = lengthAt + 2 + length;
  if (bytes.length < end) return 'more';
  const timeMs = data === DATA.other ? 0 : Number(bytes.readBigUInt64BE(kindAt + 1));
  const packet = {
    ...{ channel, data, part, timeMs },
    payloadType: (bytes[5] ?? 0) & 0x7f,
    serial: bytes.readUInt16BE(6),
    body: bytes.subarray(lengthAt + 2, end),
  };
  return { packet, bytes: end };
}

// A time, and of pictures the intervals since the last key picture and the last picture.
function headBytesOf(data: Data): number {
  if (data === DATA.other) return 0;
  return data === DATA.audio ? 8 : 12;
}
