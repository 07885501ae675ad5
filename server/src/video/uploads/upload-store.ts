import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { S3Store } from '@tus/s3-store';
import { type DataStore, Upload } from '@tus/server';
import { ERRORS } from '@tus/utils';
import { hasErrorCode } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { mediaFolder } from '../../storage/open.ts';
import { type S3Config, s3ClientConfig } from '../../storage/s3.ts';
import { asStoreError, isMissing } from '../../storage/s3-refusals.ts';
import { findUpload } from '../upload-targets.ts';

const PART_BYTES = 8 * 1024 * 1024;

// The library reports every failed write alike, but the unit must know when the disk is full.
class FolderStore extends FileStore {
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(path.join(this.directory, id), { flags: 'r+', start: offset });
    try {
      await pipeline(bytes, file);
    } catch (error) {
      throw hasErrorCode(error, 'ENOSPC') ? error : ERRORS.FILE_WRITE_ERROR;
    }
    return offset + file.bytesWritten;
  }
}

// Names what the bucket refused. The library takes an upload for missing when the bucket does not answer: a unit would
// send it from the beginning.
class BucketStore extends S3Store {
  readonly #refuse: (error: unknown) => never;

  constructor(config: S3Config) {
    super({
      partSize: PART_BYTES,
      s3ClientConfig: { bucket: config.bucket, ...s3ClientConfig(config) },
    });
    this.#refuse = (error) => {
      throw asStoreError(error, config);
    };
  }

  override create(upload: Upload): Promise<Upload> {
    return super.create(upload).catch(this.#refuse);
  }

  override write(bytes: Readable, id: string, offset: number): Promise<number> {
    return super.write(bytes, id, offset).catch(this.#refuse);
  }

  override async getUpload(id: string): Promise<Upload> {
    await this.getMetadata(id).catch((error: unknown) => {
      if (!isMissing(error)) this.#refuse(error);
    });
    return super.getUpload(id).catch(this.#refuse);
  }

  override remove(id: string): Promise<void> {
    return super.remove(id).catch(this.#refuse);
  }
}

/** The store of growing uploads: a file stays where it grew. */
export function createUploadStore({
  config,
  database,
}: Pick<Deps, 'config' | 'database'>): DataStore {
  if (config.s3 !== undefined) return new BucketStore(config.s3);
  return new FolderStore({
    directory: mediaFolder(config),
    configstore: {
      get: async (id) => {
        const row = await findUpload(database.db, id);
        return row === undefined
          ? undefined
          : new Upload({
              id,
              size: row.lengthBytes,
              offset: 0,
              creation_date: row.createdAt.toISOString(),
            });
      },
      // The row follows the fragment's state; there is no other metadata.
      set: async () => undefined,
      delete: async () => undefined,
    },
  });
}

/** A new id of an upload, which is also the key of its file. */
export function newUploadId(): string {
  const name = randomUUID();
  return `video/${name.slice(0, 2)}/${name}`;
}

/**
 * Ends the file of an upload whose length has become another than was said at its beginning: a bucket joins its parts
 * only at the length that it knows. Does nothing when the store knows this length.
 * @param lengthBytes the new length, which is stored already
 * @throws AppError unavailable when the bucket does not answer; else an error of the store, as when the file is missing
 */
export async function endFile(store: DataStore, id: string, lengthBytes: number): Promise<void> {
  const { size } = await store.getUpload(id);
  if (size === lengthBytes) return;
  await store.declareUploadLength(id, lengthBytes);
  await store.write(Readable.from([]), id, lengthBytes);
}

/** Whether a store says that the upload does not exist: its errors are plain objects with a status. */
export function isMissingUpload(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status_code' in error)) return false;
  return error.status_code === 404 || error.status_code === 410;
}

/** The stored bytes of an upload. If the process died before creating the file, only the row exists. */
export async function storedBytes(store: DataStore, uploadId: string): Promise<number> {
  try {
    return (await store.getUpload(uploadId)).offset;
  } catch (error) {
    if (isMissingUpload(error)) return 0;
    throw error;
  }
}
