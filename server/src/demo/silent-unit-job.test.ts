import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { SILENT_UNIT, silentUnitJob } from './silent-unit-job.ts';

const RECEIVED = new Date('2026-11-20T09:00:00Z');
const LAST_FIX = new Date('2026-11-20T08:13:00Z');
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer([]);
});
afterEach(() => server.close());

it("the demo's broken unit was last heard at its last position; other units when they sent something", async () => {
  const { db } = server.deps.database;
  const { firstBus, secondBus } = await insertTestFleet(db);
  await db.updateTable('units').set({ last_seen_at: RECEIVED, last_fix_at: LAST_FIX }).execute();
  await db
    .updateTable('units')
    .set({ device_id: SILENT_UNIT })
    .where('workplace_id', '=', firstBus.busId)
    .execute();
  const run = silentUnitJob(server.deps).run;
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.abort() };
  await run({}, context);
  const rows = await db.selectFrom('units').select(['workplace_id', 'last_seen_at']).execute();
  const seen = new Map(rows.map((row) => [row.workplace_id, row.last_seen_at]));
  expect(seen.get(firstBus.busId)).toEqual(LAST_FIX);
  expect(seen.get(secondBus.busId)).toEqual(RECEIVED);
});
