// The registrar's recordings of service cameras. They record while the bus is in service, and one minute of every ten
// is announced. The rest is cut into recordings that are announced when the server requests their range.
import type { SegmentRecord } from '@ridewatch/contract/unit';
import type { SimulatedCamera } from './bus.ts';
import { type BusDay, type Fragment, onBoardAt, type Span } from './day.ts';
import { hashOf } from './random.ts';
import { announcement } from './records.ts';

const MINUTE_MS = 60_000;
const SLOT_MS = 10 * MINUTE_MS;
/** Bounds of the recordings within ten minutes, after the announced one, ms. */
const CUTS_MS = [0, MINUTE_MS, 4 * MINUTE_MS, 7 * MINUTE_MS, SLOT_MS];

/** A recording, with its number within the day. */
export interface Recorded {
  readonly fragment: Fragment;
  readonly index: number;
}

/**
 * Lists the recordings of a service camera that touch a range of a day and are not announced, in order of time.
 * @param nowMs present; a recording that has not ended is left out
 */
export function listRecorded(
  seed: number,
  day: BusDay,
  streamId: string,
  range: Span,
  nowMs: number,
): Recorded[] {
  const camera = day.bus.cameras.find((one) => one.streamId === streamId && one.live);
  if (camera === undefined) return [];
  const announced = day.fragments.filter((one) => one.camera === camera);
  const isFree = (span: Span): boolean =>
    !announced.some((one) => one.startMs < span.endMs && one.endMs > span.startMs) &&
    isRecording(day, camera, span);
  return listSpans(day, range)
    .filter((span) => span.endMs <= nowMs && isFree(span))
    .map((span) => ({
      fragment: cabinFragment(seed, day, camera, span),
      index: numberOf(day, camera, span),
    }));
}

function listSpans(day: BusDay, range: Span): Span[] {
  const spans: Span[] = [];
  const fromMs = Math.max(range.startMs, day.startMs);
  const toMs = Math.min(range.endMs, day.endMs);
  for (let slotMs = Math.floor(fromMs / SLOT_MS) * SLOT_MS; slotMs < toMs; slotMs += SLOT_MS) {
    for (const [index, cutMs] of CUTS_MS.slice(0, -1).entries()) {
      const startMs = slotMs + cutMs;
      const endMs = slotMs + (CUTS_MS[index + 1] ?? SLOT_MS);
      if (endMs > fromMs && startMs < toMs && startMs >= day.startMs)
        spans.push({ startMs, endMs });
    }
  }
  return spans;
}

function isRecording(day: BusDay, camera: SimulatedCamera, span: Span): boolean {
  const inService = day.services.some(
    (service) => service.startMs <= span.startMs && span.endMs <= service.endMs,
  );
  const changes = day.cameraChanges.filter((one) => one.camera === camera);
  const before = changes.findLast(({ atMs }) => atMs <= span.startMs);
  const isLost = before?.status === 'offline';
  const changesWithin = changes.some(
    ({ atMs, status }) => status === 'offline' && atMs > span.startMs && atMs < span.endMs,
  );
  return inService && !isLost && !changesWithin;
}

function cabinFragment(seed: number, day: BusDay, camera: SimulatedCamera, span: Span): Fragment {
  const { bus } = day;
  return {
    camera,
    ...span,
    scene: {
      kind: 'cabin',
      cabin: {
        busName: bus.name,
        camera: camera.name,
        zone: bus.zone,
        ...span,
        onBoard: onBoardAt(day, span.startMs),
        seed: hashOf(seed, bus.deviceId, camera.streamId, span.startMs),
      },
    },
  };
}

// Each minute of each camera has its own number, so that a repeated announcement of a recording has the same one.
function numberOf(day: BusDay, camera: SimulatedCamera, { startMs }: Span): number {
  const minute = Math.floor((startMs - day.startMs) / MINUTE_MS);
  return day.bus.cameras.indexOf(camera) * 2000 + minute;
}

/** The stream in which a day's recordings are announced; the day's own stream uses the numbers differently. */
export function recordedStreamOf(streamOfDay: string): string {
  // Changes a random digit of the day's stream.
  const last = Number.parseInt(streamOfDay.at(-1) ?? '0', 16) ^ 1;
  return streamOfDay.slice(0, -1) + last.toString(16);
}

/** The announcement of a recording before its upload. */
export function recordedAnnouncement({ fragment, index }: Recorded): SegmentRecord {
  return announcement(fragment, index, true);
}
