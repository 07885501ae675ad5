import path from 'node:path';
import type { Config } from '../core/config.ts';
import { openFolderStorage, shareFolderStorage } from './folder.ts';
import type { Storage } from './storage.ts';

/** The folder of media when no S3 store is configured. */
export function mediaFolder(config: Config): string {
  return path.join(config.dataDir, 'media');
}

/** Opens the store that the configuration names. */
export async function openStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined ? openFolderStorage(mediaFolder(config)) : openBucket(config.s3);
}

/** The same store for another thread of the process that has opened it. */
export async function shareStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined ? shareFolderStorage(mediaFolder(config)) : openBucket(config.s3);
}

// The client of S3 is large, and most have a folder.
async function openBucket(config: NonNullable<Config['s3']>): Promise<Storage> {
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(config);
}
