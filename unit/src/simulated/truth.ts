// The truth of the simulation, for comparison with the product: docs/truth-file.md.
import { hourEndOf, hoursOf } from '@ridewatch/contract/hours';
import { roublesOf } from '@ridewatch/contract/money';
import { type BusDay, isWithin, mostInView, type Span } from './day.ts';
import type { Passenger } from './demand.ts';
import type { DoorCrossing } from './doors.ts';
import { FLAT_FARE_KOPECKS, zoneFareKopecks } from './fares.ts';
import { calculations } from './plan.ts';
import { lines } from './routes/lines.ts';
import type { ServiceLap } from './service.ts';

export interface People {
  adult: number;
  kids: number;
}

/** The truth of one bus's local day; times are ISO 8601 in UTC, money roubles with two decimals. */
export interface DayTruth {
  format: 'ridewatch-truth-1';
  seed: number;
  device_id: string;
  bus: string;
  timezone: string;
  day: string;
  start: string;
  end: string;
  entered: People;
  exited: People;
  hours: { start: string; entered: People; exited: People }[];
  fare: { type: 'FIXED' | 'CALCULATION'; total: string } | null;
  laps: LapTruth[];
  fragments: FragmentTruth[];
  camera_states: { time: string; camera: string; status: 'online' | 'offline' }[];
  link_breaks: { start: string; end: string }[];
}

interface LapTruth {
  number: number;
  departure: string;
  end: string;
  boarded: People;
  alighted: People;
  left_behind: number;
  fare: string | null;
  stops: {
    index: number;
    name: string;
    direction: 'FORWARD' | 'REVERSE';
    arrival: string;
    departure: string;
    boarded: People;
    alighted: People;
    load: number;
  }[];
}

interface FragmentTruth {
  camera: string;
  camera_name: string;
  door: number | null;
  start: string;
  end: string;
  entered: People;
  exited: People;
  max_objects_count: number;
}

/**
 * Computes the truth of a day.
 * @param untilMs end of the sent records, for a day that is not over; what begins later is left out
 */
export function truthOf(seed: number, day: BusDay, untilMs = day.endMs): DayTruth {
  const { bus } = day;
  const crossings = day.crossings.filter(({ atMs }) => atMs < untilMs);
  const laps = day.laps.filter(({ endMs }) => endMs < untilMs);
  return {
    format: 'ridewatch-truth-1',
    seed,
    device_id: bus.deviceId,
    bus: bus.name,
    timezone: bus.zone,
    day: day.day,
    start: iso(day.startMs),
    end: iso(Math.min(day.endMs, untilMs)),
    entered: count(crossings, 'entered'),
    exited: count(crossings, 'exited'),
    hours: hoursOf(day, bus.zone).map((startMs) => {
      const hour = within(crossings, { startMs, endMs: hourEndOf(startMs, bus.zone) });
      return {
        start: iso(startMs),
        entered: count(hour, 'entered'),
        exited: count(hour, 'exited'),
      };
    }),
    fare: dayFare(day, laps, crossings),
    laps: laps.map((lap) => lapTruth(day, lap)),
    fragments: day.fragments
      .filter(({ endMs }) => endMs <= untilMs)
      .map((fragment) => {
        const { camera } = fragment;
        const seen = fragment.scene.kind === 'door' ? fragment.scene.door.crossings : [];
        return {
          camera: camera.streamId,
          camera_name: camera.name,
          door: camera.door,
          start: iso(fragment.startMs),
          end: iso(fragment.endMs),
          entered: count(seen, 'entered'),
          exited: count(seen, 'exited'),
          max_objects_count: mostInView(fragment),
        };
      }),
    camera_states: day.cameraChanges
      .filter(({ atMs }) => atMs < untilMs)
      .map(({ atMs, camera, status }) => ({ time: iso(atMs), camera: camera.streamId, status })),
    link_breaks: day.linkBreaks
      .filter(({ startMs }) => startMs < untilMs)
      .map(({ startMs, endMs }) => ({ start: iso(startMs), end: iso(endMs) })),
  };
}

function lapTruth(day: BusDay, lap: ServiceLap): LapTruth {
  const { line } = lines[day.bus.line];
  const boarded = lap.visits.flatMap((visit) => visit.boarded);
  const kopecks = lapFareKopecks(day, boarded);
  return {
    number: lap.number,
    departure: iso(lap.departureMs),
    end: iso(lap.endMs),
    boarded: people(boarded),
    alighted: people(lap.visits.flatMap((visit) => visit.alighted)),
    left_behind: lap.leftBehind,
    fare: kopecks === null ? null : roublesOf(kopecks),
    stops: lap.visits.map((visit) => ({
      index: visit.stop,
      name: line.stops[visit.stop]?.name ?? '',
      direction: line.stops[visit.stop]?.direction ?? 'FORWARD',
      arrival: iso(visit.arrivalMs),
      departure: iso(visit.departureMs),
      boarded: people(visit.boarded),
      alighted: people(visit.alighted),
      load: visit.loadAfter,
    })),
  };
}

// With a price table a lap counts on the day in which it starts; with one price each boarding counts at its time.
function dayFare(
  day: BusDay,
  laps: readonly ServiceLap[],
  crossings: readonly DoorCrossing[],
): DayTruth['fare'] {
  if (day.bus.group === null) return null;
  const type = calculations[day.bus.line];
  if (type === 'FIXED') {
    const entered = crossings.filter(({ direction }) => direction === 'entered').length;
    return { type, total: roublesOf(entered * FLAT_FARE_KOPECKS) };
  }
  const kopecks = laps
    .flatMap((lap) => lap.visits.flatMap((visit) => visit.boarded))
    .reduce((sum, who) => sum + zoneFareKopecks(lines[day.bus.line].line, who.from, who.to), 0);
  return { type, total: roublesOf(kopecks) };
}

function lapFareKopecks(day: BusDay, boarded: readonly Passenger[]): number | null {
  if (day.bus.group === null) return null;
  if (calculations[day.bus.line] === 'FIXED') return boarded.length * FLAT_FARE_KOPECKS;
  const { line } = lines[day.bus.line];
  return boarded.reduce((sum, who) => sum + zoneFareKopecks(line, who.from, who.to), 0);
}

function people(passengers: readonly Passenger[]): People {
  const kids = passengers.filter(({ kind }) => kind === 'child').length;
  return { adult: passengers.length - kids, kids };
}

function count(
  crossings: readonly Omit<DoorCrossing, 'door'>[],
  direction: DoorCrossing['direction'],
): People {
  const found = crossings.filter((one) => one.direction === direction);
  const kids = found.filter(({ passenger }) => passenger === 'child').length;
  return { adult: found.length - kids, kids };
}

function within(crossings: readonly DoorCrossing[], span: Span): DoorCrossing[] {
  return crossings.filter(({ atMs }) => isWithin(span, atMs));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
