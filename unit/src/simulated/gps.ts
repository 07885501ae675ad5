// Simulates a GPS receiver: a few metres of error that drifts slowly, and sometimes no fix. A position depends on the
// moment alone, so that every interval gives the same points.
import { roundTo } from '@ridewatch/contract/round';
import type { PositionRecord } from '@ridewatch/contract/unit';
import type { BusDay, Span } from './day.ts';
import { findMotion, progress } from './drive.ts';
import { type Line, moved, placeAt } from './line.ts';
import { hashOf } from './random.ts';
import { lines } from './routes/lines.ts';
import type { Service } from './service.ts';

/** Interval of positions of a parked bus, ms: short enough that the unit is not silent. */
export const PARKED_EVERY_MS = 60_000;
const DRIFT_MS = 20_000;
const DRIFT_M = 3.5;
const JITTER_M = 0.5;
const OUTAGE_SLOT_MS = 600_000;
const OUTAGE_MS = 20_000;
const OUTAGES_IN = 40;

export type Position = Omit<PositionRecord, 'type' | 'seq'>;

/** The true place of the bus, metres along its loop, and its speed. */
export function truePlace(
  services: readonly Service[],
  momentMs: number,
): { atM: number; speedMps: number } {
  const service = services.findLast(({ startMs }) => startMs <= momentMs);
  const index = service === undefined ? -1 : findMotion(service.motions, momentMs);
  const motion = service?.motions[index];
  return motion === undefined ? { atM: 0, speedMps: 0 } : progress(motion, momentMs);
}

/** The position that the receiver reports at a moment of the day. */
export function positionAt(seed: number, day: BusDay, momentMs: number): Position {
  const { line }: { line: Line } = lines[day.bus.line];
  const base = hashOf(seed, day.bus.deviceId, 'gps');
  const time = new Date(momentMs).toISOString();
  const slot = Math.floor(momentMs / OUTAGE_SLOT_MS);
  const outage = mix(base, slot);
  if (outage % OUTAGES_IN === 0) {
    const startMs = slot * OUTAGE_SLOT_MS + ((outage >>> 8) % (OUTAGE_SLOT_MS - OUTAGE_MS));
    if (isInOutage(startMs, momentMs)) return { time, fix: false };
  }
  const { atM, speedMps } = truePlace(day.services, momentMs);
  const place = placeAt(line, atM);
  const found = moved(
    place,
    drift(base + 1, momentMs) + JITTER_M * unit(mix(base + 2, momentMs / 1000)),
    drift(base + 3, momentMs) + JITTER_M * unit(mix(base + 4, momentMs / 1000)),
  );
  const wobble = unit(mix(base + 5, momentMs / 1000));
  const speedKmh = speedMps === 0 ? Math.max(0, wobble * 0.8) : speedMps * 3.6 + wobble * 1.5;
  return {
    time,
    fix: true,
    latitude: roundTo(found.latitude, 6),
    longitude: roundTo(found.longitude, 6),
    speed_kmh: roundTo(Math.max(0, speedKmh), 1),
    course: Math.round(place.course) % 360,
    satellites: 9 + (mix(base + 6, Math.floor(momentMs / DRIFT_MS)) % 8),
    hdop: roundTo(0.8 + (mix(base + 7, Math.floor(momentMs / DRIFT_MS)) % 9) / 10, 1),
  };
}

/** The times of a day's positions, numbered from 0. */
export interface PositionTimes {
  /** The times in [fromMs, toMs). */
  list(fromMs: number, toMs: number): { index: number; atMs: number }[];
}

/**
 * Plans the positions of a day: at an interval of `everyMs` in service, once a minute while parked.
 * @param everyMs a divisor of a minute, ms
 */
export function positionTimes(day: BusDay, everyMs: number): PositionTimes {
  const spans: (Span & { everyMs: number; firstIndex: number })[] = [];
  let count = 0;
  let atMs = day.startMs;
  const add = (endMs: number, stepMs: number): void => {
    const until = Math.min(Math.ceil(endMs / PARKED_EVERY_MS) * PARKED_EVERY_MS, day.endMs);
    if (until <= atMs) return;
    spans.push({ startMs: atMs, endMs: until, everyMs: stepMs, firstIndex: count });
    count += Math.ceil((until - atMs) / stepMs);
    atMs = until;
  };
  for (const service of day.services) {
    add(service.startMs, PARKED_EVERY_MS);
    add(service.endMs, everyMs);
  }
  add(day.endMs, PARKED_EVERY_MS);
  return {
    list: (fromMs, toMs) =>
      spans.flatMap((span) => {
        const first = Math.max(0, Math.ceil((fromMs - span.startMs) / span.everyMs));
        const last = Math.ceil((Math.min(toMs, span.endMs) - span.startMs) / span.everyMs) - 1;
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => ({
          index: span.firstIndex + first + step,
          atMs: span.startMs + (first + step) * span.everyMs,
        }));
      }),
  };
}

function isInOutage(startMs: number, momentMs: number): boolean {
  return momentMs >= startMs && momentMs < startMs + OUTAGE_MS;
}

/** The slow error, interpolated between knots, metres. */
function drift(base: number, momentMs: number): number {
  const knot = Math.floor(momentMs / DRIFT_MS);
  const share = momentMs / DRIFT_MS - knot;
  const smooth = share * share * (3 - 2 * share);
  const from = unit(mix(base, knot));
  return DRIFT_M * (from + (unit(mix(base, knot + 1)) - from) * smooth);
}

function mix(base: number, number: number): number {
  let hash = (base ^ Math.imul(number | 0, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number in [−1, 1) from a hash. */
function unit(hash: number): number {
  return hash / 0x8000_0000 - 1;
}
