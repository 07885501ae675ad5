import { type BusStatus, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { Db } from '../core/db/db.ts';
import { cameraStateOf } from './camera-state.ts';

export interface BusCameras {
  /** Null when the bus has no unit. */
  readonly unitId: number | null;
  readonly type: 'VMS' | 'COUNTER';
  readonly lastSeenAt: Date | null;
  readonly cameras: (BusStatus['cameras'][number] & { readonly live: boolean })[];
}

/** The cameras of an existing bus with their states. */
export async function findBusCameras(db: Db, busId: number, nowMs: number): Promise<BusCameras> {
  const bus = await db
    .selectFrom('workplaces')
    .leftJoin('units', 'units.workplace_id', 'workplaces.id')
    .select(['units.id as unitId', 'workplaces.type', 'units.last_seen_at as lastSeenAt'])
    .where('workplaces.id', '=', busId)
    .executeTakeFirstOrThrow();
  const cameras = await db
    .selectFrom('cameras')
    .select(['id', 'live', 'enabled', 'status', 'status_at'])
    .where('workplace_id', '=', busId)
    .orderBy('id')
    .execute();
  const { lastSeenAt } = bus;
  const speaks = lastSeenAt !== null && nowMs - lastSeenAt.getTime() < SILENT_AFTER_MS;
  return {
    ...bus,
    cameras: cameras.map(({ id, live, status_at, ...camera }) => ({
      camera_id: id,
      live,
      ...cameraStateOf(camera, speaks),
      status_at: status_at?.toISOString() ?? null,
    })),
  };
}
