import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../core/config.ts';
import { REMEDY } from '../core/db/installed-database.ts';
import { StartError } from '../core/errors.ts';
import { openFolderStorage, shareFolderStorage } from './folder.ts';
import type { S3Config } from './s3.ts';
import type { Storage } from './storage.ts';

/** The media folder when no S3 store is configured. */
export function mediaFolder(config: Config): string {
  return path.join(config.dataDir, 'media');
}

/**
 * Opens the configured store.
 * @throws StartError when the bucket cannot be listed
 */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.s3 === undefined) return openFolderStorage(mediaFolder(config));
  await expectBucket(config.s3);
  return openBucket(config.s3);
}

/**
 * Opens the store of an installation for a command, beside its server: files that are being written stay, and nothing is
 * made.
 * @throws StartError when there is no store
 */
export async function findStorage(config: Config): Promise<Storage> {
  const folder = mediaFolder(config);
  if (config.s3 !== undefined) await expectBucket(config.s3);
  else if (!(await isFolder(folder))) {
    throw new StartError(`There is no media folder ${folder}. ${REMEDY}`);
  }
  return shareStorage(config);
}

/** The same store for another thread of the process. */
export async function shareStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined ? shareFolderStorage(mediaFolder(config)) : openBucket(config.s3);
}

// The S3 client is large, and most installations use a folder.
async function openBucket(config: S3Config): Promise<Storage> {
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(config);
}

async function expectBucket(config: S3Config): Promise<void> {
  const { tryBucket } = await import('./s3.ts');
  await tryBucket(config);
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
