import type { RouteDirection } from '@ridewatch/contract/laps';
import type { Point } from '@ridewatch/contract/primitives';
import { Omissions, placeOf } from './coordinates.ts';
import { directionOf } from './direction-words.ts';
import { message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads GeoJSON (RFC 7946), and the format of city portals: `coordinates` and `stations`, latitude first. Lines become
 * the track, those of one feature parts of one; points stops; areas are left out.
 * @throws FileRefusal when it is neither, or in another projection
 */
export function readGeoJson(text: string): FileContent {
  const root = parsed(text);
  const portal = isObject(root) ? readPortal(root) : undefined;
  if (portal !== undefined) return portal;
  const lines: FileLine[] = [];
  const stops: FileStop[] = [];
  const omissions = new Omissions();
  // The stack of values to visit, with the properties of their feature and its lines.
  const open: { value: unknown; properties: Json; parts?: Point[][] | undefined }[] = [
    { value: root, properties: {} },
  ];
  const push = (values: unknown, properties: Json, parts?: Point[][]): void => {
    const list = Array.isArray(values) ? values : [values];
    for (const value of list.toReversed()) open.push({ value, properties, parts });
  };
  const pointsOf = (coordinates: unknown): Point[] =>
    (Array.isArray(coordinates) ? coordinates : []).flatMap((one: unknown) => {
      const [longitude, latitude]: unknown[] = Array.isArray(one) ? one : [];
      const place = placeOf(latitude, longitude);
      if (place === null) omissions.add('withoutPlace');
      return place === null ? [] : [place];
    });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, properties, parts } = next;
    if (Array.isArray(value)) push(value, properties, parts);
    if (!isObject(value)) continue;
    checkProjection(value.crs);
    const { type, coordinates } = value;
    const name = nameOfFeature(properties);
    const direction = directionOf(properties.direction ?? properties.direction_id);
    if (type === 'FeatureCollection') push(value.features, {});
    else if (type === 'Feature') {
      const own = isObject(value.properties) ? value.properties : {};
      const ofFeature: Point[][] = [];
      lines.push({ name: nameOfFeature(own), parts: ofFeature, isOrdered: false });
      push(value.geometry, own, ofFeature);
    } else if (type === 'GeometryCollection') push(value.geometries, properties, parts);
    else if (type === 'LineString' || type === 'MultiLineString') {
      const given = type === 'LineString' ? [coordinates] : coordinates;
      const read = (Array.isArray(given) ? given : []).map(pointsOf);
      if (parts === undefined) lines.push({ name, parts: read, isOrdered: false });
      else for (const part of read) parts.push(part);
    } else if (type === 'Point' || type === 'MultiPoint') {
      const places = pointsOf(type === 'Point' ? [coordinates] : coordinates);
      for (const place of places) stops.push({ ...place, name, direction });
    } else if (type === 'Polygon' || type === 'MultiPolygon') omissions.add('areas');
    else if (typeof type === 'string') omissions.add('others');
  }
  const name = isObject(root) ? nameOfFeature(root) : null;
  const drawn = lines.filter((line) => line.parts.length > 0);
  return { format: 'geojson', name, lines: drawn, stops, notes: omissions.notes() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 120) : '';
    throw new FileRefusal(message('brokenJson', reason));
  }
}

/** WGS 84 in degrees, longitude first in GeoJSON whatever the authority says, by the last part of its name. */
const DEGREES = new Set(['CRS84', 'CRS84H', '4326', '4979', 'WGS84', 'WGS 84']);

// Files of before RFC 7946 name their projection.
function checkProjection(crs: unknown): void {
  if (!isObject(crs)) return;
  const { name, href, code } = isObject(crs.properties) ? crs.properties : {};
  const said = [name, href, typeof code === 'number' ? `EPSG:${code}` : code]
    .filter((one) => typeof one === 'string')
    .map((one) => one.trim());
  const [called = String(crs.type ?? '')] = said;
  if (DEGREES.has((called.split(/[:/]/).at(-1) ?? '').toUpperCase())) return;
  throw new FileRefusal(message('otherProjection', called.slice(0, 80)));
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NAMES = ['name', 'title', 'stop_name', 'Name', 'название', 'имя'] as const;

function nameOfFeature(properties: Json): string | null {
  for (const key of NAMES) {
    const value = properties[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

function readPortal(root: Json): FileContent | undefined {
  const { coordinates, stations, type } = root;
  if (type !== undefined || !Array.isArray(coordinates) || !Array.isArray(stations))
    return undefined;
  const omissions = new Omissions();
  const place = (pair: unknown): Point | null => {
    const [latitude, longitude]: unknown[] = Array.isArray(pair) ? pair : [];
    const found = placeOf(latitude, longitude);
    if (found === null) omissions.add('withoutPlace');
    return found;
  };
  const points = coordinates.map(place).filter((one) => one !== null);
  const stops = stations.flatMap((station: unknown): FileStop[] => {
    const [pair, name]: unknown[] = Array.isArray(station) ? station : [];
    const found = place(pair);
    const direction: RouteDirection | null = null;
    return found === null ? [] : [{ ...found, name: nameOfFeature({ name }), direction }];
  });
  const name = nameOfFeature(root);
  return {
    format: 'geojson',
    name,
    lines: [{ name, parts: [points], isOrdered: true }],
    stops,
    notes: omissions.notes(),
  };
}
