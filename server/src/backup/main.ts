// npm run backup -- DIR, npm run restore -- DIR.
import path from 'node:path';
import { createClock } from '../core/clock.ts';
import { readConfig } from '../core/config.ts';
import { openInstalledDatabase, openNewDatabase } from '../core/db/installed-database.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { findStorage, openStorage } from '../storage/open.ts';
import { writeBackup } from './backup.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';

const [command, folder] = process.argv.slice(2);

async function main(): Promise<void> {
  if ((command !== 'backup' && command !== 'restore') || folder === undefined) {
    throw new Error('Usage: npm run backup -- DIR, or npm run restore -- DIR');
  }
  const target = path.resolve(folder);
  const { tables, media } = await (command === 'backup' ? backUp(target) : restore(target));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(`${command}: ${rows} rows, ${media.length} media files, ${target}\n`);
}

async function backUp(folder: string): Promise<Manifest> {
  const config = readConfig();
  const database = await openInstalledDatabase(config);
  try {
    const nowMs = createClock(config.clockOffsetMs).nowMs();
    return await writeBackup(database.url, await findStorage(config), folder, nowMs);
  } finally {
    await database.close();
  }
}

async function restore(folder: string): Promise<Manifest> {
  // Before a database is created for a mistyped folder.
  await readManifest(folder);
  const config = readConfig();
  const database = await openNewDatabase(config);
  try {
    const manifest = await restoreBackup(database.url, await openStorage(config), folder);
    await migrateJobs(database.url);
    return manifest;
  } finally {
    await database.close();
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
