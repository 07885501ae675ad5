// Makes a map file: vector tiles in a PMTiles archive of version 3
// (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
import { gzipSync } from 'node:zlib';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Point } from '@ridewatch/contract/primitives';
import type { Feature, Geometry } from 'geojson';

const HEADER_BYTES = 127;
const GZIP = 2;
const MVT = 1;
/** A reader gets the header and the directory with its first request, which is so long. */
const BEGINNING_BYTES = 16_384;
/** Units of a tile's side. */
const EXTENT = 4096;
/** Units beyond each side, so that lines of neighbouring tiles meet. */
const BUFFER = 64;
/** A line may be so many units off its places. */
const TOLERANCE = 4;

export interface MapFeature {
  /** As the Protomaps schema names it: roads, water, landuse, buildings, places. */
  readonly layer: string;
  readonly shape: 'Point' | 'LineString' | 'Polygon';
  /** Of a polygon: its ring without the last place. */
  readonly places: readonly Point[];
  readonly properties: Readonly<Record<string, string | number>>;
  /** The least zoom that has it; all have it unless given. */
  readonly from?: number;
}

export interface MapArea {
  readonly southWest: Point;
  readonly northEast: Point;
}

interface TileName {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}
interface PackedTile {
  readonly id: number;
  readonly packed: Buffer;
}

/**
 * Makes a map file.
 * @param area the tiles that it has
 * @param zooms the least and the greatest; maps draw closer ones from the greatest
 * @throws Error if there are more tiles than one directory has room for, some thousands
 */
export function makeMapFile(
  features: readonly MapFeature[],
  area: MapArea,
  zooms: { least: number; greatest: number },
): Buffer {
  const layers = layersOf(features, zooms.greatest);
  const tiles = tilesOf(area, zooms)
    .map((tile) => ({ id: tileId(tile), packed: gzipSync(tileBytes(layers, tile)) }))
    .toSorted((one, other) => one.id - other.id);
  const directory = gzipSync(directoryOf(tiles));
  if (HEADER_BYTES + directory.length > BEGINNING_BYTES) {
    throw new Error(`One directory has no room for ${tiles.length} tiles.`);
  }
  const metadata = gzipSync('{}');
  const metadataAt = HEADER_BYTES + directory.length;
  const dataAt = metadataAt + metadata.length;
  const data = Buffer.concat(tiles.map(({ packed }) => packed));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles\u0003', 'latin1');
  const places = [
    ...[HEADER_BYTES, directory.length, metadataAt, metadata.length],
    // No leaf directories.
    ...[dataAt, 0, dataAt, data.length],
    ...[tiles.length, tiles.length, tiles.length],
  ];
  for (const [index, value] of places.entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  }
  header.set([1, GZIP, GZIP, MVT, zooms.least, zooms.greatest], 96);
  const corners = [area.southWest, area.northEast].flatMap((corner) => [
    corner.longitude,
    corner.latitude,
  ]);
  for (const [index, degrees] of corners.entries()) {
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index);
  }
  return Buffer.concat([header, directory, metadata, data]);
}

// One index of tiles for the features of a layer that begin at one zoom.
function layersOf(features: readonly MapFeature[], greatest: number) {
  const groups = Map.groupBy(features, ({ layer, from = 0 }) => `${layer} ${from}`);
  return [...groups.values()].map((group) => ({
    name: group[0]?.layer ?? '',
    from: group[0]?.from ?? 0,
    index: new GeoJSONVT(
      { type: 'FeatureCollection', features: group.map(geoJson) },
      { maxZoom: greatest, extent: EXTENT, buffer: BUFFER, tolerance: TOLERANCE },
    ),
  }));
}

function geoJson({ shape, places, properties }: MapFeature): Feature {
  const all = places.map(({ longitude, latitude }) => [longitude, latitude]);
  const [first = []] = all;
  const geometry = (): Geometry => {
    if (shape === 'Point') return { type: shape, coordinates: first };
    if (shape === 'LineString') return { type: shape, coordinates: all };
    return { type: shape, coordinates: [[...all, first]] };
  };
  return { type: 'Feature', properties: { ...properties }, geometry: geometry() };
}

function tileBytes(layers: ReturnType<typeof layersOf>, { z, x, y }: TileName): Uint8Array {
  const found: Record<string, GeoJSONVTTile> = {};
  for (const { name, from, index } of layers) {
    const tile = z < from ? null : index.getTile(z, x, y);
    if (tile === null) continue;
    const before = found[name]?.features ?? [];
    found[name] = { ...tile, features: [...before, ...tile.features] };
  }
  return fromGeojsonVt(found, { version: 2, extent: EXTENT });
}

function tilesOf({ southWest, northEast }: MapArea, zooms: { least: number; greatest: number }) {
  const tiles: TileName[] = [];
  for (let z = zooms.least; z <= zooms.greatest; z += 1) {
    const [from, to] = [tileAt(southWest, z), tileAt(northEast, z)];
    for (let x = from.x; x <= to.x; x += 1) {
      for (let y = to.y; y <= from.y; y += 1) tiles.push({ z, x, y });
    }
  }
  return tiles;
}

// The tile of a place in the web's Mercator projection (EPSG:3857).
function tileAt({ latitude, longitude }: Point, z: number): TileName {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    z,
    x: Math.floor((longitude / 360 + 0.5) * 2 ** z),
    y: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z),
  };
}

// Columns, one after the other: ids as differences, run lengths, lengths, offsets (0: right after the one before).
function directoryOf(tiles: readonly PackedTile[]): Buffer {
  const ids = tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0));
  const lengths = tiles.map(({ packed }) => packed.length);
  const offsets = tiles.map((_, index) => (index === 0 ? 1 : 0));
  const runs = tiles.map(() => 1);
  return Buffer.from([tiles.length, ...ids, ...runs, ...lengths, ...offsets].flatMap(varint));
}

// The bytes of a number in base 128, the lowest first.
function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

// The place of a tile on the Hilbert curve of its zoom, after all tiles of smaller zooms.
function tileId({ z, x: tileX, y: tileY }: TileName): number {
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
