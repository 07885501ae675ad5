import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import { MAX_TEXT_LENGTH, type Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/routes';
import { storableOf } from '../../core/storable.ts';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { simplifyLine } from '../../laps/engine/geometry/simplify.ts';
import type { Found } from '../from-laps/proposed-stops.ts';
import { freeName, nameOf } from '../pattern-names.ts';
import type { GtfsContent, GtfsPattern } from './gtfs.ts';
import type { FeedStop } from './gtfs-choices.ts';
import { type Message, message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';

/** Greatest distance from the end of a line to the start of one that continues it, metres. */
const JOINS_M = 200;
/** Most points of a track: maps draw and browsers edit this many with ease. */
const MAX_POINTS = 20_000;
/** The same for the track of a further pattern, which only the computation of laps reads. */
const MAX_FURTHER_POINTS = 4000;
/** Most lines to choose from. */
const MAX_CHOICES = 200;

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
  }[];
}

/**
 * Makes the proposal of a file with lines and points. It joins lines that continue each other; of others the user
 * chooses one.
 * @param wanted id of a choice
 * @throws FileRefusal when the file has no route
 */
export function proposeContent(content: FileContent, wanted: string | null): FileProposal {
  const { format, notes } = content;
  const lines = content.lines.filter(({ points }) => points.length >= 2);
  if (lines.length === 0 && content.stops.length === 0) {
    const [line] = content.lines;
    if (line === undefined) throw new FileRefusal(message('nothing'));
    throw new FileRefusal(message('shortLine'));
  }
  const short = content.lines.length - lines.length;
  const shortNotes = short === 0 ? [] : [message('shortLines', short)];
  const joined = lines.length > 1 ? joinedLine(lines) : undefined;
  const choices = joined === undefined && lines.length > 1 ? choicesOf(lines) : [];
  const chosen = joined ?? chosenLine(lines, choices.length > 0 ? wanted : '0');
  return {
    format,
    name: shortened(content.name ?? chosen?.name ?? null),
    ...bounded(chosen?.points ?? [], content.stops, [
      ...notes,
      ...shortNotes,
      ...(joined === undefined ? [] : [message('joined', lines.length)]),
    ]),
    choices,
    choice: choices.length > 0 ? wanted : null,
    ways: [],
    further: { stops: [], patterns: [] },
  };
}

/** Makes the proposal of a GTFS feed. @throws FileRefusal for more stops than a route may have */
export function proposeGtfs({
  name,
  choices,
  ways,
  choice,
  patterns: [first, ...others],
  notes,
}: GtfsContent): FileProposal {
  const content = bounded(first?.line ?? [], first?.stops ?? [], notes);
  return {
    format: 'gtfs',
    name: shortened(name),
    ...content,
    choices: choices.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    choice,
    ways: ways.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    further: furtherOf(first?.stops ?? [], others),
  };
}

// Patterns share a stop that has one id in the feed; a loop may call at it twice.
function furtherOf(stops: readonly FeedStop[], others: readonly GtfsPattern[]): FurtherPatterns {
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
    return { name: names.at(-1) ?? '', stops: indexes, track };
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

function choicesOf(lines: readonly FileLine[]): RouteProposal['choices'] {
  if (lines.length > MAX_CHOICES) {
    throw new FileRefusal(message('manyLines', lines.length, MAX_CHOICES));
  }
  return lines.map(({ name, points }, index) => ({
    id: String(index),
    name: shortened(name) ?? String(index + 1),
    stops: 0,
    points: points.length,
  }));
}

function chosenLine(lines: readonly FileLine[], wanted: string | null): FileLine | undefined {
  if (wanted === null || lines.length === 0) return undefined;
  const line = lines.find((_, index) => String(index) === wanted);
  if (line === undefined) throw new FileRefusal(message('noSuchChoice'), 'choice');
  return line;
}

function joinedLine(lines: readonly FileLine[]): FileLine | undefined {
  const goOn = lines.slice(1).every(({ points }, index) => {
    const [end, start] = [lines[index]?.points.at(-1), points[0]];
    return end !== undefined && start !== undefined && distanceM(end, start) <= JOINS_M;
  });
  if (!goOn) return undefined;
  return { name: lines[0]?.name ?? null, points: lines.flatMap(({ points }) => points) };
}

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
  const { found, turned } = directed(stops);
  return { track, stops: found, notes: [...notes, ...simplified, ...turned] };
}

function thinned(line: readonly Point[], most: number): Point[] {
  let track = [...line];
  for (let toleranceM = 2; track.length > most; toleranceM *= 2) {
    track = simplifyLine(track, toleranceM);
  }
  return track;
}

// Forward stops first, each direction in the file's order.
function directed(stops: readonly FileStop[]): { found: Found[]; turned: Message[] } {
  const turn = stops.some(({ direction }) => direction !== null) ? 0 : turnOf(stops);
  const found = stops.map(
    ({ name, latitude, longitude, direction }, index): Found => ({
      name: shortened(name),
      latitude,
      longitude,
      routeDirection: direction ?? (turn > 0 && index >= turn ? 'REVERSE' : 'FORWARD'),
    }),
  );
  const ordered = (['FORWARD', 'REVERSE'] as const).flatMap((wanted) =>
    found.filter(({ routeDirection }) => routeDirection === wanted),
  );
  const name = shortened(stops[turn]?.name ?? null);
  return { found: ordered, turned: turn > 0 ? [message('turn', name ?? '')] : [] };
}

/**
 * Finds where the reverse direction begins in a list of stops of both: one name comes twice in a row, and most names
 * before it also come after it.
 * @returns the index; 0 for a list of one direction
 */
function turnOf(stops: readonly FileStop[]): number {
  let turn = 0;
  let most = 0;
  for (const [index, { name }] of stops.entries()) {
    if (index === 0 || name === null || name !== stops[index - 1]?.name) continue;
    const [there, back] = [stops.slice(0, index), stops.slice(index)].map(
      (half) => new Set(half.map((stop) => stop.name)),
    ) as [Set<string>, Set<string>];
    const shared = [...there].filter((one) => back.has(one)).length;
    if (shared > most && 2 * shared > Math.max(there.size, back.size))
      [turn, most] = [index, shared];
  }
  return turn;
}

// Text of a file may have any length, and characters that the database cannot store.
function shortened(text: string | null): string | null {
  if (text === null) return null;
  const short = storableOf(text.replace(/[\s\0]+/g, ' ').trim(), MAX_TEXT_LENGTH).trim();
  return short === '' ? null : short;
}
