// Chooses the clips that the demo makes. Before it is ready: the busiest hour of one bus on its latest day, fragments
// that wait for review, and clips in which two people cross at once. After that, slowly: the whole of that day, and the
// busiest hours of two other buses. From then on only the shown bus uploads what it records.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { ATTENTION_THRESHOLD } from '@ridewatch/contract/fragment-states';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { type Fragment, mostInView, type Span } from './day.ts';
import type { Days } from './days.ts';

const HOUR_MS = 3_600_000;
/** Least fragments of the shown bus on a day, so that there is enough to see. */
const DAY_LEAST = 300;
const OTHERS = 2;
/** More than twenty, so that twenty are left when a user has reviewed some. */
const WAITING = 24;
const PAIRS = 4;
/** Two people cross at once if no more time is between them, ms. */
const PAIR_MS = 250;

export interface DemoPlan {
  /** Whether the unit uploads a fragment without a request. */
  isQueued(bus: SimulatedBus, fragment: Fragment): boolean;
  /** Whether the clip of a queued fragment is made before the demo is ready. */
  isFirst(bus: SimulatedBus, fragment: Fragment): boolean;
  /** The number of clips that are made after that, without those of the present. */
  readonly laterCount: number;
  /** The fragments that become a merged file; undefined for a fleet without door cameras. */
  readonly merged:
    | (Span & { bus: SimulatedBus; camera: SimulatedCamera; fragments: readonly Fragment[] })
    | undefined;
}

/** A bus with what its door cameras recorded on its latest day. */
interface Recorded {
  readonly bus: SimulatedBus;
  readonly fragments: readonly Fragment[];
}

/**
 * Chooses the clips of the demo.
 * @param nowMs the same moment gives the same choice
 * @param historyDays whole local days before today that the units report
 */
export function planDemo(
  buses: readonly SimulatedBus[],
  days: Days,
  nowMs: number,
  historyDays: number,
): DemoPlan {
  // A registrar of another protocol announces nothing, so nothing of it can be uploaded unasked.
  const working = buses.filter(({ breaksDown, protocol }) => !breaksDown && !protocol);
  const on = (bus: SimulatedBus, daysAgo: number) => recordedOn(bus, days, { daysAgo, nowMs });
  const latest = working.map((bus) => [on(bus, 0), on(bus, 1)].find(isAny) ?? on(bus, 1));
  const shown = chooseShown(latest, nowMs);
  if (shown === undefined) {
    return { isQueued: () => false, isFirst: () => false, laterCount: 0, merged: undefined };
  }
  const hour = busiestHour(shown);
  // Each customer has its own line, so each sees some video.
  const lines = [...new Set(working.map(({ line }) => line))];
  const others = lines
    .filter((line) => line !== shown.bus.line)
    .flatMap((line) => {
      const ofLine = working.filter((bus) => bus.line === line);
      const hours = ofLine.flatMap((bus) => [on(bus, 0), on(bus, 1)].find(hasHour(nowMs)) ?? []);
      return hours.slice(0, 1).map(busiestHour);
    })
    .slice(0, OTHERS);
  const later = [shown, ...others];
  const first = new Set(keysOf(hour));
  addUntil(first, [hour, ...others, shown, ...latest], PAIRS, hasPair);
  // A Sunday has few of them, a week has hundreds.
  const week = Array.from({ length: historyDays + 1 }, (_, daysAgo) => daysAgo);
  const all = week.flatMap((daysAgo) => working.map((bus) => () => on(bus, daysAgo)));
  addUntil(first, [hour, ...others, ...all], WAITING, needsReview);
  const queued = new Set([...first, ...later.flatMap(keysOf)]);
  return {
    isQueued: (bus, fragment) =>
      queued.has(keyOfFragment(bus, fragment)) || (bus === shown.bus && fragment.endMs > nowMs),
    isFirst: (bus, fragment) => first.has(keyOfFragment(bus, fragment)),
    laterCount: queued.size - first.size,
    merged: mergedOf(hour),
  };
}

// Lists the recordings of the door cameras of a bus on a day.
function recordedOn(
  bus: SimulatedBus,
  days: Days,
  { daysAgo, nowMs }: { daysAgo: number; nowMs: number },
): Recorded {
  const { fragments } = days.find(bus, addDays(dayOf(nowMs, bus.zone), -daysAgo));
  const isDone = ({ scene, endMs }: Fragment): boolean => scene.kind === 'door' && endMs <= nowMs;
  return { bus, fragments: fragments.filter(isDone) };
}

function isAny({ fragments }: Recorded): boolean {
  return fragments.length > 0;
}

// Whether an hour has passed since the first recording.
function hasHour(nowMs: number): (recorded: Recorded) => boolean {
  return ({ fragments: [first] }) => first !== undefined && first.startMs <= nowMs - HOUR_MS;
}

// Takes the bus of a route that has the fewest recordings, but enough: clips take time.
function chooseShown(latest: readonly Recorded[], nowMs: number): Recorded | undefined {
  const byCount = latest
    .filter(isAny)
    .filter(({ bus }) => bus.group !== null)
    .toSorted((a, b) => a.fragments.length - b.fragments.length);
  const withHour = byCount.filter(hasHour(nowMs));
  const enough = withHour.find(({ fragments }) => fragments.length >= DAY_LEAST);
  return enough ?? withHour.at(-1) ?? byCount.at(-1);
}

function busiestHour({ bus, fragments }: Recorded): Recorded {
  const hourOf = ({ startMs }: Fragment): number => Math.floor(startMs / HOUR_MS);
  const hours = [...Map.groupBy(fragments, hourOf).values()];
  const busiest = hours.toSorted((a, b) => b.length - a.length)[0];
  return { bus, fragments: busiest ?? [] };
}

// Adds fragments, in the order of the sources, until `count` of them are as wanted.
function addUntil(
  keys: Set<string>,
  sources: readonly (Recorded | (() => Recorded))[],
  count: number,
  isWanted: (fragment: Fragment) => boolean,
): void {
  const found = new Set<string>();
  for (const source of sources) {
    const { bus, fragments } = typeof source === 'function' ? source() : source;
    for (const fragment of fragments) {
      if (found.size >= count) return;
      if (!isWanted(fragment)) continue;
      found.add(keyOfFragment(bus, fragment));
      keys.add(keyOfFragment(bus, fragment));
    }
  }
}

function needsReview(fragment: Fragment): boolean {
  return mostInView(fragment) > ATTENTION_THRESHOLD;
}

function hasPair({ scene }: Fragment): boolean {
  if (scene.kind !== 'door') return false;
  const { crossings } = scene.door;
  return crossings.some(({ atMs }, index) => {
    const before = crossings[index - 1];
    return before !== undefined && atMs - before.atMs <= PAIR_MS;
  });
}

// The fragments of the camera that has most of them.
function mergedOf({ bus, fragments }: Recorded): DemoPlan['merged'] {
  const cameras = [...Map.groupBy(fragments, ({ camera }) => camera)];
  const [most] = cameras.toSorted(([, a], [, b]) => b.length - a.length);
  const [camera, own = []] = most ?? [];
  const [from, to] = [own[0], own.at(-1)];
  if (camera === undefined || from === undefined || to === undefined) return undefined;
  return { bus, camera, fragments: own, startMs: from.startMs, endMs: to.endMs };
}

function keysOf({ bus, fragments }: Recorded): string[] {
  return fragments.map((fragment) => keyOfFragment(bus, fragment));
}

function keyOfFragment(bus: SimulatedBus, { camera, startMs }: Fragment): string {
  return `${bus.deviceId} ${camera.streamId} ${startMs}`;
}
