// Writes pictures into an MPEG transport stream (ISO/IEC 13818-1): a bare H.264 or H.265 stream has no times, and ffmpeg
// would invent them.

const PACKET_BYTES = 188;
const SYNC = 0x47;
const TABLE_PID = 0;
const PROGRAM_PID = 0x1000;
const VIDEO_PID = 0x100;
const STREAM_TYPES = { h264: 0x1b, h265: 0x24 } as const;
/** Ticks of a ms, and the number at which they begin anew. */
const TICKS = 90;
const TICKS_END = 2 ** 33;
/** Flags of an adaptation field. */
const FIELD = { clock: 0x10, keyPicture: 0x40 } as const;

export type LiveCodec = keyof typeof STREAM_TYPES;

/** A picture in the order of decoding. Times in ms from 0. */
export interface LivePicture {
  readonly isKey: boolean;
  /** When it is decoded. */
  readonly atMs: number;
  /** When it is shown; not before it is decoded. */
  readonly shownMs: number;
  /** Units with start codes. */
  readonly bytes: Buffer;
}

/** Writes one video stream. */
export interface TransportStream {
  /** The packets of a picture; before a key picture also those that describe the stream. */
  write(picture: LivePicture): Buffer;
}

/** Makes the writer of one stream. */
export function createTransportStream(codec: LiveCodec): TransportStream {
  const counters = new Map<number, number>();
  const packet = (pid: number, isFirst: boolean, field: Buffer, payload: Buffer): Buffer => {
    const counter = counters.get(pid) ?? 0;
    counters.set(pid, (counter + 1) % 16);
    const hasField = field.length > 0;
    const head = Buffer.from([
      ...[SYNC, (isFirst ? 0x40 : 0) | (pid >> 8), pid & 0xff],
      (hasField ? 0x30 : 0x10) | counter,
    ]);
    return Buffer.concat([head, field, payload]);
  };
  const table = (pid: number, section: Buffer): Buffer => {
    const payload = Buffer.alloc(PACKET_BYTES - 4, 0xff);
    // The section begins at once.
    payload[0] = 0;
    section.copy(payload, 1);
    return packet(pid, true, Buffer.alloc(0), payload);
  };
  const programs = sectionOf(0x00, [0, 1, 0xe0 | (PROGRAM_PID >> 8), PROGRAM_PID & 0xff]);
  const video = [0xe0 | (VIDEO_PID >> 8), VIDEO_PID & 0xff];
  const program = sectionOf(0x02, [...video, 0xf0, 0, STREAM_TYPES[codec], ...video, 0xf0, 0]);

  return {
    write: ({ isKey, atMs, shownMs, bytes }) => {
      const [ticks, shown] = [ticksOf(atMs), ticksOf(shownMs)];
      const unit = Buffer.concat([headOf(bytes.length, shown, ticks), bytes]);
      const packets = isKey ? [table(TABLE_PID, programs), table(PROGRAM_PID, program)] : [];
      for (let at = 0; at < unit.length; ) {
        const least = at === 0 ? clockField(ticks, isKey) : Buffer.alloc(0);
        const room = PACKET_BYTES - 4 - least.length;
        const payload = unit.subarray(at, at + room);
        const field = filled(least, room - payload.length);
        packets.push(packet(VIDEO_PID, at === 0, field, payload));
        at += payload.length;
      }
      return Buffer.concat(packets);
    },
  };
}

const ticksOf = (ms: number): number => (ms * TICKS) % TICKS_END;

// A packet's head: its length where it fits, and the times at which the picture is shown and decoded.
function headOf(length: number, shown: number, ticks: number): Buffer {
  const head = Buffer.alloc(19);
  const rest = length + head.length - 6;
  Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0xc0, 10]).copy(head);
  head.writeUInt16BE(rest > 0xffff ? 0 : rest, 4);
  writeTime(head, 9, 0x31, shown);
  writeTime(head, 14, 0x11, ticks);
  return head;
}

function writeTime(head: Buffer, at: number, mark: number, ticks: number): void {
  head[at] = mark | (Math.floor(ticks / 2 ** 30) << 1);
  head.writeUInt16BE((Math.floor(ticks / 2 ** 15) % 2 ** 15) * 2 + 1, at + 1);
  head.writeUInt16BE((ticks % 2 ** 15) * 2 + 1, at + 3);
}

function clockField(ticks: number, isKey: boolean): Buffer {
  const field = Buffer.alloc(8);
  field[0] = field.length - 1;
  field[1] = FIELD.clock | (isKey ? FIELD.keyPicture : 0);
  field.writeUInt32BE(Math.floor(ticks / 2), 2);
  field.writeUInt16BE(((ticks % 2) << 15) | 0x7e00, 6);
  return field;
}

// Fills a packet up: an adaptation field of one byte is only its length, which is 0 then.
function filled(field: Buffer, count: number): Buffer {
  if (count === 0) return field;
  const all = Buffer.alloc(field.length + count, 0xff);
  field.copy(all);
  all[0] = all.length - 1;
  if (field.length === 0 && all.length > 1) all[1] = 0;
  return all;
}

function sectionOf(tableId: number, content: readonly number[]): Buffer {
  // Number of the stream or program, version 0 and valid now, section 0 of 0.
  const body = [0, 1, 0xc1, 0, 0, ...content];
  const length = body.length + 4;
  const section = Buffer.from([tableId, 0xb0 | (length >> 8), length & 0xff, ...body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksumOf(section), 0);
  return Buffer.concat([section, sum]);
}

// The checksum of Annex A: polynomial 0x04c11db7, high bit first.
function checksumOf(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}
