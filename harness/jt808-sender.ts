// JT/T 808 as terminals and platforms send it: each terminal of a link signs in, and says its number in each message.
import { createAnswers } from '@ridewatch/server/src/ingest/jt808/answers.ts';
import { MESSAGE, RESULT } from '@ridewatch/server/src/ingest/jt808/codes.ts';
import { createFrameReader } from '@ridewatch/server/src/ingest/jt808/frames.ts';
import {
  type Message as Jt808Message,
  readMessage,
} from '@ridewatch/server/src/ingest/jt808/messages.ts';
import {
  flowBody,
  JT808,
  locationBody,
  locationsMessage,
} from '@ridewatch/unit/src/jt808/bodies.ts';
import { type Jt808Link, openJt808Link } from '@ridewatch/unit/src/jt808/link.ts';
import { framed, type Jt808Form, jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import { createJt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { type EarlyMessage, startEarlyListener } from './early-listener.ts';
import type { Confirmation, Message, Sender, SenderLink } from './sender.ts';
import type { Told } from './told.ts';

const HOST = '127.0.0.1';
const SIGN_IN_MS = 3_000;
/** How long the sound server may take for a message of the one that confirms too early, ms. */
const BRING_MS = 10_000;
const SERIALS = 0x10000;
/** Bytes of a part of a long message: a terminal's has a few of them. */
const PART_BYTES = 80;
const CODE = 'early';

/** JT/T 808, one terminal or many of them in a link. */
export const jt808Sender: Sender = {
  ...{ protocol: 'jt808', variable: 'JT808_PORT', mostWaiting: 8, mostObjects: 1000, doors: 1 },
  counts: ['delta'],
  settingsOf: () => ({}),
  open: async (port, objects, isPlatform) => {
    const link = await openJt808Link(port, HOST);
    try {
      for (const object of objects) {
        await createJt808Terminal(link, identityOf(object)).signIn(undefined, SIGN_IN_MS);
      }
    } catch (error) {
      link.close();
      throw error;
    }
    return linkOf(link, isPlatform ? undefined : PART_BYTES);
  },
  startEarly: (port) =>
    startEarlyListener({ read: readEarly, bring: (message) => bring(port, message) }),
};

const identityOf = (object: number): { phone: string; form: Jt808Form } => ({
  phone: String(object),
  form: object % 2 === 0 ? '2013' : '2019',
});

function linkOf(link: Jt808Link, partBytes: number | undefined): SenderLink {
  let nextSerial = 0;
  /** The message of each serial, and the serials of each message that wait for an answer. */
  const messages = new Map<number, number>();
  const waiting = new Map<number, Set<number>>();
  const bytesOf = ({ id, told }: Message): Buffer => {
    const frames = [...Map.groupBy(told, ({ object }) => object)].flatMap(([object, own]) =>
      bodiesOf(own).flatMap((body) => {
        const message = { ...identityOf(object), ...body, serial: nextSerial };
        const parts = jt808Frames(message, partBytes);
        for (const _ of parts) {
          messages.set(nextSerial, id);
          waiting.set(id, (waiting.get(id) ?? new Set()).add(nextSerial));
          nextSerial = (nextSerial + 1) % SERIALS;
        }
        return parts;
      }),
    );
    return Buffer.concat(frames);
  };
  // Each answer is one of a frame: the last one confirms the message, any refusal refuses it.
  const take = (serial: number, result: number): Confirmation | undefined => {
    const id = messages.get(serial);
    if (id === undefined) return undefined;
    messages.delete(serial);
    if (result === RESULT.failed) throw new Error('the terminal must sign in');
    if (result !== RESULT.ok) return { id, refusal: `refused with ${result}` };
    const left = waiting.get(id);
    left?.delete(serial);
    if (left === undefined || left.size > 0) return undefined;
    waiting.delete(id);
    return { id };
  };
  return {
    send: (message) => {
      waiting.delete(message.id);
      link.send(bytesOf(message));
    },
    cut: (message, share) => {
      const bytes = bytesOf(message);
      link.send(bytes.subarray(0, Math.floor(bytes.length * share)));
      link.close();
    },
    confirm: async (ms) => {
      for (;;) {
        const answer = await link.nextWithin(ms);
        if (answer === undefined) return undefined;
        const confirmation = answer.kind === 'answer' && take(answer.serial, answer.result);
        if (confirmation) return confirmation;
      }
    },
    close: () => link.close(),
  };
}

// The positions of a terminal, and its people, each interval in a message.
function bodiesOf(told: readonly Told[]): { id: number; body: Buffer }[] {
  const flows = told.flatMap(({ timeMs, doors }) => {
    const [entered, exited] = doors[1] ?? [0, 0];
    const flow = { startMs: timeMs - 1000, endMs: timeMs, entered, exited };
    return { id: JT808.passengerFlow, body: flowBody(flow) };
  });
  return [locationsMessage(told.map((one) => locationBody(one))), ...flows];
}

function readEarly(): (bytes: Buffer) => EarlyMessage[] {
  const reader = createFrameReader();
  const answers = createAnswers();
  const earlyOf = (content: Buffer, message: Jt808Message): EarlyMessage => {
    if (message.id === MESSAGE.register) {
      return { bytes: undefined, answer: answers.registered(message, CODE) };
    }
    const answer = answers.general(message, message.serial, RESULT.ok);
    return { bytes: message.id === MESSAGE.signIn ? undefined : framed(content), answer };
  };
  return (bytes) => {
    reader.push(bytes);
    const messages: EarlyMessage[] = [];
    for (let content = reader.next(); content !== undefined; content = reader.next()) {
      const message = readMessage(content);
      if (message !== undefined) messages.push(earlyOf(content, message));
    }
    return messages;
  };
}

async function bring(port: number, frame: Buffer): Promise<void> {
  const reader = createFrameReader();
  reader.push(frame);
  const terminal = readMessage(reader.next() ?? Buffer.alloc(0))?.terminal;
  const link = await openJt808Link(port, HOST);
  try {
    await createJt808Terminal(link, identityOf(Number(terminal))).signIn(undefined, BRING_MS);
    link.send(frame);
    if ((await link.nextWithin(BRING_MS)) === undefined) throw new Error('no answer');
  } finally {
    link.close();
  }
}
