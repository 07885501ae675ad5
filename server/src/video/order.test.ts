import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { sweepVideoJob } from './sweep-job.ts';
import { finishUpload } from './uploads/accept-upload.ts';

const NOW_MS = Date.parse('2026-11-20T20:00:00Z');
const CONTEXT = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
type Customer = 'first' | 'second';

let server: TestServer;
let fleet: TestFleet;
/** Two buses each: a customer takes its turns whichever bus sends. */
const buses: Record<Customer, TestBus[]> = { first: [], second: [] };
let sent = 0;
beforeAll(async () => {
  server = await createTestServer([]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  for (const customer of ['first', 'second'] as const) {
    for (const n of [1, 2]) {
      buses[customer].push(await insertTestBus(db, fleet[customer], `Автобус ${customer} ${n}`));
    }
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(NOW_MS);
  await sql`delete from uploads`.execute(server.deps.database.db);
  await dropJobs();
});
const dropJobs = () =>
  sql`delete from graphile_worker._private_jobs`.execute(server.deps.database.db);

/** A customer's unit has sent the whole video of a fragment. @returns the upload's id, which names the customer */
async function send(
  customer: Customer,
  requestedBy: 'user' | 'nobody' = 'nobody',
): Promise<string> {
  const { db } = server.deps.database;
  sent += 1;
  server.clock.advance(1000);
  const bus = buses[customer][sent % 2];
  if (bus === undefined) throw new Error('no bus');
  const startMs = NOW_MS - 60_000 * sent;
  const fragment = { startMs, lengthMs: 20_000, status: 'LOADING' } as const;
  const fragmentId = await insertStoredFragment(server, bus, fragment);
  const from = requestedBy === 'user' ? 'DOWNLOADING_FROM_TASK' : 'ADDED';
  await db
    .updateTable('segments')
    .set({ status_from: from })
    .where('id', '=', fragmentId)
    .execute();
  const id = `${customer}:${requestedBy}:${randomUUID()}`;
  const at = new Date(NOW_MS);
  await db
    .insertInto('uploads')
    .values({
      ...{ id, unit_id: bus.unitId, segment_id: fragmentId, storage_key: id },
      ...{ length_bytes: 1, created_at: at, received_at: at },
    })
    .execute();
  await finishUpload(server.deps, id);
  return id;
}

const sendAll = async (...customers: Customer[]): Promise<void> => {
  for (const customer of customers) await send(customer);
};

/** Takes the next job as a worker does, and leaves it running. @returns the upload's id */
async function takeJob(): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where id = (
      select id from graphile_worker._private_jobs where locked_at is null and key like 'verify:%'
      order by priority, run_at, id limit 1)
    returning payload->>'uploadId' as id`.execute(server.deps.database.db);
  return rows[0]?.id;
}

/** The upload was verified. */
async function endJob(id: string): Promise<void> {
  const { db } = server.deps.database;
  await sql`delete from graphile_worker._private_jobs where key = ${`verify:${id}`}`.execute(db);
  await db.deleteFrom('uploads').where('id', '=', id).execute();
}

/** Verifies all. @param meanwhile something that happens while one is verified */
async function verifyAll(meanwhile?: () => Promise<unknown>): Promise<string[]> {
  const order: string[] = [];
  for (let id = await takeJob(); id !== undefined; id = await takeJob()) {
    await meanwhile?.();
    await endJob(id);
    order.push(id.split(':').slice(0, 2).join(' '));
  }
  return order;
}

const ofNobody = (...customers: Customer[]) => customers.map((customer) => `${customer} nobody`);

describe('uploads of several customers', () => {
  it('are verified in turns, however many one of them sent first', async () => {
    await sendAll('first', 'first', 'first', 'first', 'second', 'second');
    expect(await verifyAll()).toEqual(
      ofNobody('first', 'second', 'first', 'second', 'first', 'first'),
    );
  });

  it('are verified in turns also with those who go on sending', async () => {
    await sendAll('first', 'first', 'first', 'first', 'second');
    let left = 4;
    const order = await verifyAll(async () => {
      left -= 1;
      if (left >= 0) await send('second');
    });
    expect(order.slice(0, 8)).toEqual(
      ofNobody('first', 'second', 'first', 'second', 'first', 'second', 'first', 'second'),
    );
  });

  it('that users requested go first in each round, and hold up no other customer', async () => {
    await sendAll('first', 'second');
    for (let n = 0; n < 3; n += 1) await send('first', 'user');
    expect(await verifyAll()).toEqual([
      'first user',
      'first nobody',
      'second nobody',
      'first user',
      'first user',
    ]);
  });

  it('have their turns again after their jobs were lost', async () => {
    await sendAll('first', 'first', 'first', 'second', 'second');
    await dropJobs();
    server.clock.advance(11 * 60_000);
    await sweepVideoJob(server.deps).run({}, CONTEXT);
    expect(await verifyAll()).toEqual(ofNobody('first', 'second', 'first', 'second', 'first'));
  });

  it('stay between the counts of new fragments and the recounts, however many there are', async () => {
    const { db } = server.deps.database;
    await send('first');
    await sql`update graphile_worker._private_jobs set priority = ${videoPriorities.lastVerification}`.execute(
      db,
    );
    await send('first');
    const { rows } = await sql<{ priority: number }>`
      select priority from graphile_worker.jobs order by id`.execute(db);
    const { lastVerification, firstRecount, count } = videoPriorities;
    expect(rows.map(({ priority }) => priority)).toEqual([lastVerification, lastVerification]);
    expect(count).toBeLessThan(videoPriorities.firstVerification);
    expect(lastVerification).toBeLessThan(firstRecount);
  });
});
