// Chooses among the laps that a track gives with each pattern of a route: the chain of laps one after the other that
// explains the most driving (weighted interval scheduling). Deterministic, and of n laps in the order of n log n steps,
// with one more for each lap that ends in the three minutes after another one begins.
import { firstAtLeast } from './track/ascending.ts';

/** A lap by one pattern. */
export interface Candidate {
  /** 0 for the default pattern, which wins ties. */
  readonly pattern: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isComplete: boolean;
  /** It begins while the bus drives straight on. */
  readonly beginsMidway: boolean;
  /** Runs of the pattern for each run of the default one, by the timetable; null where unknown. */
  readonly runs: number | null;
  /** Length of the pattern's path, metres. */
  readonly lengthM: number;
  /** Metres of the pattern's path that were driven; and their share of all that belongs to the lap or was driven. */
  readonly coveredM: number;
  readonly share: number;
  /** Ids of the pattern's stops, and of those still ahead of the bus; and the visited ones with their arrivals, ms. */
  readonly stopIds: readonly number[];
  readonly aheadIds: readonly number[];
  readonly visits: readonly { readonly id: number; readonly arrivalMs: number }[];
}

/** Two laps of different patterns may overlap this far at a terminal, ms, and a quarter of either. */
const OVERLAP_MS = 180_000;
/** A pattern that runs as often as the default needs a lead of half a percent against it, one that runs twice as often none. */
const OFTEN_BONUS = { equal: 0.005, twice: 0.012 };
/** A lap that begins where the bus drives straight on, within a lap of another pattern by this much, ms, is half as likely. */
const MIDWAY = 0.5;
const WITHIN_MS = 60_000;
/** An incomplete lap explains its metres half as well as a complete one. */
const INCOMPLETE = 0.5;
/** Weight of the stops against the metres: it decides between patterns in the same streets. */
const STOPS_WEIGHT = 0.1;
/** Another pattern must explain this much more than the default, unless the bus called at a stop that only others have. */
const DEFAULT_BONUS = 1.01;
/** The longest one of further patterns with equal evidence wins. */
const LONGEST_BONUS = 1.005;

/** Chooses the best chain of laps, in order of time. */
export function chooseLaps<T extends Candidate>(laps: readonly T[]): T[] {
  const ordered = laps
    .filter(({ coveredM }) => coveredM > 0)
    .sort((a, b) => a.endMs - b.endMs || a.pattern - b.pattern || a.startMs - b.startMs);
  const ends = Float64Array.from(ordered, ({ endMs }) => endMs);
  const worthOf = createWorth(ordered);
  // By lap: the best chain that ends with it.
  const links: Link[] = [];
  // By number of laps that may be used: the lap with which the best chain ends.
  const best: (number | undefined)[] = [undefined];
  for (const [n, lap] of ordered.entries()) {
    const apart = firstAfter(ends, lap.startMs);
    let before = best[apart];
    for (let k = apart; k < n && overlapMs(ordered[k], lap) <= OVERLAP_MS; k += 1) {
      if (canFollow(ordered[k], lap) && worthAt(k) > worthAt(before)) before = k;
    }
    links.push({ before, worth: worthAt(before) + worthOf(lap) });
    best.push(worthAt(n) > worthAt(best[n]) ? n : best[n]);
  }
  const chain: T[] = [];
  for (let n = best.at(-1); n !== undefined; n = links[n]?.before) {
    const lap = ordered[n];
    if (lap !== undefined) chain.push(lap);
  }
  return chain.reverse();

  function worthAt(n: number | undefined): number {
    return n === undefined ? 0 : (links[n]?.worth ?? 0);
  }
}

interface Link {
  /** The lap before, by its index; undefined for the first one of the chain. */
  readonly before: number | undefined;
  readonly worth: number;
}

const overlapMs = (one: Candidate | undefined, next: Candidate): number =>
  (one?.endMs ?? Number.NEGATIVE_INFINITY) - next.startMs;

// A lap thus begins and ends after the one before it.
function canFollow(one: Candidate | undefined, next: Candidate): boolean {
  if (one === undefined) return false;
  const shorterMs = Math.min(one.endMs - one.startMs, next.endMs - next.startMs);
  return overlapMs(one, next) <= Math.min(OVERLAP_MS, shorterMs / 4);
}

const firstAfter = (ascending: Float64Array, value: number): number =>
  firstAtLeast(ascending, value + 1e-3);

function createWorth(laps: readonly Candidate[]): (lap: Candidate) => number {
  const calls = laps.flatMap(({ visits }) => visits).sort((a, b) => a.arrivalMs - b.arrivalMs);
  const times = Float64Array.from(calls, ({ arrivalMs }) => arrivalMs);
  const longestM = laps.reduce((most, { lengthM }) => Math.max(most, lengthM), 1);
  const isWithinOther = createWithin(laps);
  return (lap) => {
    const { startMs, endMs, isComplete, coveredM, share, visits } = lap;
    const own = new Set(lap.stopIds);
    // Visits that other patterns have in the time of the lap.
    const others = calls.slice(firstAtLeast(times, startMs), firstAfter(times, endMs));
    const ahead = new Set(lap.aheadIds);
    const wanted = new Set(lap.stopIds.filter((id) => !ahead.has(id)));
    for (const { id } of others) wanted.add(id);
    const stops = new Set(visits.map(({ id }) => id)).size / Math.max(wanted.size, 1);
    const fit = share * (1 - STOPS_WEIGHT + STOPS_WEIGHT * stops);
    const isElsewhere = others.some(({ id }) => !own.has(id));
    const isPart = lap.beginsMidway && isWithinOther(lap.startMs);
    const likely = (isComplete ? 1 : INCOMPLETE) * (isPart ? MIDWAY : 1);
    return coveredM * fit * likely * bonusOf(lap, isElsewhere);
  };

  function bonusOf({ pattern, lengthM, runs }: Candidate, isElsewhere: boolean): number {
    if (pattern === 0) return isElsewhere ? LONGEST_BONUS : DEFAULT_BONUS;
    if (runs !== null) {
      const { equal, twice } = OFTEN_BONUS;
      return 1 + equal * Math.min(runs, 1) + (twice - equal) * Math.min(Math.max(runs - 1, 0), 1);
    }
    return 1 + ((LONGEST_BONUS - 1) * lengthM) / longestM;
  }
}

// Whether a moment lies within a lap, not about its ends.
function createWithin(laps: readonly Candidate[]): (ms: number) => boolean {
  const byStart = laps.toSorted((a, b) => a.startMs - b.startMs);
  const starts = Float64Array.from(byStart, ({ startMs }) => startMs);
  let latest = Number.NEGATIVE_INFINITY;
  // By number of laps that have begun.
  const ends = [latest];
  for (const { endMs } of byStart) {
    latest = Math.max(latest, endMs);
    ends.push(latest);
  }
  return (ms) => (ends[firstAfter(starts, ms - WITHIN_MS)] ?? 0) > ms + WITHIN_MS;
}
