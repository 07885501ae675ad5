// Matroska and WebM are one container (EBML); the header says which of the two a file is (RFC 8794, section 11.2).
import { open } from 'node:fs/promises';

const HEAD_ID = 0x1a45dfa3;
const DOC_TYPE_ID = 0x4282;
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

interface Element {
  readonly id: number;
  /** Where its contents lie. */
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
