// Units tell positions, and people by door, in protocols without numbered records. A record depends on its time
// alone, so a span that is told again tells the same.
import type { BusDay } from './day.ts';
import type { DoorCrossing } from './doors.ts';
import { type Position, positionAt, positionTimes } from './gps.ts';

/** People who passed a door within a short time. */
export interface ToldPeople {
  readonly kind: 'people';
  /** The seconds of the first and of the last of them, ms since 1970 UTC. */
  readonly fromMs: number;
  readonly atMs: number;
  readonly door: number;
  readonly entered: number;
  readonly exited: number;
}

export interface ToldPosition {
  readonly kind: 'position';
  /** A whole second, ms since 1970 UTC. */
  readonly atMs: number;
  readonly position: Position;
}

export type Told = ToldPosition | ToldPeople;

export interface TellOptions {
  readonly seed: number;
  /** Half-open span of the day in whole seconds, ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** A divisor of a minute, ms. */
  readonly positionsEveryMs: number;
  /** Whether people of one opening of the doors are told together, at its end; else those of each second. */
  readonly byOpening: boolean;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** A longer time without anybody ends an opening, ms. */
const PAUSE_MS = 10_000;

/** Lists the records of a span of a unit's day, by time. */
export function listTold(day: BusDay, options: TellOptions): Told[] {
  const { seed, fromMs, toMs, positionsEveryMs, byOpening } = options;
  const positions = positionTimes(day, positionsEveryMs).list(fromMs, toMs);
  const people = byOpening ? byOpenings(day.crossings) : bySeconds(day.crossings);
  return [
    ...positions.map(({ atMs }): ToldPosition => {
      return { kind: 'position', atMs, position: positionAt(seed, day, atMs) };
    }),
    ...people.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
  ].sort((a, b) => a.atMs - b.atMs);
}

function bySeconds(crossings: readonly DoorCrossing[]): ToldPeople[] {
  const groups = Map.groupBy(crossings, ({ atMs, door }) => `${secondOf(atMs)} ${door}`);
  return [...groups.values()].map(peopleOf);
}

// No opening goes on over the full minute, so that each belongs to one hour.
function byOpenings(crossings: readonly DoorCrossing[]): ToldPeople[] {
  const groups: DoorCrossing[][] = [];
  for (const one of crossings) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isSame =
      last !== undefined &&
      one.atMs - last.atMs <= PAUSE_MS &&
      Math.floor(one.atMs / MINUTE_MS) === Math.floor(last.atMs / MINUTE_MS);
    if (isSame) group?.push(one);
    else groups.push([one]);
  }
  return groups.map(peopleOf);
}

function peopleOf(crossings: readonly DoorCrossing[]): ToldPeople {
  const entered = crossings.filter(({ direction }) => direction === 'entered').length;
  return {
    kind: 'people',
    fromMs: secondOf(crossings[0]?.atMs ?? 0),
    atMs: secondOf(crossings.at(-1)?.atMs ?? 0),
    door: crossings[0]?.door ?? 1,
    entered,
    exited: crossings.length - entered,
  };
}

const secondOf = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;
