import type { Point } from '@ridewatch/contract/primitives';
import { Omissions, placeOf } from './coordinates.ts';
import type { FileContent, FileLine, FileStop } from './route-file.ts';
import type { XmlEvent } from './xml.ts';

/** Elements whose coordinates are read. */
const SHAPES = new Set(['point', 'linestring', 'track', 'polygon']);

/**
 * Reads KML. Lines and tracks of Google's extension are lines, those of one placemark parts of one; points are stops;
 * areas are left out.
 */
export function readKml(events: Iterable<XmlEvent>): FileContent {
  const lines: FileLine[] = [];
  const stops: FileStop[] = [];
  const omissions = new Omissions();
  const path: string[] = [];
  let title: string | null = null;
  let name = '';
  let text = '';
  let shape: { readonly kind: string; readonly points: Point[] } | null = null;
  const take = (coordinates: readonly string[]): void => {
    if (shape?.kind === 'polygon') return;
    const [longitude, latitude] = coordinates;
    const place = placeOf(latitude, longitude);
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
      for (const tuple of text.trim().split(/\s+/)) {
        if (tuple !== '') take(tuple.split(','));
      }
    } else if (event.name === 'coord') take(text.trim().split(/\s+/));
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
  return { format: 'kml', name: known, lines, stops, notes: omissions.notes() };
}
