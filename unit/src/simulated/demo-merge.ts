// The demo's merged file, requested as an administrator requests it.
import { BusList, listBuses } from '@ridewatch/contract/buses';
import { listMergeRequests, MergeStatus, requestMerge } from '@ridewatch/contract/merges';
import * as z from 'zod/mini';
import type { Administrator } from '../fleet-set-up.ts';
import type { Timers } from '../uplink/timers.ts';
import { waitUntil, waitUntilCounted } from './demo-counted.ts';
import type { DemoPlan } from './demo-plan.ts';

const REFUSED = 'The demo has no merged file';

const Merges = z.object({ items: z.array(z.object({ id: z.int(), status: MergeStatus })) });
const Merge = z.object({ id: z.int() });

/**
 * Requests the merged file, once its fragments are counted, and waits for it. Does nothing if there is a merge already.
 * @throws SetUpError when the server refuses it
 */
export async function mergeOnce(
  administrator: Administrator,
  merged: NonNullable<DemoPlan['merged']>,
  context: { timers: Timers; signal: AbortSignal },
): Promise<void> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const listMerges = async () => Merges.parse(await get(listMergeRequests.path)).items;
  if ((await listMerges()).length > 0) return;
  const { items } = BusList.parse(await get(listBuses.path));
  const bus = items.find((one) => one.group_device_id === merged.bus.deviceId);
  const camera = bus?.cameras.find(({ name }) => name === merged.camera.name);
  if (bus === undefined || camera === undefined) return;
  const recordings = merged.fragments.map((fragment) => ({ bus: merged.bus, fragment }));
  await waitUntilCounted(administrator, recordings, context);
  const body = {
    deviceId: camera.id,
    from: new Date(merged.startMs).toISOString(),
    to: new Date(merged.endMs).toISOString(),
  };
  const { id } = Merge.parse(await administrator.call('POST', requestMerge.path, body, REFUSED));
  const find = async () => (await listMerges()).find((one) => one.id === id);
  await waitUntil(async () => (await find())?.status !== 'PROCESS', context);
}
