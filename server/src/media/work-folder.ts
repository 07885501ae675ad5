// Received files are worked on beside the process's other data: large ones do not belong into a temporary folder, which
// may lie in memory. The data folder is one process's alone, so whatever lies there at its start was left by a crash.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../core/config.ts';

/** The folder in which received files are worked on. */
export function workFolderOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  const folder = path.join(dataDir, 'work');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Removes what a crash left. Call it before the first job runs. */
export function emptyWorkFolder(config: Pick<Config, 'dataDir'>): void {
  rmSync(workFolderOf(config), { recursive: true, force: true });
}
