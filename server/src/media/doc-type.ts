// Matroska and WebM are one container (EBML); the header says which of the two a file is (RFC 8794, section 11.2).
import { open } from 'node:fs/promises';

const HEAD_ID = 0x1a45dfa3;
const DOC_TYPE_ID = 0x4282;
const SEGMENT_ID = 0x18538067;
/** A header is some 40 bytes; padding may make it longer. */
const READ_BYTES = 4096;

/** The document type of an EBML file, `matroska` or `webm`. @returns undefined when its header does not say */
export async function readDocType(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return docTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The same from the first bytes of a file. */
export function docTypeOf(bytes: Buffer): string | undefined {
  const head = elementAt(bytes, 0);
  if (head?.id !== HEAD_ID) return undefined;
  const end = Math.min(head.end, bytes.length);
  for (let at = head.start; at < end; ) {
    const element = elementAt(bytes, at);
    if (element === undefined || element.end > end) return undefined;
    if (element.id === DOC_TYPE_ID) {
      return bytes.toString('latin1', element.start, element.end).replace(/\0.*$/s, '');
    }
    at = element.end;
  }
  return undefined;
}

/**
 * The end of the segment of a Matroska file, which has all its frames (RFC 9559, section 4.5).
 * @param bytes the first ones of the file
 * @returns undefined when the file does not say
 */
export function segmentEndOf(bytes: Buffer): number | undefined {
  const head = elementAt(bytes, 0);
  if (head?.id !== HEAD_ID) return undefined;
  for (let at = head.end; at + 12 <= bytes.length; ) {
    const idLength = lengthAt(bytes, at);
    if (idLength <= 4 && bytes.readUIntBE(at, idLength) === SEGMENT_ID) {
      return endOfSegment(bytes, at + idLength);
    }
    const element = elementAt(bytes, at);
    if (element === undefined) return undefined;
    at = element.end;
  }
  return undefined;
}

// All ones: the size is not known.
function endOfSegment(bytes: Buffer, sizeAt: number): number | undefined {
  const length = lengthAt(bytes, sizeAt);
  if (length > 8) return undefined;
  const marker = 1n << BigInt(7 * length);
  let value = 0n;
  for (const byte of bytes.subarray(sizeAt, sizeAt + length)) value = value * 256n + BigInt(byte);
  const size = value - marker;
  return size === marker - 1n ? undefined : sizeAt + length + Number(size);
}

interface Element {
  readonly id: number;
  /** The place of its contents. */
  readonly start: number;
  readonly end: number;
}

function elementAt(bytes: Buffer, at: number): Element | undefined {
  const idLength = lengthAt(bytes, at);
  if (idLength > 4 || at + idLength > bytes.length) return undefined;
  const sizeAt = at + idLength;
  const sizeLength = lengthAt(bytes, sizeAt);
  // Six bytes are more than any header has.
  if (sizeLength > 6 || sizeAt + sizeLength > bytes.length) return undefined;
  const size = bytes.readUIntBE(sizeAt, sizeLength) - 2 ** (7 * sizeLength);
  const start = sizeAt + sizeLength;
  return { id: bytes.readUIntBE(at, idLength), start, end: start + size };
}

// A number starts with as many zero bits as it has further bytes.
function lengthAt(bytes: Buffer, at: number): number {
  return Math.clz32(bytes[at] ?? 0) - 23;
}
