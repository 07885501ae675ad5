import type { Point } from '@ridewatch/contract/primitives';
import { Omissions, placeOf } from './coordinates.ts';
import { message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';
import { readTuples } from './tuples.ts';
import type { XmlEvent } from './xml.ts';

/** Elements whose coordinates are read. */
const SHAPES = new Set(['point', 'linestring', 'track', 'polygon']);

/** Most links that notes name, and most characters of one. */
const MOST_NAMED = 5;
const LINK_LENGTH = 120;

/** The content of a KML document. */
export interface KmlContent extends FileContent {
  /** The addresses of other documents that belong to it, as it has them. */
  readonly links: readonly string[];
}

/**
 * Reads KML. Lines and tracks of Google's extension are lines, those of one placemark parts of one; points are stops;
 * areas are left out.
 * @throws FileRefusal for coordinates that are no places
 */
export function readKml(events: Iterable<XmlEvent>): KmlContent {
  const lines: FileLine[] = [];
  const stops: FileStop[] = [];
  const links: string[] = [];
  const omissions = new Omissions();
  const path: string[] = [];
  let shapes = 0;
  let title: string | null = null;
  let name = '';
  let text = '';
  let shape: { readonly kind: string; readonly points: Point[] } | null = null;
  const take = (place: Point | null): void => {
    if (shape?.kind === 'polygon') return;
    if (place === null) omissions.add('withoutPlace');
    else shape?.points.push(place);
  };
  // A placemark's name may follow its shapes.
  const ofPlacemark = { lines: 0, stops: 0 };
  for (const event of events) {
    if (event.kind === 'text') {
      text += event.text;
      continue;
    }
    if (event.kind === 'open') {
      path.push(event.name);
      text = '';
      if (event.name === 'placemark') {
        name = '';
        ofPlacemark.lines = lines.length;
        ofPlacemark.stops = stops.length;
      }
      if (SHAPES.has(event.name)) shape = { kind: event.name, points: [] };
      continue;
    }
    path.pop();
    if (event.name === 'name') {
      if (path.at(-1) === 'placemark') name = text.trim();
      else if (path.at(-1) === 'document') title ??= text.trim();
    } else if (event.name === 'coordinates') {
      shapes += 1;
      const places = readTuples(text);
      if (places === undefined) {
        throw new FileRefusal(message('brokenPlaces', shapes, text.trim().slice(0, 60)));
      }
      for (const place of places) take(place);
    } else if (event.name === 'coord') {
      const [longitude, latitude] = text.trim().split(/\s+/);
      take(placeOf(latitude, longitude));
    } else if (event.name === 'href' && path.includes('networklink')) links.push(text.trim());
    else if (event.name === 'placemark') {
      const own = name === '' ? null : name;
      const ofOne = lines.splice(ofPlacemark.lines);
      if (ofOne.length > 0) {
        lines.push({
          name: own,
          parts: ofOne.flatMap(({ parts }) => parts),
          isOrdered: ofOne.every(({ isOrdered }) => isOrdered),
        });
      }
      for (const [n, stop] of stops.entries()) {
        if (n >= ofPlacemark.stops) stops[n] = { ...stop, name: own };
      }
    } else if (shape !== null && event.name === shape.kind) {
      if (shape.kind === 'polygon') omissions.add('areas');
      else if (shape.kind === 'point') {
        for (const place of shape.points) stops.push({ ...place, name: null, direction: null });
      } else {
        // Tracks have times.
        const isOrdered = shape.kind === 'track';
        lines.push({ name: null, parts: [shape.points], isOrdered });
      }
      shape = null;
    }
  }
  const known = title === '' ? null : title;
  return { format: 'kml', name: known, lines, stops, links, notes: omissions.notes() };
}

/**
 * Names what content links to outside its file; nothing of it is fetched.
 * @param links the addresses, in the order of the file
 * @throws FileRefusal when the content has nothing else
 */
export function withOutside(content: FileContent, links: Iterable<string>): FileContent {
  const named = [...new Set(links)]
    .slice(0, MOST_NAMED)
    .map((link) => message('linkOutside', link.slice(0, LINK_LENGTH)));
  const [first] = named;
  if (content.lines.length === 0 && content.stops.length === 0 && first !== undefined) {
    throw new FileRefusal(first);
  }
  return { ...content, notes: [...content.notes, ...named] };
}
