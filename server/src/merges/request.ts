import { dayOf, dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { findKnownCamera } from '../access/camera.ts';
import { areOwnDays } from '../access/own-days.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { findSettingsAt } from '../days/bus-settings.ts';
import { listMergedFragments } from './fragments.ts';
import { checkOpenMerges, nudgeMerge } from './order.ts';

/** Limits are to the second. */
const SECOND_MS = 1000;

export interface Wanted {
  readonly cameraId: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly processed: boolean;
}

/**
 * Requests a merge, or joins an equal one that runs.
 * @returns its id
 * @throws AppError not_found; invalid_request for a period beyond the day's fragments; conflict when none of them has
 *   video; too_many_attempts when too many requests of the customer are not finished
 */
export async function insertMerge(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  wanted: Wanted,
  nowMs: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const camera = await findKnownCamera(tx, viewer, wanted.cameraId);
    const day = await checkPeriod(tx, viewer, camera, wanted);
    // Equal concurrent requests take turns, so that the later ones find the first.
    await tx
      .selectFrom('cameras')
      .select('id')
      .where('id', '=', camera.id)
      .forNoKeyUpdate()
      .execute();
    const from = new Date(wanted.fromMs);
    const to = new Date(wanted.toMs);
    const fragments = await listMergedFragments(tx, { cameraId: camera.id, from, to });
    if (fragments.length === 0) {
      throw new AppError('conflict', 'No fragment of this period has video on the server.');
    }
    const clientId = viewer.clientId ?? (await firstClientOf(tx, camera.busId, day));
    const running = await tx
      .selectFrom('merge_requests')
      .select('id')
      .where('camera_id', '=', camera.id)
      .where('client_id', clientId === null ? 'is' : '=', clientId)
      .where('from_time', '=', from)
      .where('to_time', '=', to)
      .where('processed', '=', wanted.processed)
      .where('status', '=', 'PROCESS')
      .executeTakeFirst();
    if (running !== undefined) return running.id;
    await checkOpenMerges(tx, clientId);
    const { id } = await tx
      .insertInto('merge_requests')
      .values({
        camera_id: camera.id,
        client_id: clientId,
        user_id: viewer.userId,
        from_time: from,
        to_time: to,
        processed: wanted.processed,
        created_at: new Date(nowMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertAudit(tx, actor, {
      action: 'request_merge',
      objectType: 'merge_request',
      objectId: id,
      after: { cameraId: camera.id, from: from.toISOString(), to: to.toISOString() },
    });
    await nudgeMerge(tx, id);
    return id;
  });
}

// From the first start to the last end of the camera's fragments that start in the day. Returns the day.
async function checkPeriod(
  tx: Tx,
  viewer: Viewer,
  camera: { id: number; busId: number },
  { fromMs, toMs }: Wanted,
): Promise<string> {
  if (toMs <= fromMs) throw new AppError('invalid_request', 'is not after from', { field: 'to' });
  const { timezone } = await findSettingsAt(tx, camera.busId, fromMs);
  const day = dayOf(fromMs, timezone);
  const { startMs, endMs } = dayRange(day, timezone);
  const isOwn = await areOwnDays(tx, viewer, { busId: camera.busId, from: day, to: day });
  const limits = await tx
    .selectFrom('segments')
    .select((eb) => [eb.fn.min('start_time').as('first'), eb.fn.max('end_time').as('last')])
    .where('camera_id', '=', camera.id)
    .where('start_time', '>=', new Date(startMs))
    .where('start_time', '<', new Date(endMs))
    .where(sql<boolean>`${isOwn}`)
    .executeTakeFirst();
  const first = limits?.first?.getTime() ?? Number.POSITIVE_INFINITY;
  const last = limits?.last?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (fromMs <= first - SECOND_MS) {
    throw new AppError('invalid_request', "is before the day's first fragment", { field: 'from' });
  }
  if (toMs >= last + SECOND_MS) {
    throw new AppError('invalid_request', "is after the day's last fragment", { field: 'to' });
  }
  return day;
}

async function firstClientOf(tx: Tx, busId: number, day: string): Promise<number | null> {
  const row = await tx
    .selectFrom('bus_owners')
    .select('client_id')
    .where('workplace_id', '=', busId)
    .where(sql<boolean>`${day}::date between from_day and to_day`)
    .orderBy('client_id')
    .executeTakeFirst();
  return row?.client_id ?? null;
}
