// Units that are known by an id in another protocol tell positions and people of past days, made out of chance.
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';

/** One object's word of one second. */
export interface Told {
  /** The id of the object in its protocol, a whole number. */
  readonly object: number;
  /** ms since 1970 UTC, a whole second. */
  readonly timeMs: number;
  /** Degrees with six decimals. */
  readonly latitude: number;
  readonly longitude: number;
  /** With one decimal. */
  readonly speedKmh: number;
  /** Whole degrees. */
  readonly course: number;
  /** People who got on and off since the last one, by door; or the two numbers that its counters show. */
  readonly doors: Readonly<Record<number, readonly [entered: number, exited: number]>>;
}

/** The meaning of the numbers of an object's counters. */
export type Counts = 'delta' | 'cumulative';

/** An object, and how it counts. */
export interface ToldObject {
  readonly object: number;
  readonly counts: Counts;
}

/** A counter has one byte. */
const COUNTER = 256;
/** Most people between two of an object's records, at a door and in one direction. */
const MOST_PEOPLE = 5;
const DAY_MS = 86_400_000;

/**
 * Makes the records of an object, one a second.
 * @param daysBack days between the morning of its records and yesterday's
 * @param doors how many it has
 */
export function tellerOf(
  chance: Chance,
  { object, counts }: ToldObject,
  daysBack: number,
  doors = 2,
): () => Told {
  const whole = (from: number, to: number): number => Math.floor(chance.between(from, to));
  const numbers = Array.from({ length: doors }, (_, door) => door + 1);
  const shown = numbers.map((): [number, number] => [whole(0, COUNTER), whole(0, COUNTER)]);
  let timeMs = new Date().setUTCHours(0, 0, 0, 0) - 20 * 3_600_000 - daysBack * DAY_MS;
  const people = (door: number): readonly [number, number] => {
    const some = (): number => (chance.happens(0.5) ? 0 : whole(0, MOST_PEOPLE));
    const passed = [some(), some()] as const;
    if (counts === 'delta') return passed;
    const [entered, exited] = shown[door - 1] ?? [0, 0];
    const now: [number, number] = [(entered + passed[0]) % COUNTER, (exited + passed[1]) % COUNTER];
    shown[door - 1] = now;
    return now;
  };
  return () => {
    timeMs += 1000;
    return {
      ...{ object, timeMs },
      latitude: whole(55e6, 56e6) / 1e6,
      longitude: whole(37e6, 38e6) / 1e6,
      speedKmh: whole(0, 600) / 10,
      course: whole(0, 360),
      doors: Object.fromEntries(numbers.map((door) => [door, people(door)])),
    };
  };
}

/**
 * The parts of a record that are stored once each, by what they are: a sentence that the same part of a stored record has,
 * too. A counter's reading is not stored as it is told (told-faults.ts).
 */
export function partsOf(told: Told, counts: Counts): Map<string, string> {
  const parts = new Map([['position', positionText(told)]]);
  if (counts === 'cumulative') return parts;
  for (const [door, passed] of Object.entries(told.doors)) {
    for (const [way, count] of passed.entries()) {
      const direction = way === 0 ? 'entered' : 'exited';
      if (count > 0) parts.set(`${door} ${direction}`, eventText(told, door, direction, count));
    }
  }
  return parts;
}

/** A position as a sentence. */
export function positionText(position: Omit<Told, 'object' | 'doors'>): string {
  const { timeMs, latitude, longitude, speedKmh, course } = position;
  return `${timeText(timeMs)} position ${latitude} ${longitude}, ${speedKmh} km/h, ${course}°`;
}

/** An event as a sentence. */
export function eventText(
  { timeMs }: Pick<Told, 'timeMs'>,
  door: number | string,
  direction: string,
  count: number,
): string {
  return `${timeText(timeMs)} door ${door} ${direction} ${count}`;
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();
