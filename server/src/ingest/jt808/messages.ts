// The header of a message. Bit 14 of its attributes says which of two forms it has: that of 2011 and 2013 with six bytes of
// the terminal's number, or that of 2019 with a version and ten bytes. Answers have the form of what they answer.
import { numberOf } from './bcd.ts';

/** A part of a split message. */
export interface Split {
  readonly total: number;
  /** From 1. */
  readonly index: number;
}

export interface Message {
  readonly id: number;
  /** The version of the 2019 header; null: the header of 2011 and 2013. */
  readonly version: number | null;
  /** The bytes of the terminal's number, and the number without zeros before it; null: nothing but zeros. */
  readonly phone: Buffer;
  readonly terminal: string | null;
  readonly serial: number;
  readonly isEncrypted: boolean;
  readonly split: Split | null;
  readonly body: Buffer;
}

const ATTRIBUTE = { length: 0x03ff, encryption: 0x1c00, split: 0x2000, version: 0x4000 } as const;
const PHONE_BYTES = { plain: 6, versioned: 10 } as const;

/**
 * Reads a message.
 * @param content of a frame: header and body
 * @returns undefined when the lengths do not fit: then something is damaged
 */
export function readMessage(content: Buffer): Message | undefined {
  if (content.length < 4) return undefined;
  const attributes = content.readUInt16BE(2);
  const isVersioned = (attributes & ATTRIBUTE.version) !== 0;
  const isSplit = (attributes & ATTRIBUTE.split) !== 0;
  const phoneAt = isVersioned ? 5 : 4;
  const serialAt = phoneAt + (isVersioned ? PHONE_BYTES.versioned : PHONE_BYTES.plain);
  const bodyAt = serialAt + (isSplit ? 6 : 2);
  if (content.length !== bodyAt + (attributes & ATTRIBUTE.length)) return undefined;
  const phone = content.subarray(phoneAt, serialAt);
  return {
    id: content.readUInt16BE(0),
    version: isVersioned ? (content[4] ?? 0) : null,
    ...{ phone, terminal: numberOf(phone) },
    serial: content.readUInt16BE(serialAt),
    isEncrypted: (attributes & ATTRIBUTE.encryption) !== 0,
    split: isSplit
      ? { total: content.readUInt16BE(serialAt + 2), index: content.readUInt16BE(serialAt + 4) }
      : null,
    body: content.subarray(bodyAt),
  };
}

/** Header and body of a message to a terminal, in the form of a message from it. @param body at most 1,023 bytes */
export function messageTo(
  { version, phone }: Pick<Message, 'version' | 'phone'>,
  id: number,
  serial: number,
  body: Buffer,
): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(body.length | (version === null ? 0 : ATTRIBUTE.version), 2);
  const numbered = Buffer.alloc(2);
  numbered.writeUInt16BE(serial, 0);
  return Buffer.concat([
    head,
    Buffer.from(version === null ? [] : [version]),
    ...[phone, numbered, body],
  ]);
}
