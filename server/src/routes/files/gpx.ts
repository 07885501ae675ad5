import type { Point } from '@ridewatch/contract/primitives';
import { Omissions, placeOf } from './coordinates.ts';
import type { FileContent, FileLine, FileStop } from './route-file.ts';
import type { XmlEvent } from './xml.ts';

/** Elements that may have a name. */
const NAMED = new Set(['metadata', 'trk', 'rte', 'wpt', 'gpx', 'rtept', 'trkpt']);
/** Most named points that are stops; some programs name every point of a line. */
const MOST_PLANNED = 300;
const POINTS = new Set(['wpt', 'rtept', 'trkpt']);

/**
 * Reads GPX 1.0 and 1.1. Tracks and routes are lines, the segments of a track parts of one; waypoints and named points
 * of routes are stops.
 * @param events of the document
 */
export function readGpx(events: Iterable<XmlEvent>): FileContent {
  const lines: FileLine[] = [];
  const stops: FileStop[] = [];
  /** Named points of routes: route planners write stops so. */
  const planned: FileStop[] = [];
  const omissions = new Omissions();
  const names = new Map<string, string>();
  const path: string[] = [];
  let parts: Point[][] = [[]];
  let place: Point | null = null;
  for (const event of events) {
    if (event.kind === 'text') {
      const [element, parent = ''] = [path.at(-1), path.at(-2)];
      if (element === 'name' && NAMED.has(parent)) {
        names.set(parent, (names.get(parent) ?? '') + event.text);
      }
    } else if (event.kind === 'open') {
      path.push(event.name);
      if (NAMED.has(event.name)) names.delete(event.name);
      if (event.name === 'trk' || event.name === 'rte') parts = [[]];
      if (event.name === 'trkseg') parts.push([]);
      if (POINTS.has(event.name)) {
        place = placeOf(event.attributes.get('lat'), event.attributes.get('lon'));
        if (place === null) omissions.add('withoutPlace');
        else if (event.name !== 'wpt') parts.at(-1)?.push(place);
      }
    } else {
      path.pop();
      if (event.name === 'trk' || event.name === 'rte') {
        lines.push({ name: nameIn(names, event.name), parts, isOrdered: true });
      }
      if (place !== null && (event.name === 'wpt' || event.name === 'rtept')) {
        const name = nameIn(names, event.name);
        const stop = { ...place, name, direction: null };
        if (event.name === 'wpt') stops.push(stop);
        else if (name !== null) planned.push(stop);
      }
    }
  }
  const name = nameIn(names, 'metadata') ?? nameIn(names, 'gpx');
  const all = planned.length > MOST_PLANNED ? stops : [...stops, ...planned];
  return { format: 'gpx', name, lines, stops: all, notes: omissions.notes() };
}

function nameIn(names: ReadonlyMap<string, string>, element: string): string | null {
  const name = names.get(element)?.trim() ?? '';
  return name === '' ? null : name;
}
