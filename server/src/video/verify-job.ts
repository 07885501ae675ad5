// From received bytes to a playable fragment. On a crash the job runs again and finds either nothing done or all of
// it: files are stored first under new names, rows and state change in one transaction at the end.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import type { Deps } from '../app.ts';
import { failTry } from '../commands/tries.ts';
import type { Tx } from '../db.ts';
import { addJob, type JobDefinition } from '../jobs.ts';
import { moveSegment } from '../segments/state.ts';
import { deleteLater } from '../storage/delete-later.ts';
import {
  type Ffmpeg,
  isBrowserVideo,
  makePlayable,
  probeVideo,
  type VideoFacts,
} from './ffmpeg.ts';
import { findUpload, type UploadRow } from './queries.ts';

const Payload = z.object({ uploadId: z.string() });

interface LocalFile {
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

/** Checks a finished upload and moves its fragment to LOADED; a file that is not what it should be is a failed try. */
export function verifyUploadJob(deps: Deps, ffmpeg: Ffmpeg): JobDefinition {
  return {
    name: 'verify_upload',
    run: async (payload, { lastAttempt }) => {
      const { uploadId } = Payload.parse(payload);
      const upload = await findUpload(deps.database.db, uploadId);
      if (upload === undefined || upload.finishedAt === null) return;
      const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-verify-'));
      try {
        await verify(deps, ffmpeg, upload, folder);
      } catch (error) {
        if (!lastAttempt) throw error;
        deps.log.error({ uploadId, err: error }, 'an upload could not be checked');
        await refuse(deps, upload, 'The server could not check the file.');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

// Named after the upload: a try that follows a crash overwrites what the one before it left.
const playableKey = (upload: UploadRow): string => `${upload.id}-playable`;

async function verify(
  deps: Deps,
  ffmpeg: Ffmpeg,
  upload: UploadRow,
  folder: string,
): Promise<void> {
  const source = await fetchFile(deps, upload.id, path.join(folder, 'source'));
  if (upload.sha256 !== null && source.sha256.toString('hex') !== upload.sha256) {
    return refuse(deps, upload, 'The file arrived damaged: its SHA-256 is not the announced one.');
  }
  const facts = await probeVideo(ffmpeg, source.file);
  if (facts === undefined) {
    // With the right checksum these are the very bytes that the unit has: it would send them again.
    return refuse(deps, upload, 'The file is not a video.', upload.sha256 !== null);
  }

  let playable = { key: upload.id, file: source };
  if (!isBrowserVideo(facts) || !(await isFastStart(source.file, facts))) {
    const target = path.join(folder, 'playable.mp4');
    await makePlayable(ffmpeg, facts, source.file, target);
    const key = playableKey(upload);
    await deps.storage.put(key, createReadStream(target));
    playable = { key, file: await describe(target) };
  }
  await deps.database.db.transaction().execute(async (tx) => {
    await lockSegment(tx, upload.segmentId);
    const replaced = await tx
      .deleteFrom('segment_files')
      .where('segment_id', '=', upload.segmentId)
      .returning('storage_key')
      .execute();
    await insertFile(tx, upload.segmentId, 'source', upload.id, source, facts);
    await insertFile(tx, upload.segmentId, 'playable', playable.key, playable.file, facts);
    await tx.deleteFrom('uploads').where('id', '=', upload.id).execute();
    await moveSegment(tx, upload.segmentId, 'LOADED', { atMs: deps.clock.nowMs() });
    await countIfWanted(tx, upload.segmentId);
    await deleteLater(
      tx,
      replaced.map((row) => row.storage_key),
    );
  });
}

// The fragment first, as everybody who works on its uploads and commands does.
async function lockSegment(tx: Tx, segmentId: number): Promise<void> {
  await tx.selectFrom('segments').select('id').where('id', '=', segmentId).forUpdate().execute();
}

async function countIfWanted(tx: Tx, segmentId: number): Promise<void> {
  const camera = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select('cameras.live')
    .where('segments.id', '=', segmentId)
    .executeTakeFirstOrThrow();
  if (camera.live) return;
  await addJob(tx, 'count_segment', { segmentId }, { key: `count:${segmentId}` });
}

async function refuse(
  deps: Deps,
  upload: UploadRow,
  reason: string,
  isFinal = false,
): Promise<void> {
  await deps.database.db.transaction().execute(async (tx) => {
    await lockSegment(tx, upload.segmentId);
    const { numDeletedRows } = await tx
      .deleteFrom('uploads')
      .where('id', '=', upload.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await failTry(tx, upload.segmentId, { reason, atMs: deps.clock.nowMs(), isFinal });
    await deleteLater(tx, [upload.id, playableKey(upload)]);
  });
}

async function insertFile(
  tx: Tx,
  segmentId: number,
  variant: 'source' | 'playable',
  storageKey: string,
  file: LocalFile,
  facts: VideoFacts,
): Promise<void> {
  await tx
    .insertInto('segment_files')
    .values({
      segment_id: segmentId,
      variant,
      storage_key: storageKey,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      duration_ms: facts.durationMs,
      codec: facts.codec,
      width: facts.width,
      height: facts.height,
    })
    .execute();
}

async function fetchFile(deps: Deps, key: string, file: string): Promise<LocalFile> {
  await pipeline(await deps.storage.get(key), createWriteStream(file));
  return describe(file);
}

async function describe(file: string): Promise<LocalFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const { size } = await stat(file);
  return { file, sizeBytes: size, sha256: hash.digest() };
}

// In an MP4 that plays at once the index (moov) comes before the samples (mdat); ISO/IEC 14496-12, section 4.2.
async function isFastStart(file: string, facts: VideoFacts): Promise<boolean> {
  if (!facts.format.split(',').includes('mp4')) return false;
  const handle = await open(file);
  try {
    const head = Buffer.alloc(16);
    let at = 0;
    for (let box = 0; box < 16; box += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      if (bytesRead < 16) return false;
      const type = head.toString('latin1', 4, 8);
      if (type === 'moov') return true;
      if (type === 'mdat' || type === 'moof') return false;
      const size = head.readUInt32BE(0);
      at += size === 1 ? Number(head.readBigUInt64BE(8)) : size;
      if (size === 0) return false;
    }
    return false;
  } finally {
    await handle.close();
  }
}
