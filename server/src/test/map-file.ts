// Writes a PMTiles archive of version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
import { gzipSync } from 'node:zlib';

const HEADER_BYTES = 127;
const GZIP = 2;
const MVT = 1;

export interface MadeTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Unpacked. */
  readonly bytes: Uint8Array;
}

/** Makes an archive with one directory; its bounds are the whole world. @param tiles in any order */
export function makeMapFile(tiles: readonly MadeTile[]): Buffer {
  const ordered = tiles
    .map((tile) => ({ ...tile, id: tileId(tile), packed: gzipSync(tile.bytes) }))
    .sort((one, other) => one.id - other.id);
  const directory = gzipSync(directoryOf(ordered));
  const metadata = gzipSync('{}');
  const data = Buffer.concat(ordered.map(({ packed }) => packed));
  const zooms = tiles.map(({ z }) => z);

  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles\u0003', 'latin1');
  const metadataAt = HEADER_BYTES + directory.length;
  const dataAt = metadataAt + metadata.length;
  const places = [
    ...[HEADER_BYTES, directory.length, metadataAt, metadata.length],
    // No leaf directories.
    ...[dataAt, 0, dataAt, data.length],
    ...[tiles.length, tiles.length, tiles.length],
  ];
  for (const [index, value] of places.entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  }
  header.set([1, GZIP, GZIP, MVT, Math.min(...zooms), Math.max(...zooms)], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) {
    header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  }
  return Buffer.concat([header, directory, metadata, data]);
}

// Columns, one after the other: ids as differences, run lengths, lengths, offsets (0: right after the one before).
function directoryOf(tiles: readonly { id: number; packed: Buffer }[]): Buffer {
  const ids = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const lengths = tiles.map(({ packed }) => packed.length);
  const offsets = tiles.map((_, index) => (index === 0 ? 1 : 0));
  const runs = tiles.map(() => 1);
  return Buffer.from([tiles.length, ...ids, ...runs, ...lengths, ...offsets].flatMap(varint));
}

/** The bytes of a number in base 128, the lowest first. */
export function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

// The place of a tile on the Hilbert curve of its zoom, after all tiles of smaller zooms.
function tileId({ z, x: tileX, y: tileY }: MadeTile): number {
  let id = (4 ** z - 1) / 3;
  let [x, y] = [tileX, tileY];
  for (let half = 2 ** (z - 1); half >= 1; half /= 2) {
    const right = (x & half) > 0 ? 1 : 0;
    const low = (y & half) > 0 ? 1 : 0;
    id += half * half * ((3 * right) ^ low);
    if (low === 0) {
      if (right === 1) [x, y] = [half - 1 - (x & (half - 1)), half - 1 - (y & (half - 1))];
      [x, y] = [y, x];
    }
  }
  return id;
}
