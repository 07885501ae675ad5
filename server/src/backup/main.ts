// npm run backup -- DIR, npm run restore -- DIR.
import path from 'node:path';
import { createClock } from '../core/clock.ts';
import { readConfig } from '../core/config.ts';
import { startDatabaseProcess } from '../core/db/database-process.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { openStorage } from '../storage/open.ts';
import { writeBackup } from './backup.ts';
import { readManifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';

const [command, folder] = process.argv.slice(2);

async function main(): Promise<void> {
  if ((command !== 'backup' && command !== 'restore') || folder === undefined) {
    throw new Error('Usage: npm run backup -- DIR, or npm run restore -- DIR');
  }
  // Before a database is created for a mistyped folder.
  if (command === 'restore') await readManifest(path.resolve(folder));
  const config = readConfig();
  const own =
    config.databaseUrl === undefined
      ? await startDatabaseProcess(`${config.dataDir}/postgres`)
      : undefined;
  const url = config.databaseUrl ?? own?.url ?? '';
  try {
    const storage = await openStorage(config);
    const target = path.resolve(folder);
    const nowMs = createClock(config.clockOffsetMs).nowMs();
    const { tables, media } =
      command === 'backup'
        ? await writeBackup(url, storage, target, nowMs)
        : await restoreBackup(url, storage, target);
    if (command === 'restore') await migrateJobs(url);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(`${command}: ${rows} rows, ${media.length} media files, ${target}\n`);
  } finally {
    // A running server keeps its database.
    if (own?.adopted === false) await own.stop();
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
