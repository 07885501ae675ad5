// Cancels a preload request. The unit gets a command to stop; received video stays, and so does what another request
// waits for. See docs/decisions/023-preloads.md.
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { moveFragment } from '../fragments/state.ts';
import { deleteLater } from '../storage/delete-later.ts';
import { cancelCommands, insertCommand } from './commands.ts';
import { endFtpLogin } from './ftp-logins.ts';
import { isRunning } from './preloads.ts';

/** Cancels a request. One that has ended stays as it is. */
export async function cancelPreload(
  db: Db,
  actor: Actor,
  preloadId: number,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { unit_id, command_ids } = await tx
      .selectFrom('preloads')
      .select(['unit_id', 'command_ids'])
      .where('id', '=', preloadId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!(await isRunning(tx, preloadId))) return;
    const now = new Date(nowMs);
    await tx
      .updateTable('preloads')
      .set({ cancelled_at: now })
      .where('id', '=', preloadId)
      .execute();
    const ranges = await cancelRanges(tx, command_ids, now);
    const stops = [...ranges, ...(await listCommandsOf(tx, preloadId))];
    if (stops.length > 0) {
      const command = { unitId: unit_id, kind: 'stop_fetch' as const, stops, preloadId };
      await insertCommand(tx, { ...command, createdMs: nowMs });
    }
    await insertAudit(tx, actor, {
      action: 'cancel_preload',
      objectType: 'preload',
      objectId: preloadId,
    });
  });
  await letGo(db, preloadId, nowMs);
}

// Cancels ranges for which no other request waits.
async function cancelRanges(tx: Tx, ids: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update unit_commands set finished_at = ${now}, result = 'cancelled'
    where id = any(${[...ids]}::bigint[]) and finished_at is null and not exists (
      select from preloads where unit_commands.id = any(command_ids) and cancelled_at is null
        and preloads.unit_id = unit_commands.unit_id)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function listCommandsOf(tx: Tx, preloadId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select unit_commands.id from unit_commands join segments on segments.id = segment_id
    where finished_at is null and ${isOnlyWantedBy(preloadId)}
    order by unit_commands.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** SQL: a fragment (`segments`) is on its way for this request only. */
function isOnlyWantedBy(preloadId: number): ReturnType<typeof sql> {
  return sql`exists (
      select from preload_segments where preload_id = ${preloadId}
        and segment_id = segments.id and percent < 100 and not also_wanted)
    and segments.status in ('ADDED', 'DOWNLOADING_FROM_TASK', 'LOADING')
    and not exists (
      select from uploads where segment_id = segments.id and uploads.finished_at is not null)
    and not exists (
      select from preload_segments join preloads on preloads.id = preload_id
      where segment_id = segments.id and preload_segments.ended_at is null
        and cancelled_at is null)`;
}

/**
 * Cancels the fragments of a cancelled request that nobody else waits for, each in its own transaction. Idempotent;
 * when the unit has executed the command, another call cancels what came meanwhile.
 */
export async function letGo(db: Db, preloadId: number, nowMs: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from segments
    where id in (select segment_id from preload_segments where preload_id = ${preloadId})
      and ${isOnlyWantedBy(preloadId)}
    order by id`.execute(db);
  for (const { id } of rows) {
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('segments').select('id').where('id', '=', id).forUpdate().execute();
      const still = await sql`
        select from segments where id = ${id} and ${isOnlyWantedBy(preloadId)}`.execute(tx);
      if (still.rows.length > 0) await cancelFragment(tx, id, nowMs);
    });
  }
  // Fragments that others wait for have ended for this request.
  await db
    .updateTable('preload_segments')
    .set({ ended_at: new Date(nowMs) })
    .where('preload_id', '=', preloadId)
    .where('ended_at', 'is', null)
    .execute();
}

async function cancelFragment(tx: Tx, fragmentId: number, atMs: number): Promise<void> {
  await cancelCommands(tx, [fragmentId], atMs);
  // Its registrar may be out of reach, and come back with it.
  await endFtpLogin(tx, fragmentId);
  const uploads = await tx
    .deleteFrom('uploads')
    .where('segment_id', '=', fragmentId)
    .returning('id')
    .execute();
  await deleteLater(
    tx,
    uploads.map(({ id }) => id),
  );
  const { status } = await tx
    .selectFrom('segments')
    .select('status')
    .where('id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  // The request as a whole asked for what the unit queued.
  if (status === 'ADDED') await moveFragment(tx, fragmentId, 'DOWNLOADING_FROM_TASK', { atMs });
  await moveFragment(tx, fragmentId, 'DOWNLOAD_FAIL', { atMs, failReason: 'cancelled' });
}

/** Most requests of one run. */
const MOST_HALF_CANCELLED = 1000;

/** Cancelled requests with fragments that were not cancelled: a crash, or a late announcement. */
export async function listHalfCancelled(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('preload_segments')
    .innerJoin('preloads', 'preloads.id', 'preload_id')
    .select('preload_id')
    .distinct()
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is not', null)
    .limit(MOST_HALF_CANCELLED)
    .execute();
  return rows.map(({ preload_id }) => preload_id);
}
