// JT/T 1078 for the run of its parser: packets of the terminal's encoder, and the server's reader of packets and pictures as a
// session uses them. A packet has no checksum: an observer knows one by its form and by the number of its terminal.
import { createPacketReader, type Packet } from '@ridewatch/server/src/ingest/jt1078/packets.ts';
import {
  createPictureReader,
  MOST_PICTURE_BYTES,
  type Picture,
} from '@ridewatch/server/src/ingest/jt1078/pictures.ts';
import { type Jt1078Camera, jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { pick, whole } from '../values.ts';
import type { ParserLink, SoundFrame, StreamParser } from './parser.ts';

/** The terminal whose stream was asked for; connections of others are closed. */
const PHONE = '13912345678';
const MARKER = Buffer.from('30316364', 'hex');
const PHONE_AT = 8;
const FORMS = [6, 10] as const;
type PhoneBytes = (typeof FORMS)[number];
const SERIALS = 0x10000;
const MOST_BODY_BYTES = 4096;
/** The longest header. A shorter beginning of a stream says too little. */
const HEADER_BYTES = 34;
const MOST_DAMAGED_BYTES = 2 ** 20;
/** Kinds of content and of parts, both from 0; pictures are the first three kinds. */
const [KINDS, PICTURES, PARTS] = [5, 3, 4];
const [AUDIO, OTHER] = [3, 4];
const [WHOLE, FIRST] = [0, 1];
/** Share of frames that have several packets. */
const LONG = 0.1;

/** The stream of each connection goes on from frame to frame. */
const streams = new WeakMap<Chance, { camera: Jt1078Camera; serial: number; timeMs: number }>();

/** JT/T 1078. */
export const jt1078Parser: StreamParser = {
  ...{ protocol: 'jt1078', makeFrame, changeLength, repair, findSound, sharedBytes: 0 },
  port: 'JT1078_PORT',
  mayBeLost: (stream) => stream.length > MOST_DAMAGED_BYTES || beginningOf(stream) === 'foreign',
  endless: [Buffer.from([0]), MARKER, headerOf(MOST_BODY_BYTES + 1)],
  // A packet, and the bytes that a socket gives at once.
  mostKeptBytes: HEADER_BYTES + MOST_BODY_BYTES + 65_536,
  mostDamagedBytes: MOST_DAMAGED_BYTES,
  open: openLink,
};

function headerOf(bodyBytes: number): Buffer {
  const camera = { phone: PHONE, channel: 1, codec: 'h264', phoneBytes: 6 } as const;
  const [packet] = jt1078Packets(camera, { kind: 'key', timeMs: 0, bytes: Buffer.alloc(4) }, 0);
  if (packet === undefined) throw new Error('a frame without packets');
  packet.writeUInt16BE(bodyBytes, 28);
  return packet;
}

function makeFrame(chance: Chance): Buffer {
  const stream = streams.get(chance) ?? beginStream(chance);
  streams.set(chance, stream);
  const length = chance.happens(LONG) ? whole(chance, 951, 4000) : whole(chance, 16, 300);
  const bytes = Buffer.alloc(length, Buffer.from([whole(chance, 0, 255), whole(chance, 0, 255)]));
  const kinds = ['key', 'predicted', 'bidirectional', 'audio', 'other'] as const;
  const kind = kinds[chance.choose([2, 5, 1, 2, 0.5])] ?? 'key';
  const packets = jt1078Packets(
    stream.camera,
    { kind, timeMs: stream.timeMs, bytes },
    stream.serial,
  );
  stream.serial = (stream.serial + packets.length) % SERIALS;
  stream.timeMs += whole(chance, 20, 60);
  return Buffer.concat(packets);
}

const beginStream = (chance: Chance) => ({
  camera: {
    ...{ phone: PHONE, channel: whole(chance, 1, 255) },
    ...{ codec: pick(chance, ['h264', 'h265'] as const), phoneBytes: pick(chance, FORMS) },
  },
  // Some streams pass the greatest serial.
  serial: chance.happens(0.2) ? SERIALS - whole(chance, 1, 20) : whole(chance, 0, SERIALS - 1),
  timeMs: whole(chance, 0, 1e12),
});

const phoneOf = (phoneBytes: PhoneBytes): Buffer =>
  Buffer.from(PHONE.padStart(2 * phoneBytes, '0'), 'hex');

/** The place of a packet's length by its own form; undefined: it ends before. */
function lengthAtOf(frame: Buffer): number | undefined {
  const isShort = frame.subarray(PHONE_AT, PHONE_AT + 6).equals(phoneOf(6));
  const kindAt = PHONE_AT + (isShort ? 6 : 10) + 1;
  const at = kindAt + 1 + timeBytesOf((frame[kindAt] ?? 0) >> 4);
  return at + 2 > frame.length ? undefined : at;
}

// A time, and two intervals of a picture.
function timeBytesOf(kind: number): number {
  if (kind === OTHER) return 0;
  return kind === AUDIO ? 8 : 12;
}

function changeLength(chance: Chance, frame: Buffer): Buffer {
  const at = lengthAtOf(frame);
  if (at === undefined) return frame;
  const changed = Buffer.from(frame);
  const near = changed.readUInt16BE(at) + whole(chance, -8, 8);
  changed.writeUInt16BE((chance.happens(0.6) ? near : whole(chance, 0, 0xffff)) & 0xffff, at);
  return changed;
}

// Marker, version and length become those of one packet.
function repair(frame: Buffer): Buffer {
  const at = lengthAtOf(frame);
  if (at === undefined) return frame;
  const repaired = Buffer.from(frame);
  MARKER.copy(repaired);
  repaired[4] = 0x81;
  repaired.writeUInt16BE(Math.min(frame.length - at - 2, MOST_BODY_BYTES), at);
  return repaired;
}

interface Found {
  /** Beyond the stream when the rest of the packet has not come. */
  readonly end: number;
  readonly key: string;
}

/** The packet of a terminal that begins at a place of a stream; undefined: none does. */
function packetAt(stream: Buffer, start: number, phone: Buffer): Found | undefined {
  const rest = { end: stream.length + 1, key: `rest ${start}` };
  const kindAt = start + PHONE_AT + phone.length + 1;
  if (kindAt >= stream.length) return rest;
  const [kind, part] = [(stream[kindAt] ?? 0) >> 4, (stream[kindAt] ?? 0) & 0x0f];
  const own = stream.subarray(start + PHONE_AT, kindAt - 1);
  if ((stream[start + 4] ?? 0) >> 6 !== 2 || !own.equals(phone)) return undefined;
  if (kind >= KINDS || part >= PARTS) return undefined;
  const lengthAt = kindAt + 1 + timeBytesOf(kind);
  if (lengthAt + 2 > stream.length) return rest;
  const length = stream.readUInt16BE(lengthAt);
  if (length > MOST_BODY_BYTES) return undefined;
  const end = lengthAt + 2 + length;
  if (end > stream.length) return rest;
  const timeMs = kind === OTHER ? 0 : Number(stream.readBigUInt64BE(kindAt + 1));
  const serial = stream.readUInt16BE(start + 6);
  const body = stream.subarray(lengthAt + 2, end);
  return { end, key: keyOf([serial, stream[kindAt - 1] ?? 0, kind, part, timeMs], body) };
}

const keyOf = (numbers: readonly number[], body: Buffer): string =>
  `${numbers.join(' ')} ${body.toString('latin1')}`;

/** Where the stream of a terminal begins, and its form; foreign: another terminal's; undefined: nowhere. */
function beginningOf(
  stream: Buffer,
): { readonly start: number; readonly phone: Buffer } | 'foreign' | undefined {
  let start = stream.indexOf(MARKER);
  for (; start >= 0 && start + HEADER_BYTES <= stream.length; ) {
    const phones = FORMS.map((form) =>
      stream.subarray(start + PHONE_AT, start + PHONE_AT + form),
    ).filter(
      (phone) =>
        phone.some((byte) => byte !== 0) &&
        (stream[start + PHONE_AT + phone.length] ?? 0) > 0 &&
        packetAt(stream, start, phone) !== undefined,
    );
    const own = phones.find((phone) => phoneOf(phone.length as PhoneBytes).equals(phone));
    if (own !== undefined) return { start, phone: own };
    if (phones.length > 0) return 'foreign';
    start = stream.indexOf(MARKER, start + 1);
  }
  return undefined;
}

function findSound(stream: Buffer): SoundFrame[] {
  const beginning = beginningOf(stream);
  if (beginning === undefined || beginning === 'foreign') return [];
  const sound: SoundFrame[] = [];
  let { start } = beginning;
  for (; start >= 0; start = stream.indexOf(MARKER, start + 1)) {
    const found = packetAt(stream, start, beginning.phone);
    if (found !== undefined) sound.push({ start, ...found });
  }
  return sound;
}

function openLink(): ParserLink {
  const reader = createPacketReader();
  const pictures = createPictureReader();
  const packets: Packet[] = [];
  let isForeign = false;
  let last: Picture | undefined;

  function choose(): void {
    const readings = reader.readings();
    if (readings === undefined) return;
    const own = readings.find(({ terminal }) => terminal === PHONE);
    if (own === undefined) isForeign = true;
    else reader.choose(own);
  }

  function take(packet: Packet): string {
    packets.push(packet);
    if (packet.data >= PICTURES) pictures.pass(packet);
    else {
      const picture = pictures.take(packet);
      if (picture !== undefined) checkPicture(picture, last, packets);
      last = picture ?? last;
    }
    const { serial, channel, data, part, timeMs, body } = packet;
    return keyOf([serial, channel, data, part, timeMs], body);
  }

  return {
    push: (bytes) => {
      reader.push(bytes);
      choose();
      const keys: string[] = [];
      for (let packet = reader.next(); packet !== undefined; packet = reader.next()) {
        keys.push(take(packet));
      }
      return keys;
    },
    giveUp: () => undefined,
    isLost: () => isForeign || reader.isLost(),
    close: () => undefined,
  };
}

// A picture is what the packets since its beginning hold, without a gap.
function checkPicture(
  { isKey, bytes, atMs, shownMs }: Picture,
  last: Picture | undefined,
  packets: readonly Packet[],
): void {
  const from = packets.findLastIndex(
    ({ data, part }) => data < PICTURES && (part === WHOLE || part === FIRST),
  );
  const own = packets.slice(from).filter(({ data }) => data < PICTURES);
  const isOwn = Buffer.concat(own.map(({ body }) => body)).equals(bytes);
  if (from < 0 || !isOwn) throw new Error(`a picture of ${bytes.length} bytes that nobody sent`);
  if (isKey !== (own[0]?.data === 0)) throw new Error('a picture of another kind');
  if (bytes.length > MOST_PICTURE_BYTES) throw new Error(`a picture of ${bytes.length} bytes`);
  if (last === undefined && !isKey) throw new Error('a picture before the first key picture');
  if (packets.slice(from + 1).some(({ serial }, n) => !follows(packets.slice(from), n, serial))) {
    throw new Error('a picture with a gap');
  }
  const isLater = atMs >= (last?.atMs ?? 0) && shownMs >= atMs && Number.isFinite(shownMs);
  if (!isLater) throw new Error(`a picture at ${atMs} ms, shown at ${shownMs} ms`);
}

// Some terminals number pictures and sound apart.
function follows(packets: readonly Packet[], n: number, serial: number): boolean {
  const before = packets[n];
  const picture = packets.slice(0, n + 1).findLast(({ data }) => data < PICTURES);
  const isSound = (packets[n + 1]?.data ?? 0) >= PICTURES;
  return isSound || [before, picture].some((one) => one && (one.serial + 1) % SERIALS === serial);
}
