// The one place that decides what a user may see and change. A foreign object answers exactly like one that does not
// exist. Whoever writes or streams takes a Visible<T>.
import type { TimeMap } from '@ridewatch/contract/time-map';
import { type RawBuilder, sql } from 'kysely';
import type {
  BusRow,
  CameraRow,
  ClassifierRow,
  ClientRow,
  GroupRow,
  LapRow,
  MergeFile,
  SegmentFile,
  SegmentRow,
} from './access-rows.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';

declare const visible: unique symbol;

/** An object that the asking user may see. */
export type Visible<T> = T & { readonly [visible]: true };

declare const editable: unique symbol;

/** An object that the asking user may see and change. */
export type Editable<T> = Visible<T> & { readonly [editable]: true };

/** @throws AppError no_right for a user without the edit right */
export function asEditable<T>(viewer: Viewer, seen: Visible<T>): Editable<T> {
  if (!viewer.canEdit) throw new AppError('no_right', 'You may see this, but not change it.');
  return seen as Editable<T>;
}

/**
 * The rule as a condition, for lists and joins.
 * @param workplaceId column that holds the bus's id, for instance `sql.ref('workplaces.id')`
 */
export function isVisibleWorkplace(
  viewer: Viewer,
  workplaceId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`exists (
    select from workplace_clients as allowed
    where allowed.workplace_id = ${workplaceId}
      and allowed.client_id = any(${[...viewer.clientIds]}::bigint[]))`;
}

/** Whether a customer's own objects (groups, stops) are visible. */
export function isVisibleClient(viewer: Viewer, clientId: number): boolean {
  return viewer.clientIds === 'all' || viewer.clientIds.includes(clientId);
}

/** @throws AppError not_found, also for foreign buses */
export async function findBus(db: Db, viewer: Viewer, id: number): Promise<Visible<BusRow>> {
  const bus = await db
    .selectFrom('workplaces')
    .select(['id', 'name', 'type'])
    .where('id', '=', id)
    .where(isVisibleWorkplace(viewer, sql.ref('workplaces.id')))
    .executeTakeFirst();
  if (bus === undefined) throw notFound();
  return bus as Visible<BusRow>;
}

/** @throws AppError not_found, also for cameras of foreign buses */
export async function findCamera(db: Db, viewer: Viewer, id: number): Promise<Visible<CameraRow>> {
  const camera = await db
    .selectFrom('cameras')
    .select(['id', 'workplace_id as workplaceId', 'live'])
    .where('id', '=', id)
    .where(isVisibleWorkplace(viewer, sql.ref('cameras.workplace_id')))
    .executeTakeFirst();
  if (camera === undefined) throw notFound();
  return camera as Visible<CameraRow>;
}

/** @throws AppError not_found, also for fragments of foreign buses */
export async function findSegment(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Visible<SegmentRow>> {
  const segment = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select([
      'segments.id',
      'segments.camera_id as cameraId',
      'cameras.workplace_id as workplaceId',
      'segments.unit_id as unitId',
    ])
    .where('segments.id', '=', id)
    .where(isVisibleWorkplace(viewer, sql.ref('cameras.workplace_id')))
    .executeTakeFirst();
  if (segment === undefined) throw notFound();
  return segment as Visible<SegmentRow>;
}

/**
 * @param variant what the unit sent, what players get, or the small pictures
 * @throws AppError not_found, also for fragments of foreign buses
 */
export async function findSegmentFile(
  db: Db,
  viewer: Viewer,
  segmentId: number,
  variant: 'source' | 'playable' | 'preview',
): Promise<Visible<SegmentFile>> {
  const row = await db
    .selectFrom('segment_files')
    .innerJoin('segments', 'segments.id', 'segment_files.segment_id')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['storage_key', 'size_bytes', 'sha256', 'format', 'time_map', 'cameras.live'])
    .select([
      'segments.start_time',
      'segments.end_time',
      'segments.status',
      'cameras.id as cameraId',
    ])
    .where('segment_id', '=', segmentId)
    .where('variant', '=', variant)
    .where(isVisibleWorkplace(viewer, sql.ref('cameras.workplace_id')))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return {
    segmentId,
    cameraId: row.cameraId,
    storageKey: row.storage_key,
    sizeBytes: row.size_bytes,
    etag: `"${row.sha256.toString('hex')}"`,
    format: row.format,
    startTime: row.start_time,
    endTime: row.end_time,
    timeMap: row.time_map as TimeMap | null,
    status: row.status,
    live: row.live,
  } as Visible<SegmentFile>;
}

/** Whether a merge request is visible: its bus is, and it was made for a customer whom the viewer may see. */
export function isVisibleMerge(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`merge_requests.client_id = any(${[...viewer.clientIds]}::bigint[])
    and ${isVisibleWorkplace(viewer, sql.ref('cameras.workplace_id'))}`;
}

/** @throws AppError not_found, also for foreign ones */
export async function findMerge(db: Db, viewer: Viewer, id: number): Promise<Visible<MergeFile>> {
  const merge = await db
    .selectFrom('merge_requests')
    .innerJoin('cameras', 'cameras.id', 'merge_requests.camera_id')
    .select(['merge_requests.id', 'merge_requests.status', 'storage_key as storageKey'])
    .select(['size_bytes as sizeBytes', 'sha256', 'camera_id as cameraId'])
    .select(['from_time as fromTime', 'to_time as toTime'])
    .where('merge_requests.id', '=', id)
    .where(isVisibleMerge(viewer))
    .executeTakeFirst();
  if (merge === undefined) throw notFound();
  return merge as Visible<MergeFile>;
}

/** @throws AppError not_found, also for foreign customers */
export async function findClient(db: Db, viewer: Viewer, id: number): Promise<Visible<ClientRow>> {
  if (!isVisibleClient(viewer, id)) throw notFound();
  const client = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (client === undefined) throw notFound();
  return client as Visible<ClientRow>;
}

/** @throws AppError not_found when one of several customers is foreign or does not exist */
export async function findClients(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<ClientRow>[]> {
  const wanted = [...new Set(ids)];
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .execute();
  const seen = clients.filter(({ id }) => isVisibleClient(viewer, id));
  if (seen.length < wanted.length) throw notFound();
  return seen as Visible<ClientRow>[];
}

/** @throws AppError not_found, also for deleted groups and those of foreign customers */
export async function findGroup(db: Db, viewer: Viewer, id: number): Promise<Visible<GroupRow>> {
  const group = await db
    .selectFrom('route_groups')
    .select(['id', 'client_id as clientId', 'name'])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst();
  if (group === undefined || !isVisibleClient(viewer, group.clientId)) throw notFound();
  return group as Visible<GroupRow>;
}

/** @throws AppError not_found, also for laps of foreign buses */
export async function findLap(db: Db, viewer: Viewer, id: number): Promise<Visible<LapRow>> {
  const lap = await db
    .selectFrom('laps')
    .select([
      'id',
      'workplace_id as workplaceId',
      'day',
      'group_id as groupId',
      'start_time as startTime',
      'end_time as endTime',
    ])
    .where('id', '=', id)
    .where(isVisibleWorkplace(viewer, sql.ref('laps.workplace_id')))
    .executeTakeFirst();
  if (lap === undefined) throw notFound();
  return lap as Visible<LapRow>;
}

/** The route of a stop. @throws AppError not_found, also for stops of foreign or deleted routes */
export async function findGroupOfStop(
  db: Db,
  viewer: Viewer,
  stopId: number,
): Promise<Visible<GroupRow>> {
  const stop = await db
    .selectFrom('route_stops')
    .select('group_id')
    .where('id', '=', stopId)
    .executeTakeFirst();
  if (stop === undefined) throw notFound();
  return findGroup(db, viewer, stop.group_id);
}

/** A stop as a place. @throws AppError not_found, also for those of foreign customers */
export async function findClassifier(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Visible<ClassifierRow>> {
  const place = await db
    .selectFrom('stop_classifiers')
    .select(['id', 'client_id as clientId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (place === undefined || !isVisibleClient(viewer, place.clientId)) throw notFound();
  return place as Visible<ClassifierRow>;
}
