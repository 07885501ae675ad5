import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ThumbnailSheet } from '@ridewatch/contract/fragments';
import type { TimeMap } from '@ridewatch/contract/time-map';
import type { Tx } from '../core/db/db.ts';
import type { VideoFacts } from '../media/video-facts.ts';
import type { UnclearMaps } from './camera-clock.ts';

export interface LocalFile {
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

/** A file of a fragment, to be stored. */
export interface NewFile extends LocalFile {
  readonly variant: 'source' | 'playable' | 'preview';
  /** Its key in the store. */
  readonly key: string;
  readonly facts?: VideoFacts;
  readonly timeMap?: TimeMap | null;
  /** Both candidates for it, if the file does not tell. */
  readonly timeMaps?: UnclearMaps;
  readonly sprite?: ThumbnailSheet;
}

/** Length and checksum of a file. */
export async function describeFile(file: string): Promise<LocalFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const { size } = await stat(file);
  return { file, sizeBytes: size, sha256: hash.digest() };
}

/** Inserts a file of a fragment with its properties. @param nowMs when it is created */
export async function insertFile(
  tx: Tx,
  fragmentId: number,
  file: NewFile,
  nowMs: number,
): Promise<void> {
  const { facts } = file;
  await tx
    .insertInto('segment_files')
    .values({
      segment_id: fragmentId,
      created_at: new Date(nowMs),
      variant: file.variant,
      storage_key: file.key,
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
      duration_ms: facts?.durationMs ?? null,
      codec: facts?.codec ?? null,
      width: facts?.width ?? null,
      height: facts?.height ?? null,
      format: facts?.container ?? (file.variant === 'preview' ? 'jpeg' : null),
      time_base: facts?.timeBase ?? null,
      frame_rate: facts?.frameRate ?? null,
      audio_codec: facts?.audioCodec ?? null,
      time_map: file.timeMap ? JSON.stringify(file.timeMap) : null,
      time_maps: file.timeMaps ? JSON.stringify(file.timeMaps) : null,
      sprite: file.sprite === undefined ? null : JSON.stringify(file.sprite),
    })
    .execute();
}
