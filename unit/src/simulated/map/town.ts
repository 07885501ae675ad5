// The town of the demo: the streets of the simulated routes, and around them what drawn.ts and small-streets.ts made up.
import type { Point } from '@ridewatch/contract/primitives';
import { moved } from '../line.ts';
import { lines } from '../routes/lines.ts';
import {
  courseOf,
  greens,
  type Km,
  MIDDLE,
  places,
  REACH,
  rails,
  rivers,
  routeStreets,
  streets,
  yards,
} from './drawn.ts';
import { latin } from './latin.ts';
import { type MapArea, type MapFeature, makeMapFile } from './map-file.ts';
import { fieldAround, nearnessTo, roundedLine, wideLine } from './shapes.ts';
import { makeSmallStreets } from './small-streets.ts';
import { smallStreetNames } from './street-names.ts';

const ZOOMS = { least: 5, greatest: 13 };
/** Small streets and houses are in these zooms only. */
const SMALL_FROM = 12;
const HOUSES_FROM = 13;
/** Houses are drawn so far from a route, km. */
const HOUSES_KM = 2.2;
/** Small streets and houses keep so far from larger ways, and at most so far from water and greens, km. */
const WAY_KM = 0.045;
const FREE_KM = 0.15;

/** The area that the map has. */
export const AREA: MapArea = {
  southWest: pointOf([-REACH[0], -REACH[1]]),
  northEast: pointOf(REACH),
};

/** Makes the map file of the demo, the same at every start. */
export function makeTownMap(): Buffer {
  return makeMapFile(townFeatures(), AREA, ZOOMS);
}

/** Lists what the map has. */
export function townFeatures(): MapFeature[] {
  const water = rivers.map(({ course, ...river }) => ({
    ...river,
    line: roundedLine(courseOf(course)),
  }));
  const large = streets.map((street) => ({
    ...street,
    line: roundedLine(courseOf(street.course)),
  }));
  const routes = routeParts();
  const tracks = rails.map((course) => roundedLine(courseOf(course)));
  const isNearRoute = nearnessTo(
    routes.map(({ line }) => line),
    HOUSES_KM,
  );
  const ways = [...large, ...routes].map(({ line }) => line).concat(tracks);
  const small = makeSmallStreets(freePlaces(ways, water), (place) => isNearRoute(place, HOUSES_KM));
  return [
    ...yards.map(({ middle, radiusKm }, index) =>
      area('landuse', 'industrial', fieldAround(middle, radiusKm, index)),
    ),
    ...greens.map(({ middle, radiusKm }, index) =>
      area('landuse', 'park', fieldAround(middle, radiusKm, index)),
    ),
    ...water.map(({ line, widthKm }) => area('water', 'river', wideLine(line, widthKm))),
    ...water.map(({ name, line }) =>
      named('water', 'water', name, [line[line.length >> 1] ?? [0, 0]]),
    ),
    ...small.houses.map((ring) => ({ ...area('buildings', 'building', ring), from: HOUSES_FROM })),
    ...small.streets.map((line, index) => ({
      ...named(
        'roads',
        'minor_road',
        smallStreetNames[index % smallStreetNames.length] ?? '',
        line,
      ),
      from: SMALL_FROM,
    })),
    ...tracks.map((line) => named('roads', 'rail', undefined, line)),
    ...large.map(({ kind, name, line }) => named('roads', kind, name, line)),
    ...routes.map(({ name, line }) => named('roads', 'major_road', name, line)),
    ...places.map(({ kind, name, english, at, rank }) => ({
      ...named('places', kind, name, [at]),
      properties: {
        kind,
        name,
        'name:ru': name,
        'name:en': english,
        ...(rank === undefined ? {} : { population_rank: rank }),
      },
    })),
  ];
}

// Whether something may stand at a place: beside the larger ways, and so many km from water, greens and yards.
function freePlaces(
  ways: readonly (readonly Km[])[],
  water: readonly { line: readonly Km[]; widthKm: number }[],
): (place: Km, marginKm: number) => boolean {
  const isNearWay = nearnessTo(ways, FREE_KM);
  const banks = water.map(({ line, widthKm }) => {
    return { isNear: nearnessTo([line], widthKm / 2 + FREE_KM), widthKm };
  });
  const fields = [...greens, ...yards];
  return (place, marginKm) =>
    !isNearWay(place, WAY_KM) &&
    !banks.some(({ isNear, widthKm }) => isNear(place, widthKm / 2 + marginKm)) &&
    fields.every(
      ({ middle: [east, north], radiusKm }) =>
        Math.hypot(place[0] - east, place[1] - north) > radiusKm * 1.1 + marginKm,
    );
}

// The streets of the routes: the way there with its names, the way back without.
function routeParts(): { name: string | undefined; line: Km[] }[] {
  const { line } = lines['156'];
  const track = line.track.map(kmOf);
  const forward = line.stops.slice(0, line.firstReverse);
  const indexOf = (stop: string) => {
    const atM = forward.findLast(({ name }) => name === stop)?.atM ?? 0;
    return line.distancesM.findIndex((metres) => metres >= atM);
  };
  const ends = routeStreets.map(({ until }) => indexOf(until));
  const there = routeStreets.map(({ name }, index) => ({
    name,
    line: track.slice(ends[index - 1] ?? 0, (ends[index] ?? 0) + 1),
  }));
  const other = lines['670к'].line.track.map(kmOf);
  return [
    ...there,
    { name: undefined, line: track.slice(ends.at(-1)) },
    { name: 'Коломенская улица', line: other.slice(other.length >> 2, other.length >> 1) },
    { name: undefined, line: other },
  ];
}

function area(layer: string, kind: string, ring: readonly Km[]): MapFeature {
  return { layer, shape: 'Polygon', places: ring.map(pointOf), properties: { kind } };
}

// A line, or a point if it has one place.
function named(
  layer: string,
  kind: string,
  name: string | undefined,
  line: readonly Km[],
): MapFeature {
  return {
    layer,
    shape: line.length === 1 ? 'Point' : 'LineString',
    places: line.map(pointOf),
    properties: {
      kind,
      ...(name === undefined ? {} : { name, 'name:ru': name, 'name:en': latin(name) }),
    },
  };
}

function pointOf([east, north]: Km): Point {
  return moved(MIDDLE, north * 1000, east * 1000);
}

function kmOf(point: Point): Km {
  const one = moved(MIDDLE, 1000, 1000);
  return [
    (point.longitude - MIDDLE.longitude) / (one.longitude - MIDDLE.longitude),
    (point.latitude - MIDDLE.latitude) / (one.latitude - MIDDLE.latitude),
  ];
}
