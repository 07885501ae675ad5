import { type BusStatus, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { DayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { cameraStateOf } from './camera-state.ts';

export interface BusCameras {
  /** The unit that is asked; null when the bus has none. */
  readonly unitId: number | null;
  readonly type: 'VMS' | 'COUNTER';
  readonly lastSeenAt: Date | null;
  /** The name that installers give the unit. */
  readonly deviceName: string | null;
  /** The registrar announces nothing by itself: the server has to ask what it has recorded. */
  readonly isAsked: boolean;
  /** Nothing was heard of the unit for SILENT_AFTER_MS. */
  readonly isSilent: boolean;
  readonly cameras: (BusStatus['cameras'][number] & { readonly live: boolean })[];
}

/**
 * The cameras of an existing bus with their states.
 * @param askedUnitId the present unit unless given. One that sat in the bus before has its recordings still: it is asked
 *   while it is heard, whatever the present unit says of the cameras
 */
export async function findBusCameras(
  db: Db,
  busId: number,
  nowMs: number,
  askedUnitId?: number,
): Promise<BusCameras> {
  const { isPresent, ...bus } = await db
    .selectFrom('workplaces')
    .leftJoin('units', (join) =>
      askedUnitId === undefined
        ? join.onRef('units.workplace_id', '=', 'workplaces.id')
        : join.on('units.id', '=', askedUnitId),
    )
    .select(['units.id as unitId', 'workplaces.type', 'units.last_seen_at as lastSeenAt'])
    .select('units.device_id as deviceName')
    .select(sql<boolean>`coalesce(units.workplace_id = workplaces.id, false)`.as('isPresent'))
    .select(sql<boolean>`coalesce(units.protocol = 'jt808', false)`.as('isAsked'))
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
    isSilent: !speaks,
    cameras: cameras.map(({ id, live, status_at, ...camera }) => ({
      camera_id: id,
      live,
      ...cameraStateOf(isPresent ? camera : { ...camera, status: 'online' }, speaks),
      status_at: status_at?.toISOString() ?? null,
    })),
  };
}

/** A period in which a unit sat in a bus, ms since 1970 UTC; the end is excluded. */
export interface Assignment extends DayRange {
  readonly unitId: number;
}

/** Most assignments of an hour, the latest: a unit goes back and forth by mistake only. */
const MOST_ASSIGNMENTS = 10;

/** The units that sat in a bus during a period, in order of time, each with its part of the period. */
export async function listAssignmentsDuring(
  db: Db,
  busId: number,
  { startMs, endMs }: DayRange,
): Promise<Assignment[]> {
  const { rows } = await sql<{ unitId: number; from: Date | number; until: Date | number }>`
    select unit_id as "unitId", from_at as "from", until_at as until from unit_assignments
    where workplace_id = ${busId} and from_at < ${new Date(endMs)} and until_at > ${new Date(startMs)}
    order by from_at desc limit ${MOST_ASSIGNMENTS}`.execute(db);
  return rows.reverse().map(({ unitId, from, until }) => ({
    unitId,
    startMs: Math.max(startMs, Number(from)),
    endMs: Math.min(endMs, Number(until)),
  }));
}
