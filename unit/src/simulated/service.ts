// Simulates a service: the work of a bus from its first departure on a local day to its last arrival, which may be
// after midnight for a bus that runs round the clock. Every lap begins and ends empty at the first terminal.
import { dayRange } from '@ridewatch/contract/day';
import type { SimulatedBus } from './bus.ts';
import { demandAt, listPassengers, type Passenger } from './demand.ts';
import { type Opening, openDoors } from './doors.ts';
import { drive, type Motion } from './drive.ts';
import { type Chance, chanceOf } from './random.ts';
import { lines } from './routes/lines.ts';
import { trafficMps } from './traffic.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MIN = 24 * 60;
/** The unit is on this long before the first departure and after the last arrival. */
const WARM_UP_MS = 10 * MINUTE_MS;
const COOL_DOWN_MS = 5 * MINUTE_MS;
const SHORTEST_LAYOVER_MS = 2 * MINUTE_MS;
/** Time from standstill to the opening of doors, and from their closing to departure. */
const DOOR_LAG_MS = 1500;
/** Distance between traffic lights, and their share of red. */
const LIGHTS_EVERY_M = 700;
const RED = 0.35;

/** The true visit of a stop. */
export interface Visit {
  /** Index of the stop within the line. */
  stop: number;
  arrivalMs: number;
  departureMs: number;
  /** Undefined when the doors stayed closed. */
  opening: Opening | undefined;
  alighted: readonly Passenger[];
  boarded: readonly Passenger[];
  loadAfter: number;
}

export interface ServiceLap {
  /** From 1 within the service. */
  number: number;
  departureMs: number;
  endMs: number;
  visits: readonly Visit[];
  /** People who found no room. */
  leftBehind: number;
}

export interface Service {
  bus: SimulatedBus;
  day: string;
  startMs: number;
  endMs: number;
  laps: readonly ServiceLap[];
  /** The uninterrupted drives, in order. */
  motions: readonly Motion[];
}

/** Simulates a bus's service of a local day; the same seed gives the same service. */
export function serviceOf(seed: number, bus: SimulatedBus, day: string): Service {
  const chance = chanceOf(seed, bus.deviceId, day, 'service');
  const { startMs: midnightMs } = dayRange(day, bus.zone);
  const motions: Motion[] = [];
  const laps: ServiceLap[] = [];
  let freeMs = Number.NEGATIVE_INFINITY;
  for (const minute of timetable(seed, bus)) {
    const departureMs = Math.max(midnightMs + minute * MINUTE_MS, freeMs + SHORTEST_LAYOVER_MS);
    const lap = driveLap({ chance, bus, day, midnightMs, motions }, laps.length + 1, departureMs);
    laps.push(lap);
    freeMs = lap.endMs;
  }
  const firstMs = laps[0]?.visits[0]?.arrivalMs ?? midnightMs;
  return {
    bus,
    day,
    startMs: firstMs - WARM_UP_MS,
    endMs: Math.max(freeMs, firstMs) + COOL_DOWN_MS,
    laps,
    motions,
  };
}

/** Departures of a day, minutes of the local day. Each bus has its own offset. */
function timetable(seed: number, bus: SimulatedBus): number[] {
  const { cycleMin } = lines[bus.line];
  const chance = chanceOf(seed, bus.deviceId, 'timetable');
  if (bus.departures === 'round the clock') {
    const count = Math.floor(DAY_MIN / cycleMin);
    const spacingMin = DAY_MIN / count;
    // The first departure is late enough that at midnight the last lap of the day before is still running.
    const firstMin = chance.between(0.6, 0.9) * spacingMin;
    return Array.from({ length: count }, (_, lap) => Math.floor(firstMin + lap * spacingMin));
  }
  const { firstMin, lastMin } = bus.departures;
  const { pause } = bus;
  const departures: number[] = [];
  let minute = firstMin + Math.floor(chance.between(0, 20));
  for (; minute <= lastMin; minute += cycleMin) {
    const isPaused = pause !== undefined && minute >= pause.fromMin && minute < pause.toMin;
    if (!isPaused) departures.push(minute);
  }
  return departures;
}

interface Lapping {
  chance: Chance;
  bus: SimulatedBus;
  day: string;
  midnightMs: number;
  motions: Motion[];
}

function driveLap(lapping: Lapping, number: number, departureMs: number): ServiceLap {
  const { chance, bus, day, motions } = lapping;
  const { line, boardingsPerLap } = lines[bus.line];
  const isDayOff = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const hour = hourOf(lapping, departureMs);
  const waiting = listPassengers(chance, line.stops, {
    hour,
    isDayOff,
    boardings: boardingsPerLap * bus.demand * demandAt(hour, isDayOff),
    adultsOnly: bus.protocol !== undefined,
  });
  const visits: Visit[] = [];
  let onBoard: Passenger[] = [];
  let leftBehind = 0;
  let nowMs = departureMs;
  let atM = 0;
  for (const [index, stop] of line.stops.entries()) {
    const alighted = onBoard.filter((who) => who.to === index);
    onBoard = onBoard.filter((who) => who.to !== index);
    const room = bus.seats + bus.standing - onBoard.length;
    const boarded = (waiting[index] ?? []).slice(0, room);
    leftBehind += (waiting[index] ?? []).length - boarded.length;
    onBoard.push(...boarded);
    const people = { alighting: alighted, boarding: boarded };
    const isTerminal = isEndOfLeg(line.firstReverse, line.stops.length, index);
    const moves = alighted.length + boarded.length > 0;
    if (!moves && !isTerminal && chance.happens(0.35)) continue;

    if (index > 0) {
      const mps = trafficMps(hourOf(lapping, nowMs), isDayOff) * chance.between(0.9, 1.12);
      nowMs = driveBetweenStops(chance, motions, {
        startMs: nowMs,
        fromM: atM,
        toM: stop.atM,
        mps,
      });
      atM = stop.atM;
    }
    const startsLeg = index === 0 || index === line.firstReverse;
    const layoverMs = index === line.firstReverse ? chance.between(3, 7) * MINUTE_MS : 0;
    const arrivalMs = index === 0 ? nowMs - chance.between(60, 110) * 1000 : nowMs;
    const opening =
      moves || chance.happens(0.6) ? openDoors(chance, 0, bus.doors, people) : undefined;
    const dwellMs = (opening?.closeMs ?? 6000) + 2 * DOOR_LAG_MS;
    // At the start of a direction the bus stands with closed doors and lets people on just before it leaves.
    const standsMs = Math.max(dwellMs, startsLeg ? layoverMs : 0);
    const leavesMs = index === 0 ? Math.max(nowMs, arrivalMs + dwellMs) : arrivalMs + standsMs;
    const openMs = startsLeg ? leavesMs - dwellMs + DOOR_LAG_MS : arrivalMs + DOOR_LAG_MS;
    visits.push({
      stop: index,
      arrivalMs: Math.round(arrivalMs),
      departureMs: Math.round(leavesMs),
      opening: opening === undefined ? undefined : shifted(opening, Math.round(openMs)),
      alighted,
      boarded,
      loadAfter: onBoard.length,
    });
    nowMs = Math.round(leavesMs);
  }
  if (line.lengthM - atM > 1) {
    const mps = trafficMps(hourOf(lapping, nowMs), isDayOff);
    nowMs = driveBetweenStops(chance, motions, {
      startMs: nowMs,
      fromM: atM,
      toM: line.lengthM,
      mps,
    });
  }
  return {
    number,
    departureMs: visits[0]?.departureMs ?? departureMs,
    endMs: nowMs,
    visits,
    leftBehind,
  };
}

/** Drives from one stop to the next, with stands at red lights. @returns the arrival, ms since 1970 UTC */
function driveBetweenStops(
  chance: Chance,
  motions: Motion[],
  leg: { startMs: number; fromM: number; toM: number; mps: number },
): number {
  let { startMs, fromM } = leg;
  const lights = Math.floor((leg.toM - leg.fromM) / LIGHTS_EVERY_M);
  for (let light = 1; light <= lights; light++) {
    if (!chance.happens(RED)) continue;
    const toM = leg.fromM + ((leg.toM - leg.fromM) * light) / (lights + 1);
    const motion = drive(startMs, fromM, toM, leg.mps);
    motions.push(motion);
    startMs = motion.endMs + Math.round(chance.between(8, 40) * 1000);
    fromM = toM;
  }
  const motion = drive(startMs, fromM, leg.toM, leg.mps);
  motions.push(motion);
  return motion.endMs;
}

function shifted(opening: Opening, byMs: number): Opening {
  return {
    openMs: opening.openMs + byMs,
    closeMs: opening.closeMs + byMs,
    crossings: opening.crossings.map((one) => ({ ...one, atMs: one.atMs + byMs })),
  };
}

function isEndOfLeg(firstReverse: number, count: number, index: number): boolean {
  return [0, firstReverse - 1, firstReverse, count - 1].includes(index);
}

// The hour by elapsed time, not by the wall clock: on the two days of a clock change demand is an hour off.
function hourOf({ midnightMs }: Lapping, momentMs: number): number {
  return (Math.floor((momentMs - midnightMs) / HOUR_MS) + 24) % 24;
}
