// Messages as a terminal of JT/T 808 builds them, in the form of 2011 and 2013 or in that of 2019. It shares nothing with
// the server: each reads the standard by itself.

/** The header of a terminal's messages: its number in six bytes, or a version and ten bytes. */
export type Jt808Form = '2013' | '2019';

export interface Jt808Message {
  readonly form: Jt808Form;
  /** The terminal's number, digits. */
  readonly phone: string;
  readonly id: number;
  readonly serial: number;
  readonly body: Buffer;
}

/** Most bytes of a body. A longer one is split. */
const MOST_BODY_BYTES = 1023;
const SERIALS = 0x10000;

/**
 * The bytes of a message, or of its parts, which have serials from the message's on.
 * @param mostBytes of a part
 * @returns a frame for each
 */
export function jt808Frames(message: Jt808Message, mostBytes = MOST_BODY_BYTES): Buffer[] {
  const { body, serial } = message;
  if (body.length <= mostBytes) return [jt808Frame(message)];
  const total = Math.ceil(body.length / mostBytes);
  return [...Array(total).keys()].map((n) => {
    const part = body.subarray(n * mostBytes, (n + 1) * mostBytes);
    const own = { ...message, body: part, serial: (serial + n) % SERIALS };
    return jt808Frame(own, [total, n + 1]);
  });
}

/** The bytes of one frame. @param split total and index of a part */
export function jt808Frame(
  { form, phone, id, serial, body }: Jt808Message,
  split?: readonly [total: number, index: number],
  more: { readonly attributes?: number } = {},
): Buffer {
  const isNew = form === '2019';
  const attributes =
    body.length |
    (split === undefined ? 0 : 0x2000) |
    (isNew ? 0x4000 : 0) |
    (more.attributes ?? 0);
  const digits = phone.padStart(isNew ? 20 : 12, '0');
  return framed(
    Buffer.concat([
      u16(id, attributes),
      ...(isNew ? [Buffer.from([1])] : []),
      Buffer.from(digits, 'hex'),
      u16(serial, ...(split ?? [])),
      body,
    ]),
  );
}

/** Adds the checksum, escapes, and stands the bytes between borders. */
export function framed(content: Buffer): Buffer {
  const checksum = content.reduce((sum, byte) => sum ^ byte, 0);
  const escaped: number[] = [];
  for (const byte of [...content, checksum]) {
    if (byte === 0x7d) escaped.push(0x7d, 0x01);
    else if (byte === 0x7e) escaped.push(0x7d, 0x02);
    else escaped.push(byte);
  }
  return Buffer.from([0x7e, ...escaped, 0x7e]);
}

/** The bytes between two borders as they were before `framed` escaped them. */
export function withoutEscapes(bytes: Buffer): Buffer {
  const plain: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x7d) at += 1;
    plain.push(byte === 0x7d ? 0x7c + (bytes[at] ?? 0) : byte);
  }
  return Buffer.from(plain);
}

/** Words, the high byte first. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [n, value] of values.entries()) bytes.writeUInt16BE(value, n * 2);
  return bytes;
}
