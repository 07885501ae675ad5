// From received bytes to a playable fragment. After a crash the job runs again and finds nothing done or everything:
// files are stored first under keys of the upload; rows and state change in one transaction at the end.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FailReason } from '@ridewatch/contract/fail-reasons';
import * as z from 'zod/mini';
import type { Tx } from '../core/db/db.ts';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { addJob, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { failTry } from '../fetching/tries.ts';
import { moveFragment } from '../fragments/state.ts';
import { cutEmptyEnd } from '../media/empty-end.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { isPlayable, makePlayable } from '../media/make-playable.ts';
import { readLayout } from '../media/mp4/mp4-boxes.ts';
import { makePreview, spriteOf } from '../media/preview.ts';
import { readVideo } from '../media/read-video.ts';
import { isSameLength } from '../media/timeline.ts';
import type { VideoFacts } from '../media/video-facts.ts';
import { workFolderOf } from '../media/work-folder.ts';
import { deleteLater } from '../storage/delete-later.ts';
import { type Period, readPeriod, timeFile } from './camera-clock.ts';
import { judgeClockLater } from './clock-job.ts';
import { forgetRefused, noteRefused } from './refused-files.ts';
import { describeFile, insertFile, type LocalFile, type NewFile } from './stored-files.ts';
import { findUpload, type UploadRow } from './upload-targets.ts';

const Payload = z.object({ uploadId: z.string() });

/** Verifies a finished upload and moves its fragment to LOADED; a bad file is a failed attempt. */
export function verifyUploadJob(deps: Deps, ffmpeg: Ffmpeg): JobDefinition {
  const workFolder = workFolderOf(deps.config);
  return {
    name: 'verify_upload',
    run: async (payload, { lastAttempt }) => {
      const { uploadId } = Payload.parse(payload);
      const upload = await findUpload(deps.database.db, uploadId);
      if (upload === undefined || upload.finishedAt === null) return;
      const folder = await mkdtemp(path.join(workFolder, 'verify-'));
      try {
        await verify(deps, ffmpeg, upload, folder);
      } catch (error) {
        if (!lastAttempt) throw error;
        deps.log.error({ uploadId, err: error }, 'an upload could not be verified');
        await refuse(deps, upload, 'not_checked');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

// Named after the upload: an attempt after a crash overwrites the files of the former.
const playableKey = (upload: UploadRow): string => `${upload.id}-playable`;
const previewKey = (upload: UploadRow): string => `${upload.id}-preview`;

async function verify(
  deps: Deps,
  ffmpeg: Ffmpeg,
  upload: UploadRow,
  folder: string,
): Promise<void> {
  const file = path.join(folder, 'source');
  await pipeline(await deps.storage.get(upload.id), createWriteStream(file));
  const sent = await describeFile(file);
  if (upload.sha256 !== null && sent.sha256.toString('hex') !== upload.sha256) {
    return refuse(deps, upload, 'damaged', { sent });
  }
  // With the right checksum these are the unit's bytes: it would send the same again.
  const refuseVideo = (reason: FailReason): Promise<void> =>
    refuse(deps, upload, reason, { sent, isFinal: upload.sha256 !== null });
  // The stored file stays as it was sent.
  await cutEmptyEnd(file);
  const facts = await readVideo(ffmpeg, file);
  if (facts === undefined) return refuseVideo('not_a_video');
  const period = await readPeriod(deps.database.db, upload.fragmentId);
  const playable = await findPlayable(deps, ffmpeg, upload, { ...sent, facts }, period);
  if (playable === undefined) return refuseVideo('not_playable');
  if (await isMoreThanAsked(deps, period, facts)) {
    return refuse(deps, upload, 'longer_than_asked', { isFinal: true });
  }
  const preview = await findPreview(deps, ffmpeg, upload, playable);
  if (preview === undefined) return refuseVideo('not_decodable');
  if (await isStoredLonger(deps, period, facts)) return refuseVideo('shorter_than_stored');
  await deps.database.db.transaction().execute(async (tx) => {
    await lockFragment(tx, upload.fragmentId);
    const replaced = await tx
      .deleteFrom('segment_files')
      .where('segment_id', '=', upload.fragmentId)
      .returning('storage_key')
      .execute();
    const atMs = deps.clock.nowMs();
    const source = { ...sent, facts, variant: 'source', key: upload.id } as const;
    for (const file of [source, playable, preview]) {
      await insertFile(tx, upload.fragmentId, file, atMs);
    }
    await tx.deleteFrom('uploads').where('id', '=', upload.id).execute();
    await forgetRefused(tx, upload.fragmentId);
    await moveFragment(tx, upload.fragmentId, 'LOADED', { atMs });
    await countIfWanted(tx, upload.fragmentId);
    await judgeClockLater(tx, period, playable.timeMaps !== undefined);
    await deleteLater(
      tx,
      replaced.map((row) => row.storage_key),
    );
  });
}

/** A file of a video with its properties. */
type VideoFile = LocalFile & { readonly facts: VideoFacts };

async function findPlayable(
  deps: Deps,
  ffmpeg: Ffmpeg,
  upload: UploadRow,
  source: VideoFile,
  period: Period,
): Promise<(NewFile & VideoFile) | undefined> {
  const layout = await readLayout(source.file);
  const made = isPlayable(source.facts, layout)
    ? { ...source, key: upload.id }
    : await convert(deps, ffmpeg, upload, source, period.wallMs);
  if (made === undefined) return undefined;
  const timing = await timeFile(deps.database.db, period, source, made.facts);
  return { ...made, ...timing, variant: 'playable' };
}

// The video is asked for again because a part of it is missing: what is stored is not given up for less. Both are of one
// recorder, so the clocks of the files compare them, whether or not they run fast.
async function isStoredLonger(
  { database }: Deps,
  { fragmentId, wallMs }: Period,
  { durationMs }: VideoFacts,
): Promise<boolean> {
  const stored = await database.db
    .selectFrom('segment_files')
    .select('duration_ms')
    .where('segment_id', '=', fragmentId)
    .where('variant', '=', 'source')
    .executeTakeFirst();
  const storedMs = Math.min(wallMs, stored?.duration_ms ?? 0);
  return durationMs < storedMs && !isSameLength(durationMs, storedMs);
}

// A registrar may send a whole file for a part of it. Nothing tells which of its pictures are of the part, and some may be
// of another bus: the rest was recorded before or after a move of the unit.
async function isMoreThanAsked(
  { database }: Deps,
  { fragmentId, wallMs }: Period,
  { durationMs }: VideoFacts,
): Promise<boolean> {
  if (durationMs < wallMs || isSameLength(durationMs, wallMs)) return false;
  const part = await database.db
    .selectFrom('registrar_files')
    .select('segment_id')
    .where('segment_id', '=', fragmentId)
    .where('size_bytes', '=', 0)
    .executeTakeFirst();
  return part !== undefined;
}

async function convert(
  deps: Deps,
  ffmpeg: Ffmpeg,
  upload: UploadRow,
  source: VideoFile,
  wallMs: number,
): Promise<(VideoFile & { readonly key: string }) | undefined> {
  const playableFile = `${source.file}-playable.mp4`;
  const isMade = await makePlayable(ffmpeg, source.facts, source.file, playableFile, wallMs);
  const facts = isMade ? await readVideo(ffmpeg, playableFile) : undefined;
  if (facts === undefined) return undefined;
  const key = playableKey(upload);
  await deps.storage.put(key, createReadStream(playableFile));
  return { ...(await describeFile(playableFile)), facts, key };
}

// Everything that decodes has thumbnails.
async function findPreview(
  deps: Deps,
  ffmpeg: Ffmpeg,
  upload: UploadRow,
  { file, facts }: VideoFile,
): Promise<NewFile | undefined> {
  const sprite = spriteOf(facts);
  const sheetFile = `${file}-preview.jpg`;
  if (!(await makePreview(ffmpeg, facts, sprite, file, sheetFile))) return undefined;
  const key = previewKey(upload);
  await deps.storage.put(key, createReadStream(sheetFile));
  return { ...(await describeFile(sheetFile)), variant: 'preview', key, sprite };
}

// Locks the fragment first, as everybody who works on its uploads and commands does.
async function lockFragment(tx: Tx, fragmentId: number): Promise<void> {
  await tx.selectFrom('segments').select('id').where('id', '=', fragmentId).forUpdate().execute();
}

async function countIfWanted(tx: Tx, fragmentId: number): Promise<void> {
  const camera = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select('cameras.live')
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  if (camera.live) return;
  const options = { key: `count:${fragmentId}`, priority: videoPriorities.count };
  await addJob(tx, 'count_segment', { segmentId: fragmentId }, options);
}

async function refuse(
  deps: Deps,
  upload: UploadRow,
  reason: FailReason,
  { sent, isFinal = false }: { readonly sent?: LocalFile; readonly isFinal?: boolean } = {},
): Promise<void> {
  await deps.database.db.transaction().execute(async (tx) => {
    await lockFragment(tx, upload.fragmentId);
    const { numDeletedRows } = await tx
      .deleteFrom('uploads')
      .where('id', '=', upload.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const isRepeated = sent !== undefined && (await noteRefused(tx, upload.fragmentId, sent));
    const failure = { reason, atMs: deps.clock.nowMs(), isFinal: isFinal || isRepeated };
    await failTry(tx, upload.fragmentId, failure);
    await deleteLater(tx, [upload.id, playableKey(upload), previewKey(upload)]);
  });
}
