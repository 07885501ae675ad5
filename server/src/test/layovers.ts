// Simulates a bus that spends its layovers near a terminal, not at it, second by second, with passengers and GPS noise;
// returns the truth, too.

import type { Boarding } from '../laps/engine/people/attribute.ts';
import type { Direction, Route } from '../laps/engine/route-path.ts';
import { noiseOf, type Point, pathOf, randomOf, whereOn } from './drive.ts';

/** The stand of a bus between two legs, and its way there. */
export interface Layover {
  /** By a loop, into a dead end, backwards along the own line, or round a corner into a depot; or at the stop itself. */
  readonly way: 'loop' | 'dead_end' | 'line' | 'depot' | 'stop';
  /** Distance of the stand from the terminal, metres. */
  readonly metres: number;
  readonly standS: number;
  /** Passengers board at the first stop of the next leg; else the bus drives past it. */
  readonly boards: boolean;
}

/** One way of a lap: from the departure at its first stop to the arrival at its last one. */
export interface TrueLeg {
  readonly direction: Direction;
  readonly startMs: number;
  readonly endMs: number;
}

/** A passenger event and the leg to which it belongs. */
export interface TrueEvent extends Boarding {
  readonly leg: Direction;
}

export interface LayoverDrive {
  readonly points: readonly Point[];
  readonly legs: readonly TrueLeg[];
  readonly events: readonly TrueEvent[];
}

export interface LayoverOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly laps: number;
  /** Standard deviation of the noise, metres. */
  readonly noiseM: number;
  /** How long the bus stays at the last stop of a lap, s; as at other stops unless given. */
  readonly dropOffS?: number;
  /** The place where a bus waits once more, metres beyond the first stop of each leg, and for how long, s. */
  readonly waits?: { readonly metres: number; readonly seconds: number };
  /** Of the layover before the first leg of a lap, or before its second one. */
  readonly layoverAt: (terminal: 'first' | 'far', lap: number) => Layover;
}

const EXCURSION_M_PER_S = 6;
const LINE_M_PER_S = 12;
const RIDERS_AT_A_STOP = 2;
const RIDERS_AT_A_TERMINAL = 6;

/** Drives laps of a route with two legs. */
export function driveWithLayovers(route: Route, options: LayoverOptions): LayoverDrive {
  const path = pathOf(route);
  const turnAt = path.turnAt;
  if (turnAt === null) throw new Error('a route with two legs');
  const random = randomOf(options.seed);
  const noise = noiseOf(random, options.noiseM);
  const points: Point[] = [];
  const legs: TrueLeg[] = [];
  const events: TrueEvent[] = [];
  let ms = options.startMs;
  let s = 0;
  let speed = 0;
  const second = ([x, y]: readonly [number, number]): void => {
    const [nx, ny] = noise();
    points.push([ms, path.plane.latitudeOf(y + ny), path.plane.longitudeOf(x + nx), speed * 3.6]);
    ms += 1000;
  };
  const stand = (seconds: number, at = whereOn(path, s)): readonly [number, number] => {
    const fromMs = ms;
    speed = 0;
    for (let n = 0; n < seconds; n += 1) second(at);
    return [fromMs, ms];
  };
  const driveTo = (target: number): void => {
    while (s < target) {
      speed = Math.max(1, Math.min(speed + 1, LINE_M_PER_S, Math.sqrt(2 * (target - s))));
      s = Math.min(target, s + speed);
      second(whereOn(path, s));
    }
  };
  const driveAlong = (corners: readonly (readonly [number, number])[]): void => {
    speed = EXCURSION_M_PER_S;
    for (const [n, [bx, by]] of corners.entries()) {
      const [ax, ay] = corners[n - 1] ?? [bx, by];
      const metres = Math.hypot(bx - ax, by - ay);
      const steps = Math.ceil(metres / EXCURSION_M_PER_S);
      for (let k = 1; k <= steps; k += 1) {
        second([ax + ((bx - ax) * k) / steps, ay + ((by - ay) * k) / steps]);
      }
    }
  };
  const ride = (
    count: number,
    [fromMs, toMs]: readonly [number, number],
    leg: Direction,
    only?: Boarding['direction'],
  ): void => {
    for (let n = 0; n < count; n += 1) {
      const timeMs = Math.round(fromMs + random() * (toMs - fromMs));
      events.push({
        timeMs,
        direction: only ?? (random() < 0.5 ? 'entered' : 'exited'),
        count: 1,
        leg,
      });
    }
  };
  const layOver = (layover: Layover): void => {
    if (layover.way === 'stop') {
      stand(layover.standS);
      return;
    }
    const corners = cornersOf(layover, (back) => whereOn(path, (s || path.lengthM) - back));
    const far = corners.there.at(-1) ?? whereOn(path, s);
    driveAlong(corners.there);
    stand(layover.standS, far);
    driveAlong(corners.back);
  };
  const secondLeg: Direction = path.firstLeg === 'FORWARD' ? 'REVERSE' : 'FORWARD';
  for (let lap = 0; lap < options.laps; lap += 1) {
    for (const [direction, terminal] of [
      [path.firstLeg, 'first'],
      [secondLeg, 'far'],
    ] as const) {
      const [first, ...others] = path.stops.filter(({ stop }) => stop.direction === direction);
      if (first === undefined) throw new Error('a leg has stops');
      const layover = options.layoverAt(terminal, lap);
      if (terminal === 'first' && lap > 0) driveTo(path.lengthM);
      if (terminal === 'first') s = 0;
      layOver(layover);
      driveTo(first.at);
      const boarding = stand(layover.boards ? 30 + Math.floor(random() * 30) : 1);
      if (layover.boards) ride(RIDERS_AT_A_TERMINAL, boarding, direction, 'entered');
      let [, startMs] = boarding;
      if (options.waits !== undefined) {
        driveTo(first.at + options.waits.metres);
        const waited = stand(options.waits.seconds);
        ride(RIDERS_AT_A_STOP, waited, direction, 'entered');
        // At the terminal where laps meet this is layover, at the far one the leg has begun.
        if (terminal === 'first') [, startMs] = waited;
      }
      let endMs = startMs;
      for (const [n, { at }] of others.entries()) {
        const isLast = n === others.length - 1;
        driveTo(at);
        const atDropOff = isLast && direction === secondLeg ? options.dropOffS : undefined;
        const dwell = stand(atDropOff ?? 22 + Math.floor(random() * 20));
        ride(
          isLast ? RIDERS_AT_A_TERMINAL : RIDERS_AT_A_STOP,
          dwell,
          direction,
          isLast ? 'exited' : undefined,
        );
        endMs = dwell[0];
      }
      legs.push({ direction, startMs, endMs });
    }
  }
  stand(240);
  return { points, legs, events };
}

// The corners of the ways to the stand and back; the last corner of the way there is the stand.
function cornersOf(
  { way, metres }: Layover,
  behind: (metres: number) => readonly [number, number],
): { there: (readonly [number, number])[]; back: (readonly [number, number])[] } {
  const [x, y] = behind(0);
  const [px, py] = behind(30);
  const length = Math.hypot(x - px, y - py);
  const [ux, uy] = [(x - px) / length, (y - py) / length];
  const at = (ahead: number, aside: number): readonly [number, number] => [
    x + ux * ahead - uy * aside,
    y + uy * ahead + ux * aside,
  ];
  if (way === 'line') {
    const there = Array.from({ length: Math.ceil(metres / 20) + 1 }, (_, n) =>
      behind(Math.min(n * 20, metres)),
    );
    return { there, back: there.toReversed() };
  }
  if (way === 'loop') {
    const half = (from: number): (readonly [number, number])[] =>
      Array.from({ length: 13 }, (_, n) => {
        const angle = from + (Math.PI * n) / 12;
        return at((metres / 2) * Math.sin(angle), (metres / 2) * (1 - Math.cos(angle)));
      });
    return { there: half(0), back: half(Math.PI) };
  }
  const there =
    way === 'dead_end'
      ? [at(0, 0), at(0, metres)]
      : [at(0, 0), at(metres * 0.6, 0), at(metres * 0.6, metres * 0.8)];
  return { there, back: there.toReversed() };
}
