// Reads files of a zip archive in memory. It writes no files, so entry names are never paths. A budget limits the output,
// so that a small archive cannot fill the memory.

import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly archive: ZipFile;
  readonly entry: Entry;
}

/** Bytes that may still be unpacked. */
export interface Budget {
  bytesLeft: number;
}

/** Most files of an archive. */
const MOST_ENTRIES = 65_536;
/** Bytes of a chunk, so many that the encoding of a text shows in the first one. */
const CHUNK_BYTES = 1 << 18;

const damaged = (): FileRefusal => new FileRefusal(message('damagedZip'));

/** Whether bytes begin with the signature of a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * Lists the files of an archive, without folders.
 * @throws FileRefusal for an archive that is damaged, or has too many files
 */
export async function listEntries(bytes: Uint8Array): Promise<ZipEntry[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ZipEntry[] = [];
  try {
    // Names are UTF-8 in practice, also where an archive does not say so.
    const archive = await fromBufferPromise(buffer, { decodeStrings: false, autoClose: false });
    for await (const entry of archive.eachEntry()) {
      const name = new TextDecoder().decode(entry.fileNameRaw);
      if (!name.endsWith('/')) entries.push({ name, archive, entry });
      if (entries.length > MOST_ENTRIES) break;
    }
  } catch {
    throw damaged();
  }
  if (entries.length > MOST_ENTRIES) throw new FileRefusal(message('tooMuchInZip'));
  return entries;
}

/**
 * Reads a file in chunks.
 * @throws FileRefusal if it is damaged, needs a password, or exceeds the budget
 */
export async function* readEntry(
  { name, archive, entry }: ZipEntry,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new FileRefusal(message('password', shown(name)));
  if (!entry.canDecodeFileData()) throw new FileRefusal(message('otherPacking', shown(name)));
  if (entry.uncompressedSize > budget.bytesLeft) throw new FileRefusal(message('tooMuchInZip'));
  let crc = 0;
  for await (const chunk of joined(unpack(archive, entry))) {
    budget.bytesLeft -= chunk.length;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc32) throw damaged();
}

// The library ends an archive that unpacks to more than its directory declares.
async function* unpack(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await archive.openReadStreamPromise(entry);
  } catch {
    throw damaged();
  }
}

async function* joined(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
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
