import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { simplifyLine } from '../../laps/engine/geometry/simplify.ts';
import type { Found } from '../from-laps/proposed-stops.ts';
import { freeName, nameOf } from '../pattern-names.ts';
import type { GtfsContent, GtfsPattern } from './gtfs.ts';
import type { FeedStop } from './gtfs-choices.ts';
import { candidatesOf, choicesOf, chosenLine, joinedLine } from './line-choices.ts';
import { type Message, message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';
import { shortened } from './short-text.ts';
import { turnStops } from './turn.ts';

/** Most points of a track: maps draw and browsers edit this many with ease. */
const MAX_POINTS = 20_000;
/** The same for the track of a further pattern, which only the computation of laps reads. */
const MAX_FURTHER_POINTS = 4000;

/** The content of a file, before stops are named and notes are translated. */
export type FileProposal = Omit<RouteProposal, 'stops' | 'notes' | 'patterns'> & {
  readonly stops: readonly Found[];
  readonly further: FurtherPatterns;
  readonly notes: readonly Message[];
};

/** The patterns of a file beside its default one. */
export interface FurtherPatterns {
  /** Stops that only they have. */
  readonly stops: readonly Found[];
  readonly patterns: readonly {
    readonly name: string;
    /** Indexes of its stops among those of the default pattern, followed by `stops`. */
    readonly stops: readonly number[];
    readonly track: readonly Point[];
    /** Its runs for each run of the default pattern. */
    readonly runs: number | null;
  }[];
}

/**
 * Makes the proposal of a file with lines and points. It joins the parts of a line, and lines that continue each other;
 * of others, and of parts that lie apart, the user chooses.
 * @param wanted id of a choice
 * @param turnAt index of the stop where the user turns a loop
 * @throws FileRefusal when the file has no route
 */
export function proposeContent(
  content: FileContent,
  wanted: string | null,
  turnAt: number | null,
): FileProposal {
  const { format, notes } = content;
  const lines = content.lines.filter(({ parts }) => pointsIn(parts) >= 2);
  if (lines.length === 0 && content.stops.length === 0) {
    const [line] = content.lines;
    if (line === undefined) throw new FileRefusal(message('nothing'));
    throw new FileRefusal(message('shortLine'));
  }
  const short = content.lines.length - lines.length;
  const { lines: candidates, notes: left } = candidatesOf(lines, wanted);
  const joined = candidates.length > 1 ? joinedLine(candidates) : undefined;
  const choices = joined === undefined && candidates.length > 1 ? choicesOf(candidates) : [];
  const chosen = joined ?? chosenLine(candidates, choices.length > 0 ? wanted : '0');
  // The user sees all pieces of a line while he chooses.
  const shown = chosen ?? (lines.length === 1 ? candidates.at(-1) : undefined);
  const jumps = shown?.jumps ?? [];
  const turned = turnStops(content.stops, turnAt);
  const joinedCount = joined === undefined ? (chosen?.parts ?? 1) : candidates.length;
  return {
    format,
    name: shortened(content.name ?? chosen?.name ?? null),
    turn: turned.turn,
    jumps,
    ...bounded(shown?.points ?? [], turned.stops, [
      ...notes,
      ...(short === 0 ? [] : [message('shortLines', short)]),
      ...(joinedCount > 1 ? [message('joined', joinedCount)] : []),
      ...(jumps[0] ? [message('jumps', jumps.length, jumps[0].metres)] : []),
      ...left,
      ...turned.notes,
    ]),
    choices,
    choice: choices.length > 0 ? wanted : null,
    ways: [],
    further: { stops: [], patterns: [] },
  };
}

const pointsIn = (parts: FileLine['parts']): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

/**
 * Makes the proposal of a GTFS feed.
 * @param turnAt index of the stop where the user turns a loop
 * @throws FileRefusal for more stops than a route may have, and for a turn that is not possible
 */
export function proposeGtfs(
  { name, choices, ways, choice, patterns: [first, ...others], notes }: GtfsContent,
  turnAt: number | null,
): FileProposal {
  const turned = turnStops(others.length === 0 ? undirected(first) : (first?.stops ?? []), turnAt);
  const content = bounded(first?.line ?? [], turned.stops, [...notes, ...turned.notes]);
  return {
    format: 'gtfs',
    name: shortened(name),
    jumps: [],
    ...content,
    choices: choices.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    choice,
    turn: turned.turn,
    ways: ways.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    further: furtherOf(first, others),
  };
}

// A way without a way back may be a loop, whose stops have no directions; further patterns would share its stops.
function undirected(pattern: GtfsPattern | undefined): readonly FileStop[] {
  const stops = pattern?.stops ?? [];
  if (stops.some(({ direction }) => direction === 'REVERSE')) return stops;
  return stops.map((stop) => ({ ...stop, direction: null }));
}

// Patterns share a stop that has one id in the feed; a loop may call at it twice.
function furtherOf(
  first: GtfsPattern | undefined,
  others: readonly GtfsPattern[],
): FurtherPatterns {
  const { stops = [], trips = 0 } = first ?? {};
  const indexOf = new Map(keysOf(stops).map((key, index) => [key, index]));
  const added: Found[] = [];
  const names = [nameOf(stops.map(foundOf))];
  const patterns = others.map((pattern) => {
    const own = pattern.stops.map(foundOf);
    const indexes = keysOf(pattern.stops).map((key, n) => {
      const known = indexOf.get(key) ?? indexOf.size;
      if (known === indexOf.size) {
        indexOf.set(key, known);
        added.push(own[n] as Found);
      }
      return known;
    });
    names.push(freeName(nameOf(own), names));
    const track = thinned(pattern.line, MAX_FURTHER_POINTS);
    const runs = trips > 0 ? pattern.trips / trips : null;
    return { name: names.at(-1) ?? '', stops: indexes, track, runs };
  });
  if (indexOf.size > MAX_ROUTE_STOPS) {
    throw new FileRefusal(message('manyStops', indexOf.size, MAX_ROUTE_STOPS));
  }
  return { stops: added, patterns };
}

function keysOf(stops: readonly FeedStop[]): string[] {
  const calls = new Map<string, number>();
  return stops.map(({ direction, key }) => {
    const place = `${direction} ${key}`;
    const call = (calls.get(place) ?? 0) + 1;
    calls.set(place, call);
    return `${call} ${place}`;
  });
}

const foundOf = ({ name, latitude, longitude, direction }: FileStop): Found => ({
  name: shortened(name),
  latitude,
  longitude,
  routeDirection: direction ?? 'FORWARD',
});

function bounded(
  line: readonly Point[],
  stops: readonly FileStop[],
  notes: readonly Message[],
): Pick<FileProposal, 'track' | 'stops' | 'notes'> {
  if (stops.length > MAX_ROUTE_STOPS) {
    throw new FileRefusal(message('manyStops', stops.length, MAX_ROUTE_STOPS));
  }
  const track = thinned(line, MAX_POINTS);
  const simplified =
    track.length < line.length ? [message('simplified', line.length, track.length)] : [];
  return { track, stops: ordered(stops), notes: [...notes, ...simplified] };
}

function thinned(line: readonly Point[], most: number): Point[] {
  let track = [...line];
  for (let toleranceM = 2; track.length > most; toleranceM *= 2) {
    track = simplifyLine(track, toleranceM);
  }
  return track;
}

// Forward stops first, each direction in the file's order.
function ordered(stops: readonly FileStop[]): Found[] {
  const found = stops.map(foundOf);
  return (['FORWARD', 'REVERSE'] as const).flatMap((wanted) =>
    found.filter(({ routeDirection }) => routeDirection === wanted),
  );
}
