// Received files are processed inside the data folder: they are too large for a temporary folder, which may be in
// memory. The data folder belongs to one process, so files found at startup were left by a crash.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../core/config.ts';

/** The folder in which received files are processed. */
export function workFolderOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  const folder = path.join(dataDir, 'work');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes the leftovers of a crash. Call it before the first job runs. */
export function emptyWorkFolder(config: Pick<Config, 'dataDir'>): void {
  rmSync(workFolderOf(config), { recursive: true, force: true });
}
