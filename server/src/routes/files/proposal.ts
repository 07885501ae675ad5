import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import { MAX_TEXT_LENGTH, type Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { storableOf } from '../../core/storable.ts';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { simplifyLine } from '../../laps/engine/geometry/simplify.ts';
import type { Found } from '../from-laps/proposed-stops.ts';
import { freeName, nameOf } from '../pattern-names.ts';
import type { GtfsContent, GtfsPattern } from './gtfs.ts';
import type { FeedStop } from './gtfs-choices.ts';
import { JUMP_M, joinParts } from './join-parts.ts';
import { type Message, message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';
import { turnStops } from './turn.ts';

/** Greatest distance from the end of a line to the start of one that continues it, metres. */
const JOINS_M = 200;
/** Most points of a track: maps draw and browsers edit this many with ease. */
const MAX_POINTS = 20_000;
/** The same for the track of a further pattern, which only the computation of laps reads. */
const MAX_FURTHER_POINTS = 4000;
/** Most lines to choose from; of many the user searches one. */
const MAX_CHOICES = 2000;

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
  const lines = content.lines.filter(({ parts }) => parts.flat().length >= 2);
  if (lines.length === 0 && content.stops.length === 0) {
    const [line] = content.lines;
    if (line === undefined) throw new FileRefusal(message('nothing'));
    throw new FileRefusal(message('shortLine'));
  }
  const short = content.lines.length - lines.length;
  const candidates = candidatesOf(lines);
  const joined = candidates.length > 1 ? joinedLine(candidates) : undefined;
  const choices = joined === undefined && candidates.length > 1 ? choicesOf(candidates) : [];
  const chosen = joined ?? chosenLine(candidates, choices.length > 0 ? wanted : '0');
  const turned = turnStops(content.stops, turnAt);
  const joinedCount = joined === undefined ? (chosen?.parts ?? 1) : candidates.length;
  return {
    format,
    name: shortened(content.name ?? chosen?.name ?? null),
    turn: turned.turn,
    ...bounded(chosen?.points ?? [], turned.stops, [
      ...notes,
      ...(short === 0 ? [] : [message('shortLines', short)]),
      ...(joinedCount > 1 ? [message('joined', joinedCount)] : []),
      ...turned.notes,
    ]),
    choices,
    choice: choices.length > 0 ? wanted : null,
    ways: [],
    further: { stops: [], patterns: [] },
  };
}

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
    ...content,
    choices: choices.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    choice,
    turn: turned.turn,
    ways: ways.map((one) => ({ ...one, name: shortened(one.name) ?? one.id })),
    further: furtherOf(first?.stops ?? [], others),
  };
}

// A way without a way back may be a loop, whose stops have no directions; further patterns would share its stops.
function undirected(pattern: GtfsPattern | undefined): readonly FileStop[] {
  const stops = pattern?.stops ?? [];
  if (stops.some(({ direction }) => direction === 'REVERSE')) return stops;
  return stops.map((stop) => ({ ...stop, direction: null }));
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

/** A line that can be chosen. */
interface Candidate {
  readonly id: string;
  readonly name: string | null;
  readonly points: readonly Point[];
  /** From how many parts it was joined. */
  readonly parts: number;
  /** The longest gap over which it is joined, if that is a jump, metres. */
  readonly jumpM?: number;
}

// A line whose parts lie far apart can be chosen as a whole, too.
function candidatesOf(lines: readonly FileLine[]): Candidate[] {
  return lines.flatMap(({ name, parts, isOrdered }, index): Candidate[] => {
    const drawn = parts.filter((part) => part.length > 0);
    const { chains, longestGapM } = joinParts(drawn, isOrdered);
    const id = String(index);
    const whole = { id, name, points: chains.flat(), parts: drawn.length };
    if (longestGapM < JUMP_M) return [whole];
    const several = chains.flatMap((points, n): Candidate[] => {
      if (points.length < 2) return [];
      const part = `${n + 1}/${chains.length}`;
      return [
        { id: `${id}.${n}`, name: name === null ? part : `${name} · ${part}`, points, parts: 1 },
      ];
    });
    return [...several, { ...whole, jumpM: longestGapM }];
  });
}

function choicesOf(candidates: readonly Candidate[]): RouteProposal['choices'] {
  if (candidates.length > MAX_CHOICES) {
    throw new FileRefusal(message('manyLines', candidates.length, MAX_CHOICES));
  }
  return candidates.map(({ id, name, points, jumpM }) => ({
    id,
    name: shortened(name) ?? String(Number(id) + 1),
    stops: 0,
    points: points.length,
    ...(jumpM !== undefined && { jump_m: Math.round(jumpM) }),
  }));
}

function chosenLine(
  candidates: readonly Candidate[],
  wanted: string | null,
): Candidate | undefined {
  if (wanted === null || candidates.length === 0) return undefined;
  const line = candidates.find(({ id }) => id === wanted);
  if (line === undefined) throw new FileRefusal(message('noSuchChoice'), 'choice');
  return line;
}

function joinedLine(candidates: readonly Candidate[]): Candidate | undefined {
  const goOn = candidates.slice(1).every(({ points, jumpM }, index) => {
    const [end, start] = [candidates[index]?.points.at(-1), points[0]];
    const isNear = end !== undefined && start !== undefined && distanceM(end, start) <= JOINS_M;
    return isNear && jumpM === undefined;
  });
  const [first] = candidates;
  if (!goOn || first === undefined || first.jumpM !== undefined) return undefined;
  return { ...first, points: candidates.flatMap(({ points }) => points) };
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

// Text of a file may have any length, and characters that the database cannot store.
function shortened(text: string | null): string | null {
  if (text === null) return null;
  const short = storableOf(text.replace(/[\s\0]+/g, ' ').trim(), MAX_TEXT_LENGTH).trim();
  return short === '' ? null : short;
}
