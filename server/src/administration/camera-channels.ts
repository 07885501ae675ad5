// A terminal of JT/T 808 knows its cameras by channels, which the keys of the cameras name: two cameras with one channel
// would be one camera twice.
import type { ChannelRefusal } from '@ridewatch/contract/channel-refusal';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { channelOf } from '../ingest/jt1078/channels.ts';

interface KeyedCamera {
  readonly name: string;
  readonly stream_id: string;
}

/** Finds the first two cameras of a bus that name one channel, in the order in which they are given. */
export function findSharedChannel<Camera extends KeyedCamera>(
  cameras: readonly Camera[],
): readonly [Camera, Camera] | undefined {
  const known = new Map<number, Camera>();
  for (const camera of cameras) {
    const channel = channelOf(camera.stream_id);
    if (channel === undefined) continue;
    const other = known.get(channel);
    if (other !== undefined) return [other, camera];
    known.set(channel, camera);
  }
  return undefined;
}

/**
 * Refuses that cameras of one bus name the same channel of a terminal of JT/T 808; buses with other units have no
 * channels. Cameras that are out of use count, too: somebody may use them again.
 * @param busIds of locked buses, or of buses whose units are locked
 * @param field at which the refusal stands
 * @param added the cameras that come or get another key; undefined: any two are refused
 * @throws AppError conflict
 */
export async function refuseSharedChannels(
  tx: Tx,
  busIds: readonly number[],
  field: string,
  added?: readonly number[],
): Promise<void> {
  const rows = await tx
    .selectFrom('cameras')
    .innerJoin('units', 'units.workplace_id', 'cameras.workplace_id')
    .select(['cameras.id', 'cameras.workplace_id', 'cameras.name', 'cameras.stream_id'])
    .where('cameras.workplace_id', 'in', [...busIds])
    .where('units.protocol', '=', 'jt808')
    .orderBy('cameras.id')
    .execute();
  const isAdded = ({ id }: { readonly id: number }): boolean => added?.includes(id) ?? true;
  const byBus = Map.groupBy(rows, ({ workplace_id }) => workplace_id);
  for (const own of byBus.values()) {
    // Of cameras that are there already, one a channel is enough to meet the added ones.
    const there = onePerChannel(own.filter((camera) => !isAdded(camera)));
    const shared = findSharedChannel([...there, ...own.filter(isAdded)]);
    if (shared !== undefined) throw refusal(shared, field);
  }
}

function onePerChannel<Camera extends KeyedCamera>(cameras: readonly Camera[]): Camera[] {
  const channels = new Set<number | undefined>();
  return cameras.filter(({ stream_id }) => {
    const channel = channelOf(stream_id);
    if (channels.has(channel)) return false;
    channels.add(channel);
    return true;
  });
}

function refusal(shared: readonly KeyedCamera[], field: string): AppError {
  const cameras = shared.map(({ name, stream_id }) => ({ name, stream_id }));
  const named = cameras.map(({ name, stream_id }) => `"${name}" (${stream_id})`).join(' and ');
  const current: ChannelRefusal = { cause: 'same_channel', cameras };
  const message = `The cameras ${named} of this bus name the same channel of its terminal.`;
  return new AppError('conflict', message, { field, current });
}
