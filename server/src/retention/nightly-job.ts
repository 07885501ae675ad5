// Deletes what is past its retention, every night. Each step works in small transactions and is idempotent; a missed
// night is made up for by the next.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { MERGED_PREFIX } from '../merges/merge-list.ts';
import { REPORT_PREFIX } from '../reports/report-list.ts';
import { deleteLater } from '../storage/delete-later.ts';
import { deleteVideo, listOutdated } from './delete-video.ts';

/** Deletes videos, merged videos, reports and positions past their retention. */
export function retentionJob(deps: Deps): JobDefinition {
  const { config, clock } = deps;
  const { db } = deps.database;
  return {
    name: 'retention',
    // At night in Moscow.
    schedule: '17 1 * * *',
    run: async () => {
      const nowMs = clock.nowMs();
      const { video, files, positions } = config.keepDays;
      const done = {
        videos: await deleteOldVideo(db, nowMs, { videoDays: video, filesDays: files }),
        merges: await deleteMergedFiles(db, nowMs, files),
        reports: await deleteReports(db, nowMs, files),
        units: await deletePositions(db, nowMs, positions),
        batches: await deleteFeeds(db, nowMs),
      };
      await deleteOrphans(deps);
      deps.log.info(done, 'expired data was deleted');
    },
  };
}

async function deleteOldVideo(
  db: Db,
  nowMs: number,
  days: { videoDays: number; filesDays: number },
): Promise<number> {
  let count = 0;
  for (;;) {
    const old = await listOutdated(db, nowMs, days);
    const ids = old.map(({ id }) => id);
    const deleted = ids.length === 0 ? 0 : await deleteVideo(db, ids, 'age', nowMs);
    count += deleted;
    if (deleted === 0) return count;
  }
}

// The request and the SHA-256 stay, so that a file can still be identified.
async function deleteMergedFiles(db: Db, nowMs: number, filesDays: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: string }>`
      with over as (
        select id, storage_key from merge_requests left join client_retention using (client_id)
        where storage_key is not null and completed_at
          < ${new Date(nowMs)}::timestamptz - make_interval(days => coalesce(files_days, ${filesDays}::int))
        for update of merge_requests)
      update merge_requests set storage_key = null, deleted_at = ${new Date(nowMs)}
      from over where over.id = merge_requests.id returning over.storage_key as key`.execute(tx);
    await deleteLater(
      tx,
      rows.map(({ key }) => key),
    );
    return rows.length;
  });
}

// Failed and cancelled ones, too.
async function deleteReports(db: Db, nowMs: number, filesDays: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: string | null }>`
      delete from reports using users left join client_retention using (client_id)
      where users.id = reports.user_id and reports.status <> 'PROCESS' and completed_at
        < ${new Date(nowMs)}::timestamptz - make_interval(days => coalesce(files_days, ${filesDays}::int))
      returning storage_key as key`.execute(tx);
    await deleteLater(
      tx,
      rows.flatMap(({ key }) => (key === null ? [] : [key])),
    );
    return rows.length;
  });
}

// One unit at a time. The laps of such days stay as they are: their inputs are gone.
async function deletePositions(db: Db, nowMs: number, positionsDays: number): Promise<number> {
  const { rows } = await sql<{ id: number; before: Date }>`
    select units.id, ${new Date(nowMs)}::timestamptz - make_interval(days =>
      coalesce(max(coalesce(positions_days, ${positionsDays}::int)), ${positionsDays}::int)) as before
    from units
    left join unit_assignments on unit_id = units.id
    -- Also of former customers, to whom earlier days of the bus belong, and of buses in which the unit sat before.
    left join bus_owners on bus_owners.workplace_id = unit_assignments.workplace_id
    left join client_retention on client_retention.client_id = bus_owners.client_id
    group by units.id order by units.id`.execute(db);
  let count = 0;
  for (const { id, before } of rows) {
    count += await db.transaction().execute(async (tx) => {
      // A process may have read these blocks and be about to write them whole: another count of batches stops it.
      const { numAffectedRows } = await sql`update units
        set positions_from = greatest(positions_from, ${before}), batches = batches + 1
        where id = ${id}
          and exists (select from position_blocks where unit_id = ${id} and last_time < ${before})`.execute(
        tx,
      );
      if (numAffectedRows === 0n) return 0;
      const { numDeletedRows } = await tx
        .deleteFrom('position_blocks')
        .where('unit_id', '=', id)
        .where('last_time', '<', before)
        .executeTakeFirst();
      return numDeletedRows > 0n ? 1 : 0;
    });
  }
  return count;
}

/** How long batches of units that somebody listened to are kept, ms. */
const FEED_MS = 7 * 86_400_000;

async function deleteFeeds(db: Db, nowMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('unit_feed')
    .where('received_at', '<', new Date(nowMs - FEED_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

// A killed process leaves a file without a row, and so does a user who cancels when the file is complete.
async function deleteOrphans({ database: { db }, storage }: Deps): Promise<void> {
  const { rows: merges } = await sql<{ id: number }>`
    select id from merge_requests where storage_key is not null or status = 'PROCESS'`.execute(db);
  const { rows: reports } = await sql<{ key: string }>`
    select ${REPORT_PREFIX}::text || id || '.' || format as key from reports
    where storage_key is not null or status = 'PROCESS'`.execute(db);
  const known = new Set([
    ...merges.map(({ id }) => `${MERGED_PREFIX}${id}`),
    ...reports.map(({ key }) => key),
  ]);
  for (const prefix of [MERGED_PREFIX, REPORT_PREFIX]) {
    for await (const { key } of storage.list(prefix)) {
      if (!known.has(key)) await storage.delete(key);
    }
  }
}
