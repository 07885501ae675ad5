import path from 'node:path';
import type { Config } from '../core/config.ts';
import { openFolderStorage, shareFolderStorage } from './folder.ts';
import type { Storage } from './storage.ts';

/** The media folder when no S3 store is configured. */
export function mediaFolder(config: Config): string {
  return path.join(config.dataDir, 'media');
}

/** Opens the configured store. */
export async function openStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined ? openFolderStorage(mediaFolder(config)) : openBucket(config.s3);
}

/** The same store for another thread of the process. */
export async function shareStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined ? shareFolderStorage(mediaFolder(config)) : openBucket(config.s3);
}

// The S3 client is large, and most installations use a folder.
async function openBucket(config: NonNullable<Config['s3']>): Promise<Storage> {
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(config);
}
