import type * as contract from '@ridewatch/contract/admin-cameras';
import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import type { Administered } from '../access/administration.ts';
import type { BusRow } from '../access/bus.ts';
import { type CameraRow, findCamera } from '../access/camera.ts';
import { isBusOfClient } from '../access/client.ts';
import { isVisibleBus } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, hasErrorCode, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { bumpAllDays, createDayFinder, listZoneSpans, lockBatches } from '../days/bus-days.ts';
import { channelOf } from '../ingest/jt1078/channels.ts';
import { refuseSharedChannels } from './camera-channels.ts';
import { type Changed, changeObject } from './change.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type Camera = contract.AdminCamera;
type Row = Omit<Camera, 'status_at' | 'channel'> & { readonly status_at: Date | null };

const columns = {
  name: sql`name collate natural_ru`,
  bus: sql`bus ->> 'name' collate natural_ru`,
  stream_id: sql`stream_id collate natural_ru`,
  door: sql`door`,
  status: sql`status`,
} as const;

// A bus has one unit at most.
const isUnitSilent = (nowMs: number) => sql`
  (select coalesce(last_seen_at <= ${new Date(nowMs - SILENT_AFTER_MS)}, true) from units
    where units.workplace_id = cameras.workplace_id)`;

const cameraRows = (nowMs: number, where: RawBuilder<boolean>) => sql`
  select cameras.id, cameras.name, stream_id, live, door, counts, enabled, status, status_at,
    ${isUnitSilent(nowMs)} as unit_silent,
    (select protocol from units where units.workplace_id = cameras.workplace_id) as unit_protocol,
    jsonb_build_object('id', workplaces.id, 'name', workplaces.name) as bus
  from cameras join workplaces on workplaces.id = cameras.workplace_id
  where ${where}`;

function isInState(
  status: QueryOf<typeof contract.listCameras>['status'],
  nowMs: number,
): RawBuilder<boolean> {
  if (status === undefined) return sql<boolean>`true`;
  if (status === 'disabled') return sql<boolean>`not enabled`;
  const isUnknown = sql<boolean>`coalesce(${isUnitSilent(nowMs)}, true)`;
  return status === 'unknown'
    ? sql<boolean>`enabled and ${isUnknown}`
    : sql<boolean>`enabled and not ${isUnknown} and coalesce(status, 'offline') = ${status}`;
}

/**
 * One page of the cameras of visible buses, by bus unless asked otherwise.
 * @param nowMs ms since 1970 UTC
 */
export async function listCameras(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listCameras>,
  nowMs: number,
): Promise<Page<Camera>> {
  const ofClient = isBusOfClient(sql.ref('workplaces.id'), query.clientId, nowMs);
  const live = query.kind === undefined ? undefined : query.kind === 'service';
  const where = sql<boolean>`${isVisibleBus(viewer, sql.ref('workplaces.id'))} and ${ofClient}
    and ${equals(sql`workplaces.id`, query.busId)} and ${equals(sql`live`, live)}
    and ${isInState(query.status, nowMs)}
    and ${contains(query.search, sql`cameras.name`, sql`workplaces.name`, sql`stream_id`)}`;
  const by = columns[query.sortBy ?? 'bus'];
  const page = await readPage<Row>(db, cameraRows(nowMs, where), query, { by });
  return { ...page, items: page.items.map(withChannel) };
}

const withChannel = (row: Omit<Camera, 'channel'>): Camera => ({
  ...row,
  channel: channelOf(row.stream_id) ?? null,
});

/** A camera as in answers. @param nowMs ms since 1970 UTC */
export async function readCamera(
  db: Db,
  { id }: { readonly id: number },
  nowMs: number,
): Promise<Camera> {
  const { rows } = await cameraRows(nowMs, sql`cameras.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return withChannel(wireOf(row));
}

/** Adds a camera to a bus. @throws AppError conflict, invalid_request */
export async function createCamera(
  tx: Tx,
  actor: Actor,
  bus: Administered<BusRow>,
  { bus_id: _, ...fields }: BodyOf<typeof contract.createCamera>,
): Promise<Camera> {
  const live = fields.live ?? false;
  const camera = { ...fields, live, door: fields.door ?? null };
  const counts =
    fields.counts ?? (camera.door !== null && !(await isCounted(tx, bus.id, camera.door)));
  checkDoor(camera);
  const [id = 0] = await insertCameras(tx, actor, [{ bus, fields: { ...camera, counts } }]);
  await announceBusChange(tx);
  return readCamera(tx, { id }, actor.atMs);
}

/** A camera to insert. */
export interface NewCamera {
  readonly bus: Named;
  readonly fields: Omit<BodyOf<typeof contract.createCamera>, 'bus_id'> & {
    readonly counts: boolean;
  };
}

/**
 * Inserts cameras with their audit rows.
 * @param cameras at least one, some hundred at most
 * @returns their ids, in the same order
 * @throws AppError conflict
 */
export async function insertCameras(
  tx: Tx,
  actor: Actor,
  cameras: readonly NewCamera[],
): Promise<number[]> {
  const made = await refuseTakenKey(() =>
    tx
      .insertInto('cameras')
      .values(cameras.map(({ bus, fields }) => ({ ...fields, workplace_id: bus.id })))
      .returning(['id', 'workplace_id', 'stream_id'])
      .execute(),
  );
  const idOf = new Map(made.map((one) => [`${one.workplace_id} ${one.stream_id}`, one.id]));
  const ids = cameras.map(({ bus, fields }) => idOf.get(`${bus.id} ${fields.stream_id}`) ?? 0);
  const buses = [...new Set(cameras.map(({ bus }) => bus.id))];
  await refuseSharedChannels(tx, buses, 'stream_id', ids);
  await insertAudits(
    tx,
    actor,
    cameras.map(({ bus: { id, name }, fields }, at) => ({
      ...{ action: 'create_camera', objectType: 'camera', objectId: ids[at] ?? 0 },
      after: { bus: { id, name }, ...fields },
    })),
  );
  return ids;
}

/** Changes a camera. @throws AppError conflict, invalid_request, not_found */
export async function changeCamera(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  { id, busId }: Administered<CameraRow>,
  body: BodyOf<typeof contract.updateCamera>,
): Promise<Changed<Camera>> {
  const { seen: _, ...wanted } = body;
  // Batches lock their unit's row first; the hours of days may change below.
  await lockBatches(tx, busId);
  // The bus may have gone to foreign hands before the lock.
  await findCamera(tx, viewer, id);
  return changeObject<Camera>(tx, actor, {
    ...{ table: 'cameras', id, body, action: 'set_camera', wanted },
    read: (db) => readCamera(db, { id }, actor.atMs),
    write: async (__, { bus: ___, ...changed }, before) => {
      checkDoor({ ...before, ...changed });
      await refuseTakenKey(() =>
        tx.updateTable('cameras').set(changed).where('id', '=', id).execute(),
      );
      if ('stream_id' in changed) await refuseSharedChannels(tx, [busId], 'stream_id', [id]);
      await announceBusChange(tx);
      // The door decides which fragment an event belongs to: on all days, as the camera never looked elsewhere.
      if ('door' in changed || 'counts' in changed || 'live' in changed) {
        const days = await listDaysOf(tx, id, busId);
        await rebuildHours(tx, busId, days);
      }
      await bumpAllDays(tx, [busId]);
    },
  });
}

function checkDoor({ live, door }: Pick<Camera, 'live' | 'door'>): void {
  if (!live || door === null) return;
  throw new AppError('invalid_request', 'A service camera has no door.', { field: 'door' });
}

async function isCounted(tx: Tx, busId: number, door: number): Promise<boolean> {
  const counting = await tx
    .selectFrom('cameras')
    .select('id')
    .where('workplace_id', '=', busId)
    .where('door', '=', door)
    .where('counts', '=', true)
    .executeTakeFirst();
  return counting !== undefined;
}

// Only manual counts put people of one fragment in the place of others.
async function listDaysOf(tx: Tx, cameraId: number, busId: number): Promise<string[]> {
  const { rows } = await sql<{ start_time: Date }>`
    select start_time from manual_counts join segments on segments.id = segment_id
    where camera_id = ${cameraId}`.execute(tx);
  const localDay = createDayFinder(await listZoneSpans(tx, busId));
  return rows.map(({ start_time }) => localDay(start_time.getTime()).day);
}

async function refuseTakenKey<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!hasErrorCode(error, '23505')) throw error;
    const isDoor =
      error instanceof Error &&
      'constraint' in error &&
      error.constraint === 'cameras_counting_door';
    throw isDoor
      ? new AppError('conflict', 'Another camera counts at this door.', { field: 'counts' })
      : new AppError('conflict', 'Another camera of the bus has this id.', { field: 'stream_id' });
  }
}
