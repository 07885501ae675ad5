// One local day of one bus, from nothing but (seed, bus, day): where it drove, who rode, what its cameras could see.
import { dayRange } from '@ridewatch/contract/day';
import type { Crossing } from '../film/scene.ts';
import type { SimulatedBus } from './bus.ts';
import { type Chance, chanceOf } from './chance.ts';
import { drawRiders, type Rider } from './demand.ts';
import { driveStretch, type Stretch } from './drive.ts';

const HOUR_MS = 3_600_000;
/** Doors open after the bus has stopped, and the bus leaves after they have closed, ms. */
const DOOR_MARGIN_MS = 2000;
const LEAST_OPEN_MS = 5000;
/** Between two heads in one door, ms. */
const HEADWAY_MS = { least: 900, most: 1900 };
const LAYOVER_MS = { least: 4 * 60_000, most: 9 * 60_000 };

export interface DoorVisit {
  readonly door: number;
  readonly openMs: number;
  readonly closeMs: number;
  readonly crossings: readonly Crossing[];
}

export interface StopVisit {
  /** Index among the stops of the route. */
  readonly stop: number;
  readonly arrivalMs: number;
  readonly departureMs: number;
  readonly boarded: { adult: number; child: number };
  readonly alighted: { adult: number; child: number };
  /** On board when it leaves. */
  readonly load: number;
  readonly doors: readonly DoorVisit[];
}

export interface Lap {
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly visits: readonly StopVisit[];
  readonly riders: readonly Rider[];
}

export interface ServiceDay {
  readonly bus: SimulatedBus;
  readonly day: string;
  /** Switched on from and to: the unit speaks then. */
  readonly shifts: readonly { startMs: number; endMs: number }[];
  readonly laps: readonly Lap[];
  readonly stretches: readonly Stretch[];
}

/**
 * Simulates a local day of a bus. The same arguments give the same day on every machine.
 * @param day `YYYY-MM-DD` in the bus's zone
 */
export function simulateDay(seed: number, bus: SimulatedBus, day: string): ServiceDay {
  const chance = chanceOf(seed, bus.deviceId, day, 'service');
  const { startMs } = dayRange(day, bus.timezone);
  const laps: Lap[] = [];
  const stretches: Stretch[] = [];
  const shifts: { startMs: number; endMs: number }[] = [];
  for (const { fromHour, toHour } of bus.shifts) {
    const onMs = startMs + Math.round(fromHour * HOUR_MS);
    const offMs = startMs + Math.round(toHour * HOUR_MS);
    shifts.push({ startMs: onMs, endMs: offMs });
    let departureMs = onMs + Math.round(chance.between(120, 480)) * 1000;
    // The last lap is one that surely ends within the shift, so that no day reaches into the next.
    while (departureMs + longestLapMs(bus) < offMs) {
      const lap = driveLap({
        bus,
        startMs,
        chance,
        number: laps.length + 1,
        departureMs,
        stretches,
      });
      laps.push(lap);
      departureMs =
        lap.endMs + Math.round(chance.between(LAYOVER_MS.least, LAYOVER_MS.most) / 1000) * 1000;
    }
  }
  return { bus, day, shifts, laps, stretches };
}

function longestLapMs(bus: SimulatedBus): number {
  // 9 km/h all in all: no lap of the simulation is slower.
  return (bus.route.lengthM / 2.5) * 1000;
}

interface LapPlan {
  readonly bus: SimulatedBus;
  readonly startMs: number;
  readonly chance: Chance;
  readonly number: number;
  readonly departureMs: number;
  readonly stretches: Stretch[];
}

function driveLap({ bus, startMs, chance, number, departureMs, stretches }: LapPlan): Lap {
  const { stops } = bus.route;
  const riders: Rider[] = [];
  const visits: StopVisit[] = [];
  let onBoard: Rider[] = [];
  let nowMs = departureMs;
  stops.forEach((stop, index) => {
    const before = stops[index - 1];
    if (before !== undefined)
      nowMs = driveTo(stretches, chance, nowMs, before.atM, stop.atM, startMs);
    const hour = (nowMs - startMs) / HOUR_MS;
    const leaving = onBoard.filter((rider) => rider.to === index);
    const staying = onBoard.filter((rider) => rider.to !== index);
    const room = bus.capacitySeated + bus.capacityStanding - staying.length;
    const boarding = drawRiders(bus.route, index, hour, bus.demand, chance).slice(0, room);
    riders.push(...boarding);
    onBoard = [...staying, ...boarding];
    const visit = visitStop({ bus, chance, index, nowMs, leaving, boarding, load: onBoard.length });
    visits.push(visit);
    nowMs = visit.departureMs;
  });
  const last = stops.at(-1);
  if (last !== undefined && bus.route.lengthM - last.atM > 20) {
    nowMs = driveTo(stretches, chance, nowMs, last.atM, bus.route.lengthM, startMs);
  }
  return { number, startMs: departureMs, endMs: nowMs, visits, riders };
}

// Traffic decides the top speed and where the bus waits at a light.
function driveTo(
  stretches: Stretch[],
  chance: Chance,
  startMs: number,
  fromM: number,
  toM: number,
  dayStartMs: number,
): number {
  const hour = ((startMs - dayStartMs) / HOUR_MS) % 24;
  const jam = (hour >= 7 && hour < 10) || (hour >= 16 && hour < 19.5) ? 0.72 : 1;
  const top = chance.between(9.5, 13.5) * jam;
  let nowMs = startMs;
  let at = fromM;
  const lights = toM - fromM > 250 && chance.next() < 0.3 ? [chance.between(0.3, 0.7)] : [];
  for (const target of [...lights.map((share) => fromM + (toM - fromM) * share), toM]) {
    const stretch = driveStretch(nowMs, at, target, top);
    stretches.push(stretch);
    nowMs = stretch.endMs;
    at = target;
    if (target !== toM) nowMs += Math.round(chance.between(8, 45)) * 1000;
  }
  return nowMs;
}

interface VisitPlan {
  readonly bus: SimulatedBus;
  readonly chance: Chance;
  readonly index: number;
  readonly nowMs: number;
  readonly leaving: readonly Rider[];
  readonly boarding: readonly Rider[];
  readonly load: number;
}

function visitStop({ bus, chance, index, nowMs, leaving, boarding, load }: VisitPlan): StopVisit {
  const openMs = nowMs + DOOR_MARGIN_MS;
  const queues = new Map(bus.doors.map((door) => [door, [] as Crossing[]]));
  const nextAt = new Map(bus.doors.map((door) => [door, openMs + 1500]));
  const pass = (rider: Rider, direction: Crossing['direction'], door: number): void => {
    const atMs = Math.round(nextAt.get(door) ?? openMs);
    queues.get(door)?.push({ atMs, direction, passenger: rider.passenger });
    nextAt.set(door, atMs + chance.between(HEADWAY_MS.least, HEADWAY_MS.most));
  };
  // Who gets off goes first; boarding is mostly by the first door.
  for (const rider of leaving) pass(rider, 'exited', chooseDoor(bus, chance, 0.15));
  for (const rider of boarding) pass(rider, 'entered', chooseDoor(bus, chance, 0.6));
  const used = [...queues.values()].map((crossings) => crossings.at(-1)?.atMs ?? 0);
  const busyUntilMs = Math.max(openMs + LEAST_OPEN_MS - 1500, ...used);
  const closeMs = Math.ceil((busyUntilMs + 1500) / 1000) * 1000;
  return {
    stop: index,
    arrivalMs: nowMs,
    departureMs: closeMs + DOOR_MARGIN_MS,
    boarded: tally(boarding),
    alighted: tally(leaving),
    load,
    doors: [...queues].map(([door, crossings]) => ({ door, openMs, closeMs, crossings })),
  };
}

function chooseDoor(bus: SimulatedBus, chance: Chance, firstShare: number): number {
  const [first = 1, ...others] = bus.doors;
  if (others.length === 0 || chance.next() < firstShare) return first;
  return others[Math.floor(chance.next() * others.length)] ?? first;
}

function tally(riders: readonly Rider[]): { adult: number; child: number } {
  const adult = riders.filter((rider) => rider.passenger === 'adult').length;
  return { adult, child: riders.length - adult };
}
