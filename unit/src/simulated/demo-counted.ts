// The demo is ready when its first clips are counted: until then they do not wait for review.
import { BusList, listBuses } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { FragmentStatus, isFinished } from '@ridewatch/contract/fragment-states';
import { listDayFragments } from '@ridewatch/contract/fragments';
import * as z from 'zod/mini';
import type { Administrator } from '../fleet-set-up.ts';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus } from './bus.ts';
import type { Fragment } from './day.ts';

const POLL_MS = 1000;
/** Longest wait, ms: the demo starts also when a clip cannot be counted. */
const LIMIT_MS = 60_000;
const REFUSED = 'The fragments of the demo could not be read';

const DayOfBus = z.object({
  segments: z.array(
    z.object({ cameraId: z.int(), start_time: z.string(), status: FragmentStatus }),
  ),
});

/** A fragment with the bus that recorded it. */
export interface Recording {
  readonly bus: SimulatedBus;
  readonly fragment: Fragment;
}

/**
 * Waits until `isDone`, 60 s at most.
 * @throws what `isDone` throws
 */
export async function waitUntil(
  isDone: () => Promise<boolean>,
  { timers, signal }: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  const endMs = timers.nowMs() + LIMIT_MS;
  while (!signal.aborted && timers.nowMs() < endMs && !(await isDone())) {
    await timers.sleep(POLL_MS, signal);
  }
}

/**
 * Waits until the server has counted fragments, 60 s at most.
 * @throws SetUpError when the server refuses to list them
 */
export async function waitUntilCounted(
  administrator: Administrator,
  recordings: readonly Recording[],
  context: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const { items } = BusList.parse(await get(listBuses.path));
  const days = new Map<string, Set<string>>();
  for (const { bus, fragment } of recordings) {
    const known = items.find((one) => one.group_device_id === bus.deviceId);
    const camera = known?.cameras.find(({ name }) => name === fragment.camera.name);
    if (known === undefined || camera === undefined) continue;
    const date = dayOf(fragment.startMs, bus.zone);
    const path = `${listDayFragments.path}?workplaceId=${known.id}&date=${date}`;
    const keys = days.get(path) ?? new Set();
    days.set(path, keys.add(`${camera.id} ${fragment.startMs}`));
  }
  const isCounted = async (path: string, keys: ReadonlySet<string>): Promise<boolean> => {
    const { segments } = DayOfBus.parse(await get(path));
    return segments
      .filter(({ cameraId, start_time }) => keys.has(`${cameraId} ${Date.parse(start_time)}`))
      .every(({ status }) => isFinished(status, false));
  };
  await waitUntil(async () => {
    for (const [path, keys] of days) {
      if (!(await isCounted(path, keys))) return false;
      days.delete(path);
    }
    return true;
  }, context);
}
