import { createCamera, MOST_DOOR, updateCamera } from '@ridewatch/contract/admin-cameras';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { channelOf } from '../../ingest/jt1078/channels.ts';
import { findBus, ownersOf } from './find-bus.ts';
import { byName, knownClients } from './known.ts';
import { checkBody } from './reading.ts';
import { byCell, changeOf, clientOf, createOnce, fieldsIn, type MakePlanner } from './row-plan.ts';
import { readStored, type StoredCamera } from './stored.ts';
import { CAMERA_KINDS, YES_NO } from './words.ts';

/** Cameras are found by their bus and stream. One camera counts a door; by default the first. */
export const planCameras: MakePlanner<'cameras'> = async (db, viewer, _, nowMs) => {
  const clients = await knownClients(db, viewer);
  const known = byName(await readStored.buses(db, viewer, nowMs));
  const stored = await readStored.cameras(db, viewer, nowMs);
  const own = byCell(stored, ({ bus, stream_id }, read) => `${bus.id} ${read(stream_id)}`);
  const counted = new Map<string, number>(
    stored.flatMap((one) => (one.counts ? [[`${one.bus.id} ${one.door}`, one.id] as const] : [])),
  );
  const channels = await knownChannels(db, viewer, nowMs, stored);
  const once = createOnce();
  return (reader) => {
    const client = clientOf(reader, clients, ownersOf(reader, known, 'bus'));
    const bus = findBus(reader, known, client);
    const stream_id = reader.text('stream_id');
    const present = bus && own.get(`${bus.id} ${stream_id}`);
    if (bus && stream_id !== '') once(reader, 'stream_id', `${bus.id} ${stream_id}`);
    if (bus && present === undefined && channels.note(bus.id, stream_id) === 'taken') {
      reader.refuse('stream_id', 'same_channel');
    }
    // A bus that is not known yet may have this camera.
    if (bus && present === undefined) reader.need(['name']);
    const door = reader.whole('door', 1, MOST_DOOR) ?? present?.door ?? null;
    const live = reader.choice('live', CAMERA_KINDS) ?? present?.live ?? false;
    if (live && door !== null) reader.refuse('door', 'service_door');
    const wanted = reader.choice('counts', YES_NO) ?? present?.counts;
    const key = door === null || bus === undefined ? null : `${bus.id} ${door}`;
    const counts = wanted ?? (key !== null && !counted.has(key));
    if (key !== null && counts) {
      const counting = counted.get(key);
      if (counting !== undefined && counting !== present?.id) reader.refuse('counts', 'counted');
      counted.set(key, present?.id ?? 0);
    }
    const enabled = reader.choice('enabled', YES_NO) ?? present?.enabled ?? true;
    const name = reader.text('name') || (present?.name ?? '');
    if (bus === undefined) {
      checkBody(reader, updateCamera.body, {
        ...(name !== '' && { name }),
        ...(stream_id !== '' && { stream_id }),
      });
      return undefined;
    }
    const fields = { name, stream_id, live, door, counts, enabled };
    if (present) {
      const { id, bus: __, client: ___, ...before } = present;
      const made = changeOf<object>(before, fields);
      // A stored value may be older than the rules.
      if (made) checkBody(reader, updateCamera.body, made);
      const change = made && ({ kind: 'cameras', id, body: made } as const);
      return { kind: 'cameras', stored: present, columns: fieldsIn(made), change };
    }
    const body = checkBody(reader, createCamera.body, { bus_id: bus.id, ...fields });
    if (body === undefined) return undefined;
    const { bus_id: __, ...checked } = body;
    const creation = { kind: 'cameras', bus, fields: { ...checked, counts } } as const;
    return { kind: 'cameras', creation };
  };
};

/** Notes the channels that the cameras of terminals name; buses with other units have none. */
async function knownChannels(
  db: Db,
  viewer: Viewer,
  nowMs: number,
  cameras: readonly StoredCamera[],
) {
  const units = await readStored.units(db, viewer, nowMs);
  const ofTerminals = new Set(
    units.flatMap(({ protocol, bus }) => (protocol === 'jt808' && bus ? bus.id : [])),
  );
  const taken = new Set<string>();
  const note = (busId: number, streamId: string): 'taken' | 'free' => {
    const channel = channelOf(streamId);
    if (channel === undefined || !ofTerminals.has(busId)) return 'free';
    const key = `${busId} ${channel}`;
    if (taken.has(key)) return 'taken';
    taken.add(key);
    return 'free';
  };
  for (const { bus, stream_id } of cameras) note(bus.id, stream_id);
  return { note };
}
