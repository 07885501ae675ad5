// Reads files of a zip archive (APPNOTE 6.3) in memory. It writes no files, so entry names are never paths. A budget
// limits the output, so that a small archive cannot fill the memory.

import { crc32, createInflateRaw } from 'node:zlib';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  /** As the archive's directory declares; more output is refused. */
  readonly unpackedBytes: number;
  readonly localAt: number;
}

/** Bytes that may still be unpacked. */
export interface Budget {
  bytesLeft: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const BEYOND_32_BITS = 0xffffffff;
const [STORED, DEFLATED] = [0, 8];
const CHUNK_BYTES = 1 << 18;

const damaged = (): FileRefusal => new FileRefusal(message('damagedZip'));

/** Whether bytes begin with the signature of a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * Lists the files in an archive's directory, without folders.
 * @throws FileRefusal for an archive that is damaged or ZIP64
 */
export function listEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === BEYOND_32_BITS || count === 0xffff) {
    throw new FileRefusal(message('zip64'));
  }
  const entries: ZipEntry[] = [];
  for (let n = 0; n < count; n += 1) {
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) throw damaged();
    const nameBytes = view.getUint16(at + 28, true);
    const moreBytes = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const nameAt = at + CENTRAL_BYTES;
    const name = new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameBytes));
    const entry: ZipEntry = {
      name,
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      unpackedBytes: view.getUint32(at + 24, true),
      localAt: view.getUint32(at + 42, true),
    };
    if (!name.endsWith('/')) entries.push(entry);
    at = nameAt + nameBytes + moreBytes;
  }
  return entries;
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw damaged();
}

/**
 * Reads a file in chunks.
 * @throws FileRefusal if it is damaged, needs a password, or exceeds the budget
 */
export async function* readEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  if (entry.unpackedBytes > budget.bytesLeft) throw new FileRefusal(message('tooMuchInZip'));
  let crc = 0;
  let declaredBytes = entry.unpackedBytes;
  for await (const chunk of unpack(packedOf(bytes, entry), entry)) {
    // An archive that unpacks to more than its directory declares is forged.
    declaredBytes -= chunk.length;
    if (declaredBytes < 0) throw damaged();
    budget.bytesLeft -= chunk.length;
    if (budget.bytesLeft < 0) throw new FileRefusal(message('tooMuchInZip'));
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc) throw damaged();
}

function packedOf(bytes: Uint8Array, { name, isEncrypted, localAt, packedBytes }: ZipEntry) {
  if (isEncrypted) throw new FileRefusal(message('password', shown(name)));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (localAt + LOCAL_BYTES > bytes.length || view.getUint32(localAt, true) !== LOCAL) {
    throw damaged();
  }
  const extra = view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  const start = localAt + LOCAL_BYTES + extra;
  if (start + packedBytes > bytes.length) throw damaged();
  return bytes.subarray(start, start + packedBytes);
}

async function* unpack(packed: Uint8Array, { name, method }: ZipEntry) {
  if (method === STORED) {
    yield packed;
    return;
  }
  if (method !== DEFLATED) {
    throw new FileRefusal(message('otherPacking', shown(name)));
  }
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  inflate.end(packed);
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
  } catch {
    throw damaged();
  }
}

/** The names of files for a message: the first three. */
export function namesOf(names: readonly string[]): string {
  const some = names.slice(0, 3).map((name) => shown(name) || '/');
  return names.length > some.length ? `${some.join(', ')}, …` : some.join(', ');
}

/** The last part of a path, shortened for a message. */
function shown(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').slice(0, 60);
}
