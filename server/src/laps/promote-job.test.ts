import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { listWaitingDays } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { promoteLapsJob } from './promote-job.ts';
import { requestLaps } from './queries.ts';

let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

it('lets the newest days of a held-up past run with the present, some at a time', async () => {
  const { db } = server.deps.database;
  const { busId } = fleet.firstBus;
  const days = Array.from({ length: 30 }, (_, n) => `2026-03-${String(n + 1).padStart(2, '0')}`);
  await db
    .transaction()
    .execute((tx) => requestLaps(tx, busId, days, { nowMs: server.clock.nowMs() }));
  const promote = () =>
    promoteLapsJob(server.deps).run({}, { jobId: '1', attempt: 1, lastAttempt: false });
  await promote();
  expect((await listWaitingDays(db, busId)).filter(({ priority }) => priority === 0)).toEqual([]);

  await sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs), run_at := now() - interval '5 minutes')`.execute(
    db,
  );
  await promote();
  const promoted = (await listWaitingDays(db, busId)).filter(({ priority }) => priority === 0);
  expect(promoted.map(({ day }) => day)).toEqual(days.slice(10));
});
