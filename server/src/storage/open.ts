import path from 'node:path';
import type { Config } from '../config.ts';
import { openFolderStorage } from './folder.ts';
import { openS3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

/** The folder of media when no S3 store is configured. */
export function mediaFolder(config: Config): string {
  return path.join(config.dataDir, 'media');
}

/** Opens the store that the configuration names. */
export async function openStorage(config: Config): Promise<Storage> {
  return config.s3 === undefined
    ? openFolderStorage(mediaFolder(config))
    : openS3Storage(config.s3);
}
