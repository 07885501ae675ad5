import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startDatabaseProcess } from '../core/db/database-process.ts';
import { migrate } from '../core/db/db.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The test run's own PostgreSQL; its database `template_ridewatch` is migrated. */
    postgresUrl: string;
    /** Folder for the databases of tests. */
    data: string;
    /** The default IANA zone of fixture buses. */
    fleetZone: string;
    /** Whether slow properties are tried as often as they can be (tries-of.ts). */
    triesEverything: boolean;
  }
}

/** Starts one PostgreSQL for the run, with a migrated template that every test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(project.getProvidedContext().data, 'ridewatch-test-'));
  await chmod(folder, 0o755);
  const database = await startDatabaseProcess(path.join(folder, 'postgres'), {
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
      // Its data may lie in memory (scripts/data-folder.ts).
      max_wal_size: '256MB',
    },
  });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('create database template_ridewatch');
  await admin.end();
  const templateUrl = database.url.replace(/postgres$/, 'template_ridewatch');
  await migrate(templateUrl);
  await migrateJobs(templateUrl);
  project.provide('postgresUrl', database.url);
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
