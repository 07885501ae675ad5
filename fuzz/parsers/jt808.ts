// JT/T 808 for the run of its parser: messages of the terminal's encoder, and the server's reader and decoder as a session
// uses them.
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { createAnswers } from '@ridewatch/server/src/ingest/jt808/answers.ts';
import { MESSAGE } from '@ridewatch/server/src/ingest/jt808/codes.ts';
import { createFrameReader } from '@ridewatch/server/src/ingest/jt808/frames.ts';
import { readMessage } from '@ridewatch/server/src/ingest/jt808/messages.ts';
import {
  createSplitMessages,
  createSplitRoom,
} from '@ridewatch/server/src/ingest/jt808/split-messages.ts';
import { readCode } from '@ridewatch/server/src/ingest/jt808/terminal-codes.ts';
import { heardOf, toldOf } from '@ridewatch/server/src/ingest/jt808/told-messages.ts';
import {
  batchBody,
  flowBody,
  JT808,
  locationBody,
  registerBody,
  signInBody,
} from '@ridewatch/unit/src/jt808/bodies.ts';
import { framed, jt808Frame, jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import { JT1078 } from '@ridewatch/unit/src/jt1078/messages.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { FIRST_OBJECT } from '../../harness/told-objects.ts';
import { pick, whole } from '../values.ts';
import { checkRecord } from './check-record.ts';
import { checkFileList, makeFileList } from './file-lists.ts';
import type { ParserLink, SoundFrame, StreamParser } from './parser.ts';

const BORDER = 0x7e;
const ESCAPE = 0x7d;
const MOST_BODY_BYTES = 0x3ff;
/** Header, body and checksum, each byte escaped. */
const MOST_FRAME_BYTES = 2 * (21 + MOST_BODY_BYTES + 1);
const MOST_DAMAGED_BYTES = 2 ** 20;
const FORMS = ['2013', '2019'] as const;

/** JT/T 808. */
export const jt808Parser: StreamParser = {
  ...{ protocol: 'jt808', makeFrame, changeLength, repair, findSound, sharedBytes: 1 },
  mayBeLost: (stream) => stream.length > MOST_DAMAGED_BYTES,
  endless: [Buffer.from([0]), Buffer.from([ESCAPE]), Buffer.from([BORDER, 0, 1])],
  // A frame, and the bytes that a socket gives at once.
  ...{ mostKeptBytes: MOST_FRAME_BYTES + 65_536, mostDamagedBytes: MOST_DAMAGED_BYTES },
  open: openLink,
};

function makeFrame(chance: Chance): Buffer {
  const form = pick(chance, FORMS);
  const phone = String(chance.happens(0.5) ? FIRST_OBJECT.jt808 + 1 : whole(chance, 1, 1e11));
  const message = { form, phone, serial: whole(chance, 0, 0xffff), ...makeBody(chance, form) };
  if (chance.happens(0.8)) return jt808Frame(message);
  // A part, or all parts, of a split message.
  const parts = jt808Frames(message, whole(chance, 10, 40));
  return chance.happens(0.5) ? Buffer.concat(parts) : pick(chance, parts);
}

function makeBody(chance: Chance, form: (typeof FORMS)[number]): { id: number; body: Buffer } {
  const location = (): Buffer =>
    locationBody({
      ...{ timeMs: makeTime(chance), latitude: chance.between(-90, 90) },
      ...{ longitude: chance.between(-180, 180), speedKmh: chance.between(0, 120) },
      ...{ course: whole(chance, 0, 359), isValid: chance.happens(0.8) },
      satellites: whole(chance, 0, 40),
    });
  const kind = chance.choose([4, 3, 3, 1, 1, 2, 1]);
  if (kind === 0) return { id: JT808.location, body: location() };
  if (kind === 1) {
    const items = Array.from({ length: whole(chance, 0, 6) }, location);
    return { id: JT808.locations, body: batchBody(items) };
  }
  if (kind === 2) {
    const endMs = makeTime(chance);
    const people = { entered: whole(chance, 0, 300), exited: whole(chance, 0, 300) };
    const startMs = endMs - whole(chance, 0, 600) * 1000;
    return { id: JT808.passengerFlow, body: flowBody({ startMs, endMs, ...people }) };
  }
  if (kind === 3) return { id: JT808.register, body: registerBody(form) };
  if (kind === 4) return { id: JT808.signIn, body: signInBody(form, 'f00d'.repeat(8)) };
  if (kind === 5) return { id: JT1078.files, body: makeFileList(chance, makeTime(chance)) };
  return { id: pick(chance, Object.values(JT808)), body: Buffer.alloc(whole(chance, 0, 30), 7) };
}

const makeTime = (chance: Chance): number =>
  Date.UTC(2001) + whole(chance, 0, 3_000_000_000) * 1000;

// The attributes of the header have the length of the body.
function changeLength(chance: Chance, frame: Buffer): Buffer {
  const content = contentOf(frame);
  if (content.length < 4) return frame;
  const attributes = content.readUInt16BE(2);
  const near = (attributes & ~MOST_BODY_BYTES) | whole(chance, 0, MOST_BODY_BYTES);
  content.writeUInt16BE(chance.happens(0.7) ? near : whole(chance, 0, 0xffff), 2);
  return framed(content);
}

// Every second frame also gets the right length.
function repair(frame: Buffer): Buffer {
  const content = contentOf(frame);
  if (content.length >= 4 && frame.length % 2 === 0) {
    const attributes = content.readUInt16BE(2);
    const bodyBytes = content.length - headerBytesOf(attributes);
    if (bodyBytes >= 0 && bodyBytes <= MOST_BODY_BYTES) {
      content.writeUInt16BE((attributes & ~MOST_BODY_BYTES) | bodyBytes, 2);
    }
  }
  return framed(content);
}

const headerBytesOf = (attributes: number): number =>
  ((attributes & 0x4000) === 0 ? 12 : 17) + ((attributes & 0x2000) === 0 ? 0 : 4);

// Header and body, whatever the escapes and the checksum are.
function contentOf(frame: Buffer): Buffer {
  const from = frame[0] === BORDER ? 1 : 0;
  const to = frame.at(-1) === BORDER ? -1 : frame.length;
  const plain = unescaped(frame.subarray(from, to)) ?? Buffer.from(frame.subarray(from, to));
  return plain.subarray(0, -1);
}

function unescaped(bytes: Buffer): Buffer | undefined {
  const [first = '', ...escapes] = bytes.toString('latin1').split(String.fromCharCode(ESCAPE));
  const plain = escapes.map((text) => {
    const byte = [undefined, ESCAPE, BORDER][text.charCodeAt(0)];
    return byte === undefined ? undefined : String.fromCharCode(byte) + text.slice(1);
  });
  if (plain.includes(undefined)) return undefined;
  return Buffer.from(first + plain.join(''), 'latin1');
}

function findSound(stream: Buffer): SoundFrame[] {
  const sound: SoundFrame[] = [];
  let start = -1;
  for (
    let border = stream.indexOf(BORDER);
    border >= 0;
    border = stream.indexOf(BORDER, start + 1)
  ) {
    const plain = unescaped(stream.subarray(start + 1, border));
    const content = plain?.subarray(0, -1) ?? Buffer.alloc(0);
    const isWhole = content.length >= 4 && content.length <= 21 + MOST_BODY_BYTES;
    const attributes = isWhole ? content.readUInt16BE(2) : 0;
    const fits = content.length === headerBytesOf(attributes) + (attributes & MOST_BODY_BYTES);
    const isRight = plain?.reduce((sum, byte) => sum ^ byte, 0) === 0;
    if (isWhole && fits && isRight) {
      sound.push({ start: Math.max(0, start), end: border + 1, key: keyOf(content) });
    }
    start = border;
  }
  return sound;
}

const keyOf = (content: Buffer): string => content.toString('latin1');

function openLink(chance: Chance): ParserLink {
  const reader = createFrameReader();
  const answers = createAnswers();
  const kept = { bytes: 0 };
  const room = createSplitRoom();
  const splits = createSplitMessages({
    take: (terminal, place, bytes) => {
      const isTaken = room.take(terminal, place, bytes);
      if (isTaken) kept.bytes += bytes;
      return isTaken;
    },
    leave: (terminal, place) => {
      kept.bytes -= place.bytes;
      room.leave(terminal, place);
    },
  });
  const settings: Jt808Settings = {
    ...{ clock_hours: whole(chance, -12, 14), door: whole(chance, 1, 8), uploads: 'any' },
  };

  function decode(content: Buffer): boolean {
    const message = readMessage(content);
    if (message === undefined) return false;
    readCode(message);
    heardOf(message, '1');
    answers.registered(message, '1');
    answers.general(message, message.serial, 0);
    const part = message.split === null ? undefined : splits.add(message);
    if (part?.kind === 'missing') answers.resend(message, part.firstSerial, part.indexes);
    if (part !== undefined && part.kind !== 'whole') return true;
    const all = part?.message ?? message;
    if (all.id === MESSAGE.fileList) checkFileList(all.body, settings.clock_hours);
    const told = toldOf(all, '1');
    for (const { read } of told === 'wrong' ? [] : told) {
      const records = read(settings, () => undefined);
      if (records !== 'wrong') for (const one of records) checkRecord(one, 1);
    }
    return true;
  }

  return {
    push: (bytes) => {
      reader.push(bytes);
      const keys: string[] = [];
      for (let content = reader.next(); content !== undefined; content = reader.next()) {
        if (decode(content)) keys.push(keyOf(content));
      }
      return keys;
    },
    giveUp: () => undefined,
    isLost: () => reader.isLost(),
    close: () => {
      splits.clear();
      if (kept.bytes !== 0) throw new Error(`${kept.bytes} bytes of parts stay`);
    },
  };
}
