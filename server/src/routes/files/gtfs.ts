// Reads a route from a GTFS feed: the user chooses one pattern, or one for each direction.

import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/routes';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { Omissions, placeOf } from './coordinates.ts';
import { type Pattern, type Patterns, readPatterns } from './gtfs-patterns.ts';
import { type Feed, readTable } from './gtfs-tables.ts';
import { type Message, message } from './messages.ts';
import { FileRefusal, type FileStop } from './route-file.ts';

/** Most patterns of a direction to choose from: those with the most trips. */
const MOST_OF_DIRECTION = 6;
/** Greatest distance between the ends of two patterns that are the two directions, metres. */
const SAME_TERMINAL_M = 400;

/** The content of a feed; `stops` and `line` are those of the choice, or of the only route. */
export interface GtfsContent {
  readonly name: string | null;
  readonly choices: RouteProposal['choices'];
  readonly choice: string | null;
  readonly line: readonly Point[];
  readonly stops: readonly FileStop[];
  readonly notes: readonly Message[];
}

interface Way extends Pattern {
  readonly id: string;
  readonly places: readonly FileStop[];
}

/**
 * Reads a feed.
 * @param wanted id of a choice; null chooses the most frequent patterns of a feed with one route
 * @throws FileRefusal
 */
export async function readGtfs(feed: Feed, wanted: string | null): Promise<GtfsContent> {
  const found = await readPatterns(feed);
  const omissions = new Omissions();
  const ways = waysOf(found, await readStops(feed, found), omissions);
  if (ways.length === 0) throw new FileRefusal(message('noPlacesOfTrips'));
  const pairs = pairsOf(ways);
  const choices = [...pairs, ...ways.map((way) => [way])].sort(
    (a, b) => (a[0]?.route ?? 0) - (b[0]?.route ?? 0) || b.length - a.length,
  );
  const idOf = (choice: readonly Way[]): string => choice.map(({ id }) => id).join('+');
  const isOneRoute = new Set(ways.map(({ route }) => route)).size === 1;
  const id = wanted ?? (isOneRoute ? idOf(choices[0] ?? []) : null);
  const chosen = id === null ? [] : pick(ways, id);
  const { counts, points } = await readShapes(feed, new Set(chosen.map(({ shape }) => shape)));
  const nameOf = ({ route }: Way): string => found.routes[route]?.name ?? '';
  return {
    name: chosen[0] === undefined ? null : nameOf(chosen[0]),
    choices: choices.map((choice) => ({
      id: idOf(choice),
      name: `${choice[0] === undefined ? '' : nameOf(choice[0])}: ${titleOf(choice)}`,
      stops: choice.reduce((sum, { places }) => sum + places.length, 0),
      points: choice.reduce((sum, { shape }) => sum + (counts.get(shape) ?? 0), 0),
    })),
    choice: id,
    line: chosen.flatMap(({ shape }) => points.get(shape) ?? []),
    stops: chosen.flatMap(({ places }, index) =>
      places.map(
        (place) => ({ ...place, direction: index === 0 ? 'FORWARD' : 'REVERSE' }) as const,
      ),
    ),
    notes: omissions.notes(),
  };
}

// One pattern, or one for each direction of the same route.
function pick(ways: readonly Way[], id: string): Way[] {
  const chosen = id.split('+').map((part) => ways.find((way) => way.id === part));
  const [first, second] = chosen;
  if (
    first === undefined ||
    chosen.length > 2 ||
    (chosen.length === 2 && second?.route !== first.route)
  ) {
    throw new FileRefusal(message('noSuchChoice'), 'choice');
  }
  return second === undefined ? [first] : [first, second];
}

function titleOf(choice: readonly Way[]): string {
  const [there, back] = choice;
  const first = there?.places[0]?.name ?? '';
  const last = there?.places.at(-1)?.name ?? '';
  const trips = choice.map((way) => `×${way.trips}`).join(' + ');
  return `${first} ${back === undefined ? '→' : '⇄'} ${last} (${trips})`;
}

async function readStops(feed: Feed, { patterns }: Patterns): Promise<Map<string, FileStop>> {
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
  const stops = new Map<string, FileStop>();
  for (const [id, { name, place, parent }] of rows) {
    const where = place ?? rows.get(parent)?.place ?? null;
    if (where === null || !wanted.has(id)) continue;
    stops.set(id, { ...where, name: name === '' ? null : name, direction: null });
  }
  return stops;
}

function waysOf(
  { patterns }: Patterns,
  stops: ReadonlyMap<string, FileStop>,
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

// The most frequent patterns of both directions of each route; in a feed without directions the most frequent two whose
// ends meet.
function pairsOf(ways: readonly Way[]): Way[][] {
  const byRoute = Map.groupBy(ways, ({ route }) => route);
  return [...byRoute.values()].flatMap((own): Way[][] => {
    const there = own.find(({ direction }) => direction === 0);
    const back =
      own.find(({ direction }) => direction === 1) ??
      own.find((way) => there !== undefined && way !== there && meets(there, way));
    return there === undefined || back === undefined ? [] : [[there, back]];
  });
}

function meets(there: Way, back: Way): boolean {
  const [a, b] = [there.places[0], there.places.at(-1)];
  const [c, d] = [back.places[0], back.places.at(-1)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  const isLine = distanceM(a, b) > SAME_TERMINAL_M;
  return isLine && distanceM(b, c) <= SAME_TERMINAL_M && distanceM(d, a) <= SAME_TERMINAL_M;
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
