// Writes vector tiles (https://github.com/mapbox/vector-tile-spec, version 2.1).
import { varint } from '@ridewatch/server/src/test/map-file.ts';

const EXTENT = 4096;
const SHAPES = { Point: 1, LineString: 2, Polygon: 3 } as const;

export interface MadeFeature {
  readonly layer: string;
  readonly shape: keyof typeof SHAPES;
  /** Degrees; of a polygon the ring without its last point. */
  readonly places: readonly { latitude: number; longitude: number }[];
  readonly properties: Readonly<Record<string, string>>;
}

/** The number of a tile's column and row at a zoom, with the share of the place in the tile. */
export function tileAt(place: { latitude: number; longitude: number }, z: number) {
  const sine = Math.sin((place.latitude * Math.PI) / 180);
  return {
    x: (place.longitude / 360 + 0.5) * 2 ** z,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z,
  };
}

/** Makes a tile. Features may reach beyond it. */
export function makeVectorTile(
  tile: { z: number; x: number; y: number },
  features: readonly MadeFeature[],
): Uint8Array {
  const layers = Map.groupBy(features, ({ layer }) => layer);
  return Uint8Array.from(
    [...layers].flatMap(([name, all]) => field(3, layerBytes(tile, name, all))),
  );
}

function layerBytes(
  tile: { z: number; x: number; y: number },
  name: string,
  features: readonly MadeFeature[],
): number[] {
  const pairs = features.map(({ properties }) => Object.entries(properties));
  const keys = [...new Set(pairs.flat().map(([key]) => key))];
  const values = [...new Set(pairs.flat().map(([, value]) => value))];
  const written = features.flatMap(({ shape, places, properties }) => {
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      keys.indexOf(key),
      values.indexOf(value),
    ]);
    const points = places.map((place) => {
      const at = tileAt(place, tile.z);
      return [Math.round((at.x - tile.x) * EXTENT), Math.round((at.y - tile.y) * EXTENT)] as const;
    });
    return field(2, [
      ...field(2, tags.flatMap(varint)),
      ...number(3, SHAPES[shape]),
      ...field(4, geometryOf(points, shape === 'Polygon').flatMap(varint)),
    ]);
  });
  return [
    ...number(15, 2),
    ...field(1, text(name)),
    ...written,
    ...keys.flatMap((key) => field(3, text(key))),
    ...values.flatMap((value) => field(4, field(1, text(value)))),
    ...number(5, EXTENT),
  ];
}

// Commands 1 (move), 2 (line) and 7 (close) with their counts; places as zigzag differences.
function geometryOf(points: readonly (readonly [number, number])[], isClosed: boolean): number[] {
  const steps = points.map(([x, y], index) => {
    const [beforeX, beforeY] = points[index - 1] ?? [0, 0];
    return [zigzag(x - beforeX), zigzag(y - beforeY)];
  });
  const lines = steps.length > 1 ? [((steps.length - 1) << 3) | 2, ...steps.slice(1).flat()] : [];
  return [9, ...(steps[0] ?? []), ...lines, ...(isClosed ? [15] : [])];
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function field(number: number, bytes: readonly number[]): number[] {
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

function number(key: number, value: number): number[] {
  return [...varint(key << 3), ...varint(value)];
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value)];
}
