// Every minute: a full disk loses its oldest video before it can lose anything else. Files are deleted some time after
// their rows, so the disk needs time to show a deletion.
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type Disk, type DiskRoom, fillOf } from '../core/disk.ts';
import { listDisks } from '../core/disk-readings.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { type Deletable, deleteVideo, listOldest } from './delete-video.ts';

/** Room is made down to this share below the limit, so that it does not recur every minute. */
const EASED_BY = 0.02;
/** By then the files of deleted rows are gone, ms. */
const SETTLED_MS = 3 * 60_000;
/** Administrators see the notice at least this long, ms. */
const TOLD_FOR_MS = 24 * 3_600_000;
const MESSAGE_KEY = 'disk';

/** Makes room on a full disk and tells administrators. */
export function watchDiskJob(deps: Deps): JobDefinition {
  const { clock, disk, log, config } = deps;
  const { db } = deps.database;
  return {
    name: 'watch_disk',
    schedule: EVERY_MINUTE,
    run: async () => {
      const nowMs = clock.nowMs();
      const room = await disk.read();
      const { crowded } = disk.limits;
      const isCrowded = fillOf(room) >= crowded;
      // Media in S3 do not fill this disk.
      const mayDelete = config.s3 === undefined && !(await hasDeletedSince(db, nowMs - SETTLED_MS));
      if (isCrowded && mayDelete) {
        const deleted = await makeRoom(db, room, crowded - EASED_BY, nowMs);
        log.warn({ fill: fillOf(room), deleted }, 'the disk is nearly full');
      }
      const fullest = Math.max(fillOf(room), ...(await fillsOfOthers(db, disk)));
      await notifyAdministrators(db, fullest, fullest >= crowded, nowMs);
    },
  };
}

// The job runs on one machine at a time; the notice of another machine's disk must outlive its run here.
async function fillsOfOthers(db: Db, { machine }: Disk): Promise<number[]> {
  const disks = await listDisks(db);
  return disks.filter((one) => one.machine !== machine).map(fillOf);
}

// Deletes down to a share of the disk. Returns how many fragments lost their video.
async function makeRoom(db: Db, room: DiskRoom, share: number, nowMs: number): Promise<number> {
  let missing = Math.round(room.totalBytes * (1 - share)) - room.freeBytes;
  let count = 0;
  while (missing > 0) {
    const chosen: Deletable[] = [];
    for (const one of await listOldest(db)) {
      if (missing <= 0) break;
      chosen.push(one);
      missing -= one.sizeBytes;
    }
    const ids = chosen.map(({ id }) => id);
    const deleted = ids.length === 0 ? 0 : await deleteVideo(db, ids, 'space', nowMs);
    if (deleted === 0) break;
    count += deleted;
  }
  return count;
}

async function hasDeletedSince(db: Db, ms: number): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`
    select exists (select from segments
      where video_deleted_for = 'space' and video_deleted_at > ${new Date(ms)}) as deleted`.execute(
    db,
  );
  return rows[0]?.deleted === true;
}

// One notice as long as it lasts, so that users who closed it do not see it every minute.
async function notifyAdministrators(
  db: Db,
  fill: number,
  isCrowded: boolean,
  nowMs: number,
): Promise<void> {
  const { rows } = await sql<{ count: number; latest: Date | null }>`
    select count(*) as count, max(start_time) as latest from segments
    where video_deleted_for = 'space' and video_deleted_at > ${new Date(nowMs - TOLD_FOR_MS)}`.execute(
    db,
  );
  const { count = 0, latest = null } = rows[0] ?? {};
  if (!isCrowded && count === 0) {
    await db.deleteFrom('messages').where('key', '=', MESSAGE_KEY).execute();
    return;
  }
  const percent = Math.floor(fill * 100);
  const until = latest === null ? null : dayOf(latest.getTime(), FALLBACK_ZONE);
  const details = { kind: 'disk', percent, deleted: count, until };
  await db
    .insertInto('messages')
    .values({
      key: MESSAGE_KEY,
      for_admins: true,
      title: `The disk is ${percent} % full`,
      text: `Fragments whose video was deleted in the last 24 hours to make room: ${count}.`,
      details: JSON.stringify(details),
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        title: eb.ref('excluded.title'),
        text: eb.ref('excluded.text'),
        details: eb.ref('excluded.details'),
      })),
    )
    .execute();
}
