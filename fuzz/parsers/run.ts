// Feeds the parser of a protocol with damaged frames as connections would, and judges what it reads. A connection depends on
// the seed and its number only, so that it can be repeated.
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { memoryOfParser } from './memory.ts';
import { mutate, splitAtRandom } from './mutations.ts';
import type {
  FuzzedParser,
  ParserLink,
  RequestParser,
  SoundFrame,
  StreamParser,
} from './parser.ts';

const FRAMES_OF_A_LINK = 20;
const CLEAN = 0.35;
/** Most CPU of a connection, ms: a hundred times the usual. */
const MOST_CPU_MS = 1000;
/** Links between two reports. */
const PROGRESS_EVERY = 500;
const MOST_FAULTS = 10;
/** Most characters of a frame in a finding. */
const MOST_SHOWN = 400;

export interface ParserRun {
  readonly seed: number;
  readonly frames: number;
  /** Number of the only connection to run. */
  readonly only?: number;
  /** Whether memory is measured: in a thread of its own, where nobody else makes garbage. */
  readonly measuresMemory: boolean;
  readonly onProgress?: (link: number) => void;
}

export interface ParserOutcome {
  readonly links: number;
  readonly frames: number;
  readonly bytes: number;
  /** Sound frames that were sent untouched, frames that were read, and those of them that chance or repair made sound. */
  readonly clean: number;
  readonly read: number;
  readonly others: number;
  /** Connections that the server would have closed. */
  readonly lost: number;
  readonly worstCpuMs: number;
  /** Growth of the heap with its buffers, after the garbage is gone, MiB. */
  readonly grownMiB: number;
  /** Most that endless bytes made one connection keep, MiB. */
  readonly keptMiB: number;
  readonly seconds: number;
  readonly faults: readonly string[];
}

/** The outcome of one connection. */
interface LinkOutcome {
  readonly frames: number;
  readonly bytes: number;
  readonly clean: number;
  readonly read: number;
  readonly isLost: boolean;
  readonly faults: readonly string[];
}

/** Runs a parser. */
export function runParser(parser: FuzzedParser, run: ParserRun): ParserOutcome {
  const { seed, only, onProgress } = run;
  const startMs = performance.now();
  const memory = run.measuresMemory ? memoryOfParser() : undefined;
  const faults: string[] = [];
  const sum = { links: 0, frames: 0, bytes: 0, clean: 0, read: 0, lost: 0 };
  let worstCpuMs = 0;
  for (let link = only ?? 0; sum.frames < run.frames && faults.length < MOST_FAULTS; link += 1) {
    if (link % PROGRESS_EVERY === 0) onProgress?.(link);
    const before = process.threadCpuUsage();
    const chance = chanceOf(seed, parser.protocol, link);
    const outcome = 'open' in parser ? runLink(parser, chance) : runRequests(parser, chance);
    const cpu = process.threadCpuUsage(before);
    const cpuMs = (cpu.user + cpu.system) / 1000;
    worstCpuMs = Math.max(worstCpuMs, cpuMs);
    const own = cpuMs > MOST_CPU_MS ? [`took ${cpuMs.toFixed(0)} ms of CPU`] : [];
    faults.push(...[...own, ...outcome.faults].map((text) => `connection ${link}: ${text}`));
    sum.links += 1;
    for (const name of ['frames', 'bytes', 'clean', 'read'] as const) sum[name] += outcome[name];
    if (outcome.isLost) sum.lost += 1;
    if (sum.links === 1 || link === (only ?? 0) + PROGRESS_EVERY) memory?.begin();
    if (only !== undefined) break;
  }
  const grownMiB = memory?.grownMiB() ?? 0;
  const kept =
    memory !== undefined && 'open' in parser
      ? parser.endless.map((bytes) => memory.keptMiB(parser, bytes))
      : [];
  return {
    ...{ ...sum, worstCpuMs, grownMiB, keptMiB: Math.max(0, ...kept.map(({ mib }) => mib)) },
    others: sum.read - sum.clean,
    seconds: (performance.now() - startMs) / 1000,
    faults: [...faults, ...kept.flatMap((one) => one.faults), ...(memory?.faults() ?? [])],
  };
}

interface Piece {
  readonly bytes: Buffer;
  readonly isClean: boolean;
}

function makePieces(parser: FuzzedParser, chance: Chance): Piece[] {
  return Array.from({ length: FRAMES_OF_A_LINK }, () => {
    const sound = parser.makeFrame(chance);
    const isClean = chance.happens(CLEAN);
    return { bytes: isClean ? sound : mutate(chance, sound, parser), isClean };
  });
}

function runLink(parser: StreamParser, chance: Chance): LinkOutcome {
  const pieces = makePieces(parser, chance);
  const stream = Buffer.concat(pieces.map(({ bytes }) => bytes));
  const link = parser.open(chance);
  const counted = { frames: pieces.length, bytes: stream.length, clean: 0, read: 0, isLost: false };
  let read: string[];
  let isLost: boolean;
  try {
    read = feed(link, splitAtRandom(chance, stream));
    isLost = link.isLost();
    link.close();
  } catch (error) {
    return { ...counted, faults: [failureOf(error)] };
  }
  const sound = parser.findSound(stream);
  const clean = cleanIn(pieces, sound, parser.sharedBytes);
  return {
    ...{ ...counted, clean: clean.length, read: read.length, isLost },
    faults: [
      ...inventedIn(read, sound),
      ...(isLost ? lossFaults(parser, stream) : missingIn(read, clean)),
    ],
  };
}

// Each request is by itself: what a sound one tells is known, and a damaged one tells what the store takes, or nothing.
function runRequests(parser: RequestParser, chance: Chance): LinkOutcome {
  const sum = { frames: 0, bytes: 0, clean: 0, read: 0, isLost: false };
  const faults: string[] = [];
  for (const { bytes, isClean } of makePieces(parser, chance)) {
    sum.frames += 1;
    sum.bytes += bytes.length;
    if (isClean) sum.clean += 1;
    try {
      const told = parser.read(bytes, chance);
      if (told !== undefined) sum.read += 1;
      const wanted = isClean ? parser.toldBy(bytes) : told;
      if (told !== wanted) faults.push(`reads ${told} where ${wanted} was sent`);
    } catch (error) {
      faults.push(`${failureOf(error)}: ${bytes.toString('latin1').slice(0, MOST_SHOWN)}`);
    }
  }
  return { ...sum, faults };
}

const failureOf = (error: unknown): string =>
  `fails: ${error instanceof Error ? error.stack : error}`;

// Bytes come until their end; then time passes, as often as something waits for its rest.
function feed(link: ParserLink, pieces: readonly Buffer[]): string[] {
  const read: string[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    read.push(...link.push(piece));
    bytes += piece.length;
    if (link.isLost()) return read;
  }
  for (let times = 0; ; times += 1) {
    const more = link.giveUp();
    if (more === undefined || link.isLost()) return read;
    // Each time costs it a byte at least.
    if (times > bytes) throw new Error('waits for ever');
    read.push(...more);
  }
}

// Clean frames, without those that a sound frame which begins before them takes in.
function cleanIn(
  pieces: readonly Piece[],
  sound: readonly SoundFrame[],
  sharedBytes: number,
): SoundFrame[] {
  const clean: SoundFrame[] = [];
  let start = 0;
  for (const { bytes, isClean } of pieces) {
    const end = start + bytes.length;
    const own = sound.find((one) => one.start === start && one.end === end);
    const isTaken = sound.some((one) => one.start < start && one.end > start + sharedBytes);
    if (isClean && own !== undefined && !isTaken) clean.push(own);
    start = end;
  }
  return clean;
}

function inventedIn(read: readonly string[], sound: readonly SoundFrame[]): string[] {
  const left = countsOf(sound.map(({ key }) => key));
  return read.flatMap((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [`reads a frame that nobody sent: ${shown(key)}`];
  });
}

function missingIn(read: readonly string[], clean: readonly SoundFrame[]): string[] {
  const left = countsOf(read);
  return clean.flatMap(({ key, start }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [`misses the sound frame at ${start}: ${shown(key)}`];
  });
}

const lossFaults = (parser: StreamParser, stream: Buffer): string[] =>
  parser.mayBeLost(stream) ? [] : ['gives up a connection whose damage is within the limits'];

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const shown = (key: string): string =>
  Buffer.from(key, 'latin1').toString('hex').slice(0, MOST_SHOWN);
