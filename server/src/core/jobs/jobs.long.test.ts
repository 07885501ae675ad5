import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { createTestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { addJob, startJobs } from './jobs.ts';

const server = useWorld(() => createTestServer([]));

it('A worker removes by itself a job that failed after a newer one had replaced it', async () => {
  const { database, log, metrics } = server.deps;
  const { db } = database;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const ran: unknown[] = [];
  const run = async (payload: unknown): Promise<void> => {
    ran.push(payload);
    if (ran.length > 1) return;
    begun.resolve();
    await over.promise;
    throw new Error('terminating connection due to administrator command');
  };
  const countJobs = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = 'merge'`.execute(db)).rows
      .length;
  await addJob(db, 'merge', { n: 1 }, { key: 'merge:1' });
  const jobs = await startJobs(database, [{ name: 'merge', run }], { log, metrics });
  await begun.promise;
  await addJob(db, 'merge', { n: 2 }, { key: 'merge:1' });
  over.resolve();
  await vi.waitUntil(async () => (await countJobs()) === 0);
  expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
  await jobs.stop();
});
