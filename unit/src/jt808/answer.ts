// Reads what a server of JT/T 808 sends.
import { withoutEscapes } from './message.ts';

/** A message of the server. */
export type Jt808Answer =
  /** The general answer to a message of the terminal, by its serial and id. */
  | {
      readonly kind: 'answer';
      readonly serial: number;
      readonly id: number;
      readonly result: number;
    }
  | {
      readonly kind: 'registered';
      readonly serial: number;
      readonly result: number;
      /** The terminal signs in by it; empty when the terminal is not known. */
      readonly code: string;
    }
  /** Another message, which the terminal answers. */
  | {
      readonly kind: 'message';
      readonly id: number;
      readonly serial: number;
      readonly phone: string;
      readonly body: Buffer;
    };

/**
 * Cuts bytes of a server into messages.
 * @returns takes bytes, and gives the messages that are whole by now
 * @throws Error for bytes that are none
 */
export function createAnswerReader(): (bytes: Buffer) => Jt808Answer[] {
  let left: Buffer = Buffer.alloc(0);
  return (bytes) => {
    left = Buffer.concat([left, bytes]);
    const answers: Jt808Answer[] = [];
    for (;;) {
      const end = left.indexOf(0x7e, 1);
      if (end < 0) return answers;
      answers.push(readAnswer(withoutEscapes(left.subarray(1, end))));
      left = left.subarray(end + 1);
    }
  };
}

function readAnswer(bytes: Buffer): Jt808Answer {
  if (bytes.reduce((sum, byte) => sum ^ byte, 0) !== 0) throw new Error('wrong checksum');
  const attributes = bytes.readUInt16BE(2);
  const [phoneAt, phoneBytes] = (attributes & 0x4000) === 0 ? [4, 6] : [5, 10];
  const serialAt = phoneAt + phoneBytes;
  const body = bytes.subarray(serialAt + 2, -1);
  if (body.length !== (attributes & 0x3ff)) throw new Error('wrong length');
  const id = bytes.readUInt16BE(0);
  if (id === 0x8001) {
    const [serial, answered] = [body.readUInt16BE(0), body.readUInt16BE(2)];
    return { kind: 'answer', serial, id: answered, result: body[4] ?? 0 };
  }
  if (id === 0x8100) {
    const code = body.toString('latin1', 3);
    return { kind: 'registered', serial: body.readUInt16BE(0), result: body[2] ?? 0, code };
  }
  const phone = bytes.toString('hex', phoneAt, serialAt);
  return { kind: 'message', id, serial: bytes.readUInt16BE(serialAt), phone, body };
}
