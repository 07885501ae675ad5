// Frames that the server sends in one connection, which number themselves.
import { PLATFORM, REGISTRATION, SERIALS } from './codes.ts';
import { frameOf } from './frames.ts';
import { type Message, messageTo } from './messages.ts';

/** The terminal that a frame is for: the frame has the form of its messages. */
export type Addressee = Pick<Message, 'version' | 'phone'>;

export interface Answers {
  /** The general answer to a message. @param serial of that message */
  general(message: Addressee & Pick<Message, 'id'>, serial: number, result: number): Buffer;
  /** The answer to a registration. @param code undefined: no unit has this number */
  registered(message: Message, code: string | undefined): Buffer;
  /** Asks for parts of a split message, by the serial of its first part. */
  resend(message: Message, firstSerial: number, indexes: readonly number[]): Buffer;
  /** Another message, and the serial by which the terminal answers it. */
  message(
    to: Addressee,
    id: number,
    body: Buffer,
  ): { readonly serial: number; readonly frame: Buffer };
}

/** Makes the frames of one connection. @param before the serial before the first one */
export function createAnswers(before = 0): Answers {
  let serial = before;
  const frame = (to: Addressee, id: number, body: Buffer): Buffer => {
    serial = (serial + 1) % SERIALS;
    return frameOf(messageTo(to, id, serial, body));
  };
  return {
    general: (message, answered, result) =>
      frame(
        message,
        PLATFORM.answer,
        Buffer.concat([words(answered, message.id), Buffer.from([result])]),
      ),
    registered: (message, code) => {
      const result = code === undefined ? REGISTRATION.unknownTerminal : REGISTRATION.ok;
      const body = [words(message.serial), Buffer.from([result]), Buffer.from(code ?? '')];
      return frame(message, PLATFORM.registered, Buffer.concat(body));
    },
    resend: (message, firstSerial, indexes) => {
      // Their number has two bytes since 2019.
      const count =
        message.version === null ? Buffer.from([indexes.length]) : words(indexes.length);
      const body = Buffer.concat([words(firstSerial), count, words(...indexes)]);
      return frame(message, PLATFORM.resend, body);
    },
    message: (to, id, body) => {
      const bytes = frame(to, id, body);
      return { serial, frame: bytes };
    },
  };
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [n, value] of values.entries()) bytes.writeUInt16BE(value, n * 2);
  return bytes;
}
