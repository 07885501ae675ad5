// Reads a route from a GTFS feed: the user chooses one of its ways, two as there and back, or several such patterns.

import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import type { RouteDirection } from '@ridewatch/contract/laps';
import type { Point } from '@ridewatch/contract/primitives';
import { MAX_PATTERNS } from '@ridewatch/contract/route-patterns';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { alongStops } from './along-stops.ts';
import { Omissions, placeOf } from './coordinates.ts';
import {
  allPairs,
  commonest,
  type FeedStop,
  idOfChoice,
  leadSameWay,
  pick,
  tripsOf,
  type Way,
  type WayPair,
} from './gtfs-choices.ts';
import { type Patterns, readPatterns } from './gtfs-patterns.ts';
import { type Feed, readTable } from './gtfs-tables.ts';
import { MAX_CHOICES } from './line-choices.ts';
import { type Message, message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

/** Most ways of a direction to choose from, those with the most trips: a route has no more patterns. */
const MOST_OF_DIRECTION = MAX_PATTERNS;

/** A pattern of a feed, with the directions of its stops. */
export interface GtfsPattern {
  readonly line: readonly Point[];
  readonly stops: readonly FeedStop[];
  /** Trips of its rarer way. */
  readonly trips: number;
}

/** The content of a feed; `patterns` are those of the choice, or of the only route. */
export interface GtfsContent {
  readonly name: string | null;
  readonly choices: RouteProposal['choices'];
  readonly ways: RouteProposal['ways'];
  readonly choice: string | null;
  /** The default first. */
  readonly patterns: readonly GtfsPattern[];
  readonly notes: readonly Message[];
}

/**
 * Reads a feed.
 * @param wanted id of a choice; null chooses all patterns of a feed with one route
 * @throws FileRefusal
 */
export async function readGtfs(feed: Feed, wanted: string | null): Promise<GtfsContent> {
  const found = await readPatterns(feed);
  const omissions = new Omissions();
  const ways = waysOf(found, await readStops(feed, found), omissions);
  if (ways.length === 0) throw new FileRefusal(message('noPlacesOfTrips'));
  const byRoute = [...Map.groupBy(ways, ({ route }) => route).values()];
  const choices = listed(byRoute.map(choicesOf));
  const id = wanted ?? (byRoute.length === 1 ? idOfChoice(choices[0] ?? []) : null);
  const chosen = id === null ? [] : pick(ways, id);
  const shapes = new Set(chosen.flat().map(({ shape }) => shape));
  const { counts, points } = await readShapes(feed, shapes);
  const labels = new Map(byRoute.map((own) => labelOf(own, found.routes)));
  const nameOf = (way: Way | undefined): string => found.routes[way?.route ?? -1]?.name ?? '';
  return {
    name: chosen[0] === undefined ? null : nameOf(chosen[0][0]),
    choices: choices.map((choice) => ({
      id: idOfChoice(choice),
      // The form has the name of the only route.
      name: [
        ...(byRoute.length > 1 ? [labels.get(choice[0]?.[0].route ?? -1) ?? ''] : []),
        choice.map(titleOf).join('; '),
      ].join(': '),
      stops: sumOfWays(choice.flat(), ({ places }) => places.length),
      points: sumOfWays(choice.flat(), ({ shape }) => counts.get(shape) ?? 0),
    })),
    ways: listedWays(ways, chosen).map(({ id: way, route, direction, places, trips }) => ({
      id: way,
      route,
      direction: direction === 1 ? 'REVERSE' : 'FORWARD',
      name: `${places[0]?.name ?? ''} → ${places.at(-1)?.name ?? ''}`,
      stops: places.length,
      trips,
    })),
    choice: id,
    patterns: chosen.map((pair) => ({
      trips: tripsOf(pair),
      line: pair.flatMap((way) => alongStops(points.get(way.shape) ?? [], way.places)),
      stops: pair.flatMap((way) => {
        const direction = directionOf(way, pair, chosen[0]);
        return way.places.map((place) => ({ ...place, direction }));
      }),
    })),
    notes: [...omissions.notes(), ...notesOf(byRoute, id), ...sameWayNotes(ways, chosen)],
  };
}

// A feed with too many choices offers those of its routes that run most often; their ways can be chosen afterwards.
function listed<T>(ofRoutes: readonly (readonly T[])[]): T[] {
  const all = ofRoutes.flat();
  if (all.length <= MAX_CHOICES) return all;
  const commonest = ofRoutes.flatMap((choices) => choices.slice(0, 1));
  if (commonest.length <= MAX_CHOICES) return commonest;
  throw new FileRefusal(message('manyLines', commonest.length, MAX_CHOICES));
}

function listedWays(ways: readonly Way[], chosen: readonly WayPair[]): readonly Way[] {
  if (ways.length <= MAX_CHOICES) return ways;
  return ways.filter(({ route }) => route === chosen[0]?.[0].route);
}

// A route in a list of choices: by its short name, if the long one only repeats the ends of its commonest way.
function labelOf(ways: readonly Way[], routes: Patterns['routes']): [route: number, label: string] {
  const [way] = ways;
  const index = way?.route ?? -1;
  const { name = '', short = '' } = routes[index] ?? {};
  const ends = [way?.places[0]?.name, way?.places.at(-1)?.name];
  const lower = name.toLowerCase();
  const isRepeated = ends.every((end) => end && lower.includes(end.toLowerCase()));
  return [index, short !== '' && isRepeated ? short : name];
}

// All patterns, the commonest there and back, then each way alone.
function choicesOf(ways: readonly Way[]): (readonly WayPair[])[] {
  const pairs = allPairs(ways);
  const [first] = pairs;
  return [
    ...(pairs.length > 1 && haveRoom(commonest(pairs)) ? [commonest(pairs)] : []),
    ...(first?.length === 2 ? [[first]] : []),
    ...ways.map((way): readonly WayPair[] => [[way]]),
  ];
}

// Whether a route may have the stops of all these patterns.
function haveRoom(pairs: readonly WayPair[]): boolean {
  const stops = pairs
    .flat()
    .flatMap(({ direction, places }) => places.map(({ key }) => `${direction} ${key}`));
  return new Set(stops).size <= MAX_ROUTE_STOPS;
}

// A route may have fewer patterns than its ways make: then 'all' are the commonest.
function notesOf(byRoute: readonly (readonly Way[])[], id: string | null): Message[] {
  return byRoute.flatMap((ways) => {
    const pairs = allPairs(ways);
    const left = pairs.length - MAX_PATTERNS;
    const isAll = left > 0 && idOfChoice(commonest(pairs)) === id;
    return isAll ? [message('rarePatterns', left, MAX_PATTERNS)] : [];
  });
}

// Names the patterns whose ways are not there and back.
function sameWayNotes(ways: readonly Way[], chosen: readonly WayPair[]): Message[] {
  const route = chosen[0]?.[0].route;
  const hasDirections = ways.some((way) => way.route === route && way.direction === 1);
  return chosen
    .filter((pair) => leadSameWay(pair, hasDirections))
    .flatMap(([there, back]) =>
      back ? [message('sameWay', titleOf([there]), titleOf([back]))] : [],
    );
}

// A way alone has the direction of the default's way that the feed gives the same direction: they share stops.
function directionOf(way: Way, pair: WayPair, byDefault: WayPair | undefined): RouteDirection {
  const [there, back] = byDefault ?? pair;
  if (pair.length === 2) return way === pair[0] ? 'FORWARD' : 'REVERSE';
  const isBack = back?.direction === way.direction && there.direction !== way.direction;
  return isBack ? 'REVERSE' : 'FORWARD';
}

const sumOfWays = (ways: readonly Way[], numberOf: (way: Way) => number): number =>
  ways.reduce((sum, way) => sum + numberOf(way), 0);

function titleOf([there, back]: WayPair): string {
  const first = there.places[0]?.name ?? '';
  const last = there.places.at(-1)?.name ?? '';
  const trips = back === undefined ? `×${there.trips}` : `×${there.trips} + ×${back.trips}`;
  return `${first} ${back === undefined ? '→' : '⇄'} ${last} (${trips})`;
}

async function readStops(feed: Feed, { patterns }: Patterns): Promise<Map<string, FeedStop>> {
  const wanted = new Set(patterns.flatMap(({ stops }) => stops));
  const rows = new Map<string, { name: string; place: Point | null; parent: string }>();
  const columns = [
    'stop_id!',
    'stop_name',
    'stop_desc',
    'stop_lat!',
    'stop_lon!',
    'parent_station',
  ];
  await readTable(feed, 'stops', columns, ([id = '', name, text = '', lat, lon, parent = '']) => {
    rows.set(id, {
      name: name === '' || name === undefined ? text : name,
      place: placeOf(lat, lon),
      parent,
    });
  });
  const stops = new Map<string, FeedStop>();
  for (const [id, { name, place, parent }] of rows) {
    const where = place ?? rows.get(parent)?.place ?? null;
    if (where === null || !wanted.has(id)) continue;
    stops.set(id, { ...where, key: id, name: name === '' ? null : name, direction: null });
  }
  return stops;
}

function waysOf(
  { patterns }: Patterns,
  stops: ReadonlyMap<string, FeedStop>,
  omissions: Omissions,
): Way[] {
  const taken = new Map<string, number>();
  return patterns.flatMap((pattern): Way[] => {
    const key = `${pattern.route}.${pattern.direction}`;
    const rank = taken.get(key) ?? 0;
    if (rank >= MOST_OF_DIRECTION) {
      omissions.add('rareWays');
      return [];
    }
    const places = pattern.stops.flatMap((id) => {
      const stop = stops.get(id);
      if (stop === undefined) omissions.add('stopsWithoutPlace');
      return stop === undefined ? [] : [stop];
    });
    if (places.length < 2) return [];
    taken.set(key, rank + 1);
    return [{ ...pattern, id: `${key}.${rank}`, places }];
  });
}

async function readShapes(
  feed: Feed,
  wanted: ReadonlySet<string>,
): Promise<{ counts: Map<string, number>; points: Map<string, Point[]> }> {
  const counts = new Map<string, number>();
  const rows = new Map<string, { place: Point; order: number }[]>();
  const columns = ['shape_id!', 'shape_pt_lat!', 'shape_pt_lon!', 'shape_pt_sequence!'];
  await readTable(feed, 'shapes', columns, ([id = '', lat, lon, sequence]) => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (!wanted.has(id)) return;
    const place = placeOf(lat, lon);
    const own = rows.get(id) ?? [];
    if (place !== null) own.push({ place, order: Number(sequence) });
    rows.set(id, own);
  });
  const points = new Map<string, Point[]>();
  for (const [id, own] of rows) {
    points.set(
      id,
      own.sort((a, b) => a.order - b.order).map(({ place }) => place),
    );
  }
  return { counts, points };
}
