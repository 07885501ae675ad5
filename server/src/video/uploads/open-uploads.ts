// Uploads that no request finishes. A complete one is finished; of one without new bytes users see that it stopped. A
// unit that is heard and sends nothing more believes that it has sent everything, or has forgotten the upload: it is
// asked again. A unit without a link resumes by itself.
import type { DataStore } from '@tus/server';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { isFull } from '../../core/disk.ts';
import type { Deps } from '../../deps.ts';
import { failTry } from '../../fetching/tries.ts';
import { uploadsAtDepot, waitedTooLong } from '../../fetching/waits.ts';
import { markFragmentChanged } from '../../fragments/state.ts';
import { abandonUpload } from './abandon-upload.ts';
import { finishUpload, noteProgress } from './accept-upload.ts';
import { endFile, storedBytes } from './upload-store.ts';

/** An upload without a new byte for this long has stopped, ms; a running one records its progress every 2 s. */
const QUIET_MS = 10_000;
/** A unit that was heard for this long and sent nothing of a stopped upload is asked again, ms. */
const IDLE_MS = 60_000;
/** The same of a unit that sends other videos meanwhile, ms. */
const BUSY_MS = 10 * 60_000;
/** A unit that sent no records for this long has no link, ms. */
const UNHEARD_MS = 60_000;
/** Most rows of a kind in one run; the rest comes with the next. */
const MOST_ROWS = 1000;

// Buses may be without a link overnight.
const isStalled = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`received_at < ${waitedTooLong(nowMs, sql.ref('unit_id'))}`;

interface OpenUpload {
  readonly id: string;
  readonly segment_id: number;
  readonly length_bytes: number;
  readonly received_bytes: number;
  readonly received_at: Date;
  readonly stopped_at: Date | null;
  /** No byte has come for as long as a request waits. */
  readonly is_stalled: boolean;
}

/** The sweeps of uploads that no request finishes. */
export interface UploadSweep {
  /** Finishes complete uploads, and marks those that stopped; only those that were not known to have stopped. */
  sweepNew(nowMs: number): Promise<void>;
  /** The same, and the next of the stopped ones: finishes, resumes, abandons or requests them. */
  sweepAll(nowMs: number): Promise<void>;
}

/** Makes the sweeps of a process. */
export function createUploadSweep(deps: Deps, store: DataStore): UploadSweep {
  // Stopped uploads wait for a day. Each run continues behind the last one, so that many of them do not hide the rest.
  let after: OpenUpload | undefined;
  const listOpen = (nowMs: number) =>
    deps.database.db
      .selectFrom('uploads')
      .select(['id', 'segment_id', 'length_bytes', 'received_bytes', 'received_at', 'stopped_at'])
      .select(isStalled(nowMs).as('is_stalled'))
      .where('finished_at', 'is', null)
      .where('received_at', '<', new Date(nowMs - QUIET_MS))
      .orderBy('received_at')
      .orderBy('id')
      .limit(MOST_ROWS);
  const sweepNew = async (nowMs: number): Promise<void> => {
    const uploads = await listOpen(nowMs).where('stopped_at', 'is', null).execute();
    for (const upload of uploads) await sweepUpload(deps, store, upload, nowMs);
  };
  return {
    sweepNew,
    async sweepAll(nowMs) {
      await sweepNew(nowMs);
      let stopped = listOpen(nowMs).where('stopped_at', 'is not', null);
      if (after !== undefined) {
        const { received_at, id } = after;
        stopped = stopped.where((eb) =>
          eb(eb.refTuple('received_at', 'id'), '>', eb.tuple(received_at, id)),
        );
      }
      const uploads = await stopped.execute();
      after = uploads.length < MOST_ROWS ? undefined : uploads.at(-1);
      for (const upload of uploads) await sweepUpload(deps, store, upload, nowMs);
      await askIdleUnits(deps, nowMs);
    },
  };
}

async function sweepUpload(
  deps: Deps,
  store: DataStore,
  upload: OpenUpload,
  nowMs: number,
): Promise<void> {
  const bytes = await storedBytes(store, upload.id);
  if (bytes === upload.length_bytes) {
    await endFile(store, upload.id, upload.length_bytes);
    await finishUpload(deps, upload.id);
  } else if (bytes > upload.received_bytes) await noteProgress(deps, upload.id, bytes);
  else if (upload.is_stalled) {
    await abandonUpload(deps, upload.id, 'upload_stopped');
  } else if (upload.stopped_at === null) {
    await markStopped(deps, upload.segment_id, upload.id, nowMs);
  }
}

async function markStopped(
  { database }: Deps,
  fragmentId: number,
  uploadId: string,
  nowMs: number,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('segments').select('id').where('id', '=', fragmentId).forUpdate().execute();
    // A byte may have come meanwhile.
    const stopped = await tx
      .updateTable('uploads')
      .set({ stopped_at: new Date(nowMs) })
      .where('id', '=', uploadId)
      .where('finished_at', 'is', null)
      .where('stopped_at', 'is', null)
      .where('received_at', '<', new Date(nowMs - QUIET_MS))
      .returning('id')
      .executeTakeFirst();
    if (stopped === undefined) return;
    await tx
      .updateTable('segments')
      .set({ fail_reason: 'upload_stopped', fail_detail: null })
      .where('id', '=', fragmentId)
      .execute();
    await markFragmentChanged(tx, fragmentId);
  });
}

async function askIdleUnits({ database: { db }, disk }: Deps, nowMs: number): Promise<void> {
  // While the disk is full the server takes no bytes, so units are not to blame.
  const isDiskFull = await isFull(disk);
  await waitForUnits(db, nowMs, isDiskFull);
  if (isDiskFull) return;
  for (const { id } of await listIdle(db, nowMs)) {
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('segments').select('id').where('id', '=', id).forUpdate().execute();
      const [idle] = await listIdle(tx, nowMs, id);
      if (idle === undefined) return;
      await failTry(tx, id, { reason: 'upload_stopped', atMs: nowMs, keepsBytes: true });
    });
  }
}

// The time in which a unit could have resumed begins when its link is back and the disk has room; a unit that uploads at
// the depot does not say when it is there. In batches, so that no statement locks all uploads of a fleet without a link.
async function waitForUnits(db: Db, nowMs: number, isDiskFull: boolean): Promise<void> {
  const [now, unheardAt] = [new Date(nowMs), new Date(nowMs - UNHEARD_MS)];
  let rows = MOST_ROWS;
  while (rows === MOST_ROWS) {
    const { numAffectedRows = 0n } = await sql`
      with waiting as (
        select uploads.id from uploads join units on units.id = unit_id
        where finished_at is null and stopped_at < ${now}
          and (${isDiskFull} or last_seen_at is null or last_seen_at < ${unheardAt}
            or ${uploadsAtDepot(sql.ref('units.id'))})
        limit ${MOST_ROWS} for update of uploads skip locked)
      update uploads set stopped_at = ${now} from waiting where uploads.id = waiting.id`.execute(
      db,
    );
    rows = Number(numAffectedRows);
  }
}

// Fragments whose unit is heard and was not asked again since the last byte.
async function listIdle(db: Db, nowMs: number, onlyId?: number): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    with sent as (select unit_id, max(received_at) as latest_at from uploads
      ${onlyId === undefined ? sql`` : sql`where unit_id = (select unit_id from segments where id = ${onlyId})`}
      group by unit_id)
    select segments.id from uploads join segments on segments.id = segment_id
      join sent on sent.unit_id = uploads.unit_id
    where finished_at is null and stopped_at < ${new Date(nowMs - IDLE_MS)} and retry_at is null
      and (stopped_at < ${new Date(nowMs - BUSY_MS)} or sent.latest_at <= stopped_at)
      and not exists (select from unit_commands
        where unit_commands.segment_id = segments.id and unit_commands.finished_at is null
          and unit_commands.created_at >= uploads.received_at)
      ${onlyId === undefined ? sql`` : sql`and segments.id = ${onlyId}`}
    order by segments.id limit ${MOST_ROWS}`.execute(db);
  return rows;
}
