// The database's side of the start and end of an upload.
import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { Sequence, StreamId } from '@ridewatch/contract/unit';
import type { Upload } from '@tus/server';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Tx } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { noteShare } from '../../fetching/preloads.ts';
import { dropUploads } from '../../fetching/tries.ts';
import { markFragmentChanged, moveFragment } from '../../fragments/state.ts';
import { nudgeVerification } from '../order.ts';
import { lockAnnouncedFragment, type UploadTarget } from '../upload-targets.ts';

/** Interval of a running upload's progress, ms. */
export const NOTE_EVERY_MS = 2000;

const Metadata = z.object({
  stream: StreamId,
  seq: z.pipe(z.string().check(z.regex(/^\d{1,16}$/)), z.pipe(z.transform(Number), Sequence)),
  /** Hex, of the whole file. */
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/i))),
});

/**
 * Accepts an upload for an announced fragment, replacing an incomplete one.
 * @param makeFile creates its empty file; when it fails, nothing changes
 * @throws AppError invalid_request, not_found, or conflict when the video is not wanted
 */
export async function acceptUpload<T>(
  deps: Deps,
  unitId: number,
  upload: Upload,
  makeFile: () => Promise<T>,
): Promise<T> {
  if (upload.size === undefined) {
    throw invalid('must be announced', 'Upload-Length');
  }
  if (upload.size === 0) {
    throw invalid('is 0: an empty file is no video', 'Upload-Length');
  }
  const parsed = Metadata.safeParse(upload.metadata ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = `Upload-Metadata.${issue?.path.join('.')}`;
    throw invalid(issue?.message ?? 'is invalid', field);
  }
  const { stream, seq, sha256 } = parsed.data;
  const size = upload.size;
  return beginUpload(
    deps,
    { id: upload.id, unitId, lengthBytes: size, sha256: sha256?.toLowerCase() ?? null },
    (tx) => lockAnnouncedFragment(tx, unitId, stream, seq),
    makeFile,
  );
}

interface NewUpload {
  readonly id: string;
  readonly unitId: number;
  readonly lengthBytes: number;
  /** Hex; null: the unit does not say it. */
  readonly sha256: string | null;
}

/**
 * Begins the upload of a fragment's video in place of an incomplete one.
 * @param lockFragment finds and locks the fragment
 * @param makeFile creates its empty file; when it fails, nothing changes
 * @throws AppError not_found, or conflict when the video is not wanted
 */
export async function beginUpload<T>(
  deps: Deps,
  { id, unitId, lengthBytes, sha256 }: NewUpload,
  lockFragment: (tx: Tx) => Promise<UploadTarget | undefined>,
  makeFile: () => Promise<T>,
): Promise<T> {
  const nowMs = deps.clock.nowMs();
  return deps.database.db.transaction().execute(async (tx) => {
    const fragment = await lockFragment(tx);
    if (fragment === undefined) {
      throw new AppError('not_found', 'No fragment was announced under this number.');
    }
    await beginLoading(tx, fragment, nowMs);
    await replaceUpload(tx, fragment.fragmentId);
    await tx
      .insertInto('uploads')
      .values({
        id,
        unit_id: unitId,
        segment_id: fragment.fragmentId,
        storage_key: id,
        length_bytes: lengthBytes,
        sha256,
        created_at: new Date(nowMs),
        received_at: new Date(nowMs),
      })
      .execute();
    return makeFile();
  });
}

function invalid(message: string, field: string): AppError {
  return new AppError('invalid_request', message, { field });
}

/** The moves that take a fragment to LOADING when its unit sends the video. */
const waysToLoading: Readonly<Partial<Record<FragmentStatus, readonly FragmentStatus[]>>> = {
  // The recording has ended, though its announcement has not come yet.
  ADDING: ['ADDED', 'LOADING'],
  ADDED: ['LOADING'],
  DOWNLOADING_FROM_TASK: ['LOADING'],
  LOADING: [],
  // It had failed, but the unit has it.
  DOWNLOAD_FAIL: ['DOWNLOADING_FROM_TASK', 'LOADING'],
};

async function beginLoading(tx: Tx, { fragmentId, status }: UploadTarget, atMs: number) {
  const way = waysToLoading[status];
  if (way === undefined) {
    throw new AppError('conflict', `The video is not wanted: the fragment is ${status}.`);
  }
  for (const next of way) await moveFragment(tx, fragmentId, next, { atMs });
  await tx.updateTable('segments').set({ retry_at: null }).where('id', '=', fragmentId).execute();
}

// A fragment has one upload. A unit that missed the address of its first one starts again.
async function replaceUpload(tx: Tx, fragmentId: number): Promise<void> {
  if (await dropUploads(tx, fragmentId)) {
    throw new AppError('conflict', 'The video is not wanted: it has arrived and is being checked.');
  }
}

/** Marks a complete upload as finished and adds its verification; idempotent. */
export async function finishUpload(deps: Deps, id: string): Promise<void> {
  await deps.database.db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('uploads')
      .set((eb) => ({
        finished_at: new Date(deps.clock.nowMs()),
        received_bytes: eb.ref('length_bytes'),
      }))
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returning(['length_bytes', 'segment_id'])
      .executeTakeFirst();
    if (done === undefined) return;
    await noteShare(tx, done.segment_id, 100);
    deps.metrics.videoBytes.labels('received').inc(done.length_bytes);
    await nudgeVerification(tx, id);
  });
}

/** Records the progress of an upload, for users and for the sweep. @param offset stored bytes */
export async function noteProgress(
  { database, clock }: Pick<Deps, 'clock' | 'database'>,
  id: string,
  offset: number,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await resumeStopped(tx, id, offset);
    const upload = await tx
      .updateTable('uploads')
      .set({ received_bytes: offset, received_at: new Date(clock.nowMs()), stopped_at: null })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .where('received_bytes', '<>', offset)
      .returning(['segment_id', 'length_bytes'])
      .executeTakeFirst();
    if (upload === undefined) return;
    await noteShare(tx, upload.segment_id, (100 * offset) / upload.length_bytes);
    await markFragmentChanged(tx, upload.segment_id);
  });
}

// An upload that had stopped goes on: the attempt to get the rest, whose command is open or waits, has not failed. The
// fragment is locked before its upload.
async function resumeStopped(tx: Tx, id: string, offset: number): Promise<void> {
  await sql`update segments set fail_reason = null, fail_detail = null, retry_at = null,
      failed_tries = greatest(0, failed_tries - (retry_at is not null or exists (select from unit_commands
        where segment_id = segments.id and finished_at is null and created_at >= received_at))::int)
    from uploads
    where uploads.id = ${id} and segments.id = uploads.segment_id and stopped_at is not null
      and received_bytes <> ${offset} and fail_reason = 'upload_stopped'`.execute(tx);
}
