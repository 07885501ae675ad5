// The map file: a PMTiles archive, version 3, with vector tiles (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { StartError } from '../core/errors.ts';
import type { ByteRange } from '../storage/storage.ts';

/** A reader gets the header and the root directory with its first request, so they lie within these bytes. */
const BEGINNING_BYTES = 16_384;
const HEADER_BYTES = 127;
const MAGIC = 'PMTiles\u0003';
/** Offsets in the header. */
const COMPRESSIONS_AT = [97, 98];
const TILE_TYPE_AT = 99;
const MVT = 1;
/** Compressions of directories and tiles: none and gzip, which the reader in browsers knows. */
const COMPRESSIONS = [1, 2];
const VERSION_CHARS = 16;

export interface MapFile {
  readonly sizeBytes: number;
  /** Differs between files; the same in all processes that serve the same file. */
  readonly version: string;
  /** @returns the bytes of a range that lies within the file; undefined if the file was overwritten since */
  read(range: ByteRange): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the map file. A file that replaces it is served after the next start: until then this one if the new one has
 * its name only, none if the new one was copied over it.
 * @throws StartError if there is no such file, or if it is no PMTiles archive with vector tiles
 */
export async function openMapFile(file: string): Promise<MapFile> {
  const refuse = (why: string, cause?: unknown) =>
    new StartError(`MAP_FILE is invalid: ${file} ${why}`, { cause });
  const handle = await open(file).catch((cause: unknown) => {
    throw refuse('cannot be opened', cause);
  });
  const read = async ({ from, to }: ByteRange): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from + 1), {
      position: from,
    });
    return buffer.subarray(0, bytesRead);
  };
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw refuse('is no file');
    const beginning = await read({ from: 0, to: BEGINNING_BYTES - 1 });
    if (beginning.length < HEADER_BYTES || !beginning.toString('latin1').startsWith(MAGIC)) {
      throw refuse('is no PMTiles archive of version 3');
    }
    if (beginning[TILE_TYPE_AT] !== MVT) throw refuse('has no vector tiles (MVT)');
    if (COMPRESSIONS_AT.some((at) => !COMPRESSIONS.includes(beginning[at] ?? 0))) {
      throw refuse('is not compressed with gzip');
    }
    const hash = createHash('sha256').update(String(stat.size)).update(beginning);
    const version = hash.digest('base64url').slice(0, VERSION_CHARS);
    return {
      sizeBytes: stat.size,
      version,
      read: async (range) => {
        const bytes = await read(range);
        // Browsers keep a range for a week under this version, so it must not come from another file.
        const { size, mtimeMs } = await handle.stat();
        return size === stat.size && mtimeMs === stat.mtimeMs ? bytes : undefined;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
