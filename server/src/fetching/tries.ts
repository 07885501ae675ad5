// An attempt to get a fragment's video may fail: a damaged file, a link that does not come back, a unit that promised
// and sent nothing. Each failure is shown with its reason, and the unit is asked again with growing pauses; after the
// last attempt the fragment has failed. The fragment's row holds the attempts, so a crash loses nothing.
import type { FailReason } from '@ridewatch/contract/fail-reasons';
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { markFragmentChanged, moveFragment } from '../fragments/state.ts';
import { deleteLater } from '../storage/delete-later.ts';
import { cancelCommands, insertFetchCommands } from './commands.ts';
import { endFtpLogin } from './ftp-logins.ts';
import { settleShorter } from './short-ends.ts';
import { uploadsAtDepot, waitedTooLong } from './waits.ts';

/** Pauses after failed attempts, ms; there is one attempt more than pauses. */
const PAUSES_MS = [0, 60_000, 5 * 60_000, 15 * 60_000];
/** Pause of a unit that uploads at the depot only, ms. It may be on the road, so no attempt is counted. */
const DEPOT_PAUSE_MS = 30 * 60_000;
/** Reasons of a unit that is on the road. */
const ON_THE_ROAD: readonly FailReason[] = [
  'unit_failed',
  'no_answer',
  'nothing_sent',
  'upload_stopped',
];

const UNIT_ID = sql.ref('segments.unit_id');

interface FailedTry {
  readonly reason: FailReason;
  /** The unit's own words about it. */
  readonly detail?: string | undefined;
  readonly atMs: number;
  /** Another attempt cannot help. */
  readonly isFinal?: boolean;
  /** The unit may resume its upload: until the last attempt has failed, the received bytes stay. */
  readonly keepsBytes?: boolean;
}

/**
 * Records a failed attempt: the unit is asked again, at once or later, or the fragment has failed. Received bytes are
 * discarded unless they are kept, or a registrar has said twice that they are all. Does nothing when the video is not on its way, or its file is complete and being
 * verified.
 */
export async function failTry(
  tx: Tx,
  fragmentId: number,
  { reason, detail, atMs, isFinal = false, keepsBytes = false }: FailedTry,
): Promise<void> {
  const fragment = await tx
    .selectFrom('segments')
    .select(['status', 'failed_tries'])
    .select(uploadsAtDepot(UNIT_ID).as('uploadsAtDepot'))
    .select(sql<boolean>`status_at < ${waitedTooLong(atMs, UNIT_ID)}`.as('hasWaitedTooLong'))
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirst();
  const status = fragment?.status;
  if (status !== 'ADDING' && status !== 'DOWNLOADING_FROM_TASK' && status !== 'LOADING') return;
  const isOnTheRoad = fragment?.uploadsAtDepot === true && ON_THE_ROAD.includes(reason);
  const isLast = isFinal || (isOnTheRoad && fragment.hasWaitedTooLong);
  const failedTries = fragment?.failed_tries ?? 0;
  const nextPauseMs = isOnTheRoad ? DEPOT_PAUSE_MS : PAUSES_MS[failedTries];
  const pauseMs = isLast ? undefined : nextPauseMs;
  if (keepsBytes && pauseMs === undefined && (await settleShorter(tx, fragmentId, true))) return;
  const isKept = keepsBytes && pauseMs !== undefined;
  if (isKept ? await hasWholeUpload(tx, fragmentId) : await dropUploads(tx, fragmentId)) return;
  await cancelCommands(tx, [fragmentId], atMs);
  if (pauseMs === undefined) {
    await endFtpLogin(tx, fragmentId);
    const failed = { atMs, failReason: reason, failDetail: detail };
    await moveFragment(tx, fragmentId, 'DOWNLOAD_FAIL', failed);
    return;
  }
  await tx
    .updateTable('segments')
    .set({
      failed_tries: isOnTheRoad ? failedTries : failedTries + 1,
      retry_at: new Date(atMs + pauseMs),
      fail_reason: reason,
      fail_detail: detail ?? null,
    })
    .where('id', '=', fragmentId)
    .execute();
  if (pauseMs === 0) await askAgain(tx, fragmentId, atMs);
  await markFragmentChanged(tx, fragmentId);
}

/** Discards the incomplete uploads of a fragment. @returns whether there is a complete one, which stays */
export async function dropUploads(tx: Tx, fragmentId: number): Promise<boolean> {
  const uploads = await tx
    .deleteFrom('uploads')
    .where('segment_id', '=', fragmentId)
    .where('finished_at', 'is', null)
    .returning('id')
    .execute();
  await deleteLater(
    tx,
    uploads.map(({ id }) => id),
  );
  return hasWholeUpload(tx, fragmentId);
}

async function hasWholeUpload(tx: Tx, fragmentId: number): Promise<boolean> {
  const whole = await tx
    .selectFrom('uploads')
    .select('id')
    .where('segment_id', '=', fragmentId)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  return whole !== undefined;
}

/** Asks the unit again for the video of a fragment that waits for it. */
export async function askAgain(tx: Tx, fragmentId: number, atMs: number): Promise<void> {
  await askForAllAgain(tx, [fragmentId], atMs);
}

/** Asks units again for the videos of fragments that wait for them. */
export async function askForAllAgain(
  tx: Tx,
  fragmentIds: readonly number[],
  atMs: number,
): Promise<void> {
  await cancelCommands(tx, fragmentIds, atMs);
  const rows = await tx
    .updateTable('segments')
    .set({ retry_at: null })
    .where(sql<boolean>`id = any(${[...fragmentIds]}::bigint[])`)
    .returning(['id', 'unit_id'])
    .execute();
  for (const [unitId, own] of Map.groupBy(rows, (row) => row.unit_id)) {
    const ids = own.map(({ id }) => id).sort((a, b) => a - b);
    await insertFetchCommands(tx, unitId, ids, atMs);
  }
}
