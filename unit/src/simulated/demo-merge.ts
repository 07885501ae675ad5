// The demo's merged file, requested as an administrator requests it.
import { BusList, listBuses } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { FragmentStatus, isFinished } from '@ridewatch/contract/fragment-states';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { listMergeRequests, MergeStatus, requestMerge } from '@ridewatch/contract/merges';
import * as z from 'zod/mini';
import type { Administrator } from '../fleet-set-up.ts';
import type { Timers } from '../uplink/timers.ts';
import type { DemoPlan } from './demo-plan.ts';

const POLL_MS = 1000;
/** Longest wait for the fragments, and for the file, ms. */
const LIMIT_MS = 60_000;
const REFUSED = 'The demo has no merged file';

const Merges = z.object({ items: z.array(z.object({ id: z.int(), status: MergeStatus })) });
const Merge = z.object({ id: z.int() });
const DayOfBus = z.object({
  segments: z.array(
    z.object({ cameraId: z.int(), start_time: z.string(), status: FragmentStatus }),
  ),
});

/**
 * Requests the merged file, once its fragments are counted, and waits for it. Does nothing if there is a merge already.
 * @throws SetUpError when the server refuses it
 */
export async function mergeOnce(
  administrator: Administrator,
  merged: NonNullable<DemoPlan['merged']>,
  { timers, signal }: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const listMerges = async () => Merges.parse(await get(listMergeRequests.path)).items;
  const until = async (isDone: () => Promise<boolean>): Promise<void> => {
    const endMs = timers.nowMs() + LIMIT_MS;
    while (!signal.aborted && timers.nowMs() < endMs && !(await isDone())) {
      await timers.sleep(POLL_MS, signal);
    }
  };
  if ((await listMerges()).length > 0) return;
  const { items } = BusList.parse(await get(listBuses.path));
  const bus = items.find((one) => one.group_device_id === merged.bus.deviceId);
  const camera = bus?.cameras.find(({ name }) => name === merged.camera.name);
  if (bus === undefined || camera === undefined) return;
  const date = dayOf(merged.startMs, merged.bus.zone);
  await until(async () => {
    const address = `${listDayFragments.path}?workplaceId=${bus.id}&date=${date}`;
    const { segments } = DayOfBus.parse(await get(address));
    return segments
      .filter(({ cameraId, start_time }) => {
        const startMs = Date.parse(start_time);
        return cameraId === camera.id && startMs >= merged.startMs && startMs < merged.endMs;
      })
      .every(({ status }) => isFinished(status, false));
  });
  const body = {
    deviceId: camera.id,
    from: new Date(merged.startMs).toISOString(),
    to: new Date(merged.endMs).toISOString(),
  };
  const { id } = Merge.parse(await administrator.call('POST', requestMerge.path, body, REFUSED));
  await until(async () => (await listMerges()).find((one) => one.id === id)?.status !== 'PROCESS');
}
