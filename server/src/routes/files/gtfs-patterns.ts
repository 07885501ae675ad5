// Reads the patterns of a feed: trips of one route and direction with equal stops are one pattern. The rows of
// stop_times come in any order; they are held as numbers, 12 bytes each, and sorted once.

import { i32 } from '@ridewatch/contract/columns';
import { type Feed, readTable } from './gtfs-tables.ts';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export interface GtfsRoute {
  readonly id: string;
  readonly name: string;
  /** Its short name, if any. */
  readonly short: string;
}

/** One way of a route: the stops that its trips share. */
export interface Pattern {
  /** Index into the routes. */
  readonly route: number;
  /** 0 or 1; 0 where the feed has none. */
  readonly direction: number;
  readonly trips: number;
  /** Ids of stops, in order. */
  readonly stops: readonly string[];
  /** The shape id of most trips; empty for none. */
  readonly shape: string;
}

interface Trip {
  readonly route: number;
  readonly direction: number;
  readonly shape: string;
}

export interface Patterns {
  readonly routes: readonly GtfsRoute[];
  /** By route, direction, and number of trips, the most first. */
  readonly patterns: readonly Pattern[];
}

/** Reads the patterns of a feed. @throws FileRefusal */
export async function readPatterns(feed: Feed): Promise<Patterns> {
  const routes = await readRoutes(feed);
  const indexOf = new Map(routes.map(({ id }, index) => [id, index]));
  const trips: Trip[] = [];
  const tripAt = new Map<string, number>();
  const columns = ['trip_id!', 'route_id!', 'direction_id', 'shape_id'];
  await readTable(feed, 'trips', columns, ([id = '', routeId = '', direction, shape = '']) => {
    const route = indexOf.get(routeId);
    if (route === undefined || tripAt.has(id)) return;
    tripAt.set(id, trips.length);
    trips.push({ route, direction: direction === '1' ? 1 : 0, shape });
  });
  const calls = await readCalls(feed, tripAt);
  return { routes, patterns: patternsOf(trips, calls) };
}

async function readRoutes(feed: Feed): Promise<GtfsRoute[]> {
  const routes: GtfsRoute[] = [];
  const columns = ['route_id!', 'route_short_name', 'route_long_name'];
  await readTable(feed, 'routes', columns, ([id = '', short = '', long = '']) => {
    // Many feeds have the short name in the long one.
    const isRepeated = long.split(/[\s:–—-]+/).includes(short);
    const name = (isRepeated ? [long] : [short, long]).filter((one) => one !== '').join(' ');
    if (id !== '') routes.push({ id, name: name === '' ? id : name, short });
  });
  if (routes.length === 0) throw new FileRefusal(message('noRoutes'));
  return routes;
}

interface Calls {
  readonly trip: Int32Array;
  readonly sequence: Int32Array;
  readonly stop: Int32Array;
  readonly stopIds: readonly string[];
}

async function readCalls(feed: Feed, tripAt: ReadonlyMap<string, number>): Promise<Calls> {
  const stopAt = new Map<string, number>();
  let [trip, sequence, stop] = [
    new Int32Array(1 << 16),
    new Int32Array(1 << 16),
    new Int32Array(1 << 16),
  ];
  let length = 0;
  const columns = ['trip_id!', 'stop_id!', 'stop_sequence!'];
  await readTable(feed, 'stop_times', columns, ([tripId = '', stopId = '', order = '']) => {
    const of = tripAt.get(tripId);
    const place = Number(order);
    if (of === undefined || stopId === '' || !Number.isInteger(place)) return;
    let at = stopAt.get(stopId);
    if (at === undefined) {
      at = stopAt.size;
      stopAt.set(stopId, at);
    }
    if (length === trip.length)
      [trip, sequence, stop] = [grown(trip), grown(sequence), grown(stop)];
    trip[length] = of;
    sequence[length] = place;
    stop[length] = at;
    length += 1;
  });
  if (length === 0) throw new FileRefusal(message('noTrips'));
  return {
    trip: trip.subarray(0, length),
    sequence: sequence.subarray(0, length),
    stop: stop.subarray(0, length),
    stopIds: [...stopAt.keys()],
  };
}

function grown(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}

function patternsOf(trips: readonly Trip[], calls: Calls): Pattern[] {
  const found = new Map<string, { trip: Trip; stops: number[]; shapes: Map<string, number> }>();
  for (const { index, stops } of callsByTrip(trips.length, calls)) {
    const trip = trips[index] as Trip;
    if (stops.length < 2) continue;
    const key = `${trip.route}/${trip.direction}/${stops.join()}`;
    const known = found.get(key) ?? { trip, stops, shapes: new Map() };
    known.shapes.set(trip.shape, (known.shapes.get(trip.shape) ?? 0) + 1);
    found.set(key, known);
  }
  return [...found.values()]
    .map(({ trip, stops, shapes }): Pattern => {
      const [shape = ''] = [...shapes].reduce((best, one) => (one[1] > best[1] ? one : best));
      const count = [...shapes.values()].reduce((sum, one) => sum + one, 0);
      return {
        route: trip.route,
        direction: trip.direction,
        trips: count,
        stops: stops.map((stop) => calls.stopIds[stop] as string),
        shape,
      };
    })
    .sort((a, b) => a.route - b.route || a.direction - b.direction || b.trips - a.trips);
}

/** The stops of each trip, in order. */
function* callsByTrip(count: number, { trip, sequence, stop }: Calls) {
  const starts = new Int32Array(count + 1);
  for (const of of trip) starts[of + 1] = i32(starts, of + 1) + 1;
  for (let n = 0; n < count; n += 1) starts[n + 1] = i32(starts, n + 1) + i32(starts, n);
  const next = starts.slice();
  const rows = new Int32Array(trip.length);
  for (const [row, of] of trip.entries()) {
    rows[i32(next, of)] = row;
    next[of] = i32(next, of) + 1;
  }
  for (let index = 0; index < count; index += 1) {
    const own = rows.subarray(starts[index], starts[index + 1]);
    own.sort((a, b) => i32(sequence, a) - i32(sequence, b) || a - b);
    yield { index, stops: Array.from(own, (row) => i32(stop, row)) };
  }
}
