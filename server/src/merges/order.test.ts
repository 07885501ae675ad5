import { MAX_OPEN_MERGES, type MergeRequest } from '@ridewatch/contract/merges';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import type { Tx } from '../core/db/db.ts';
import { ffmpeg } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addMerges } from './api.ts';
import { mergeJob, mergeJobs } from './job.ts';
import { nudgeNext } from './order.ts';

const DAY = Date.parse('2026-11-20T06:00:00Z');
const NOW_MS = Date.parse('2026-11-20T20:00:00Z');
const CONTEXT = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
/** Ended requests for each waiting one. */
const ENDED = 5000;
const MERGED_FILE = { sizeBytes: 1, sha256: Buffer.alloc(32), durationMs: 1000 };
type Login = 'first' | 'second';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
const buses: Record<string, TestBus> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addMerges]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['first', 'second'] as const) {
    tokens[login] = await server.signIn(login);
    buses[login] = await insertTestBus(server.deps.database.db, fleet[login], `Автобус ${login}`);
    for (const minute of [0, 1, 2, 3, 4]) {
      const startMs = DAY + minute * 60_000;
      await insertStoredFragment(server, buses[login], {
        startMs,
        lengthMs: 2000,
        video: Buffer.from('v'),
      });
    }
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.advance(60_000);
  const { db } = server.deps.database;
  await db.updateTable('merge_requests').set({ status: 'FAILED' }).execute();
  await dropJobs();
});
const dropJobs = () =>
  sql`delete from graphile_worker._private_jobs`.execute(server.deps.database.db);

async function request(login: Login, minutes: number) {
  server.clock.advance(1000);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/concatenated-medias/merge',
    headers: { authorization: `Bearer ${tokens[login]}` },
    body: {
      from: new Date(DAY).toISOString(),
      to: new Date(DAY + minutes * 60_000 + 1000).toISOString(),
      deviceId: buses[login]?.cameras.door1,
    },
  });
  return { status: answer.statusCode, body: answer.json<MergeRequest>() };
}

/** Runs the jobs as the one worker does. @returns the customers of the merges, in order */
async function makeAll(takeJob: () => Promise<number | undefined>): Promise<string[]> {
  const { db } = server.deps.database;
  const made: string[] = [];
  for (let id = await takeJob(); id !== undefined; id = await takeJob()) {
    server.clock.advance(1000);
    await mergeJob(server.deps, ffmpeg, async () => MERGED_FILE).run({ requestId: id }, CONTEXT);
    const row = await db
      .selectFrom('merge_requests')
      .select(['status', 'client_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.status).toBe('COMPLETE');
    made.push(row.client_id === fleet.first ? 'first' : 'second');
  }
  return made;
}

async function takeJob(): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`delete from graphile_worker._private_jobs where id = (
    select id from graphile_worker._private_jobs order by priority, run_at, id limit 1)
    returning (payload->>'requestId')::int as id`.execute(server.deps.database.db);
  return rows[0]?.id;
}

async function listPriorities(): Promise<number[]> {
  const { rows } = await sql<{ priority: number }>`select priority from graphile_worker.jobs
    order by split_part(key, ':', 2)::int`.execute(server.deps.database.db);
  return rows.map(({ priority }) => priority);
}

/** Rows of requests that the connection has read. */
async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname = 'merge_requests'`.execute(tx);
  return rows[0]?.read ?? 0;
}

const askMany = async (...logins: Login[]) => {
  const asked = { first: 0, second: 0 };
  for (const login of logins) {
    const { status, body } = await request(login, asked[login]);
    expect([status, body]).toEqual([200, expect.anything()]);
    asked[login] += 1;
  }
};

describe('merges of several customers', () => {
  it('take turns, however many one of them asked for first', async () => {
    await askMany('first', 'first', 'first', 'first', 'second', 'second');
    const made = await makeAll(takeJob);
    expect(made).toEqual(['first', 'second', 'first', 'second', 'first', 'first']);
  });

  it('take turns also with those who go on asking', async () => {
    await askMany('first', 'first', 'first', 'second');
    let asked = 1;
    const made = await makeAll(async () => {
      // After each merge the second customer requests another.
      if (asked < 4) await request('second', asked);
      asked += 1;
      return takeJob();
    });
    expect(made.slice(0, 6)).toEqual(['first', 'second', 'first', 'second', 'first', 'second']);
  });

  it('take turns also if another process let all jobs go meanwhile', async () => {
    await askMany('first', 'first', 'first', 'second', 'second');
    const made = await makeAll(async () => {
      const id = await takeJob();
      await dropJobs();
      return id;
    });
    expect(made).toEqual(['first', 'second', 'first', 'second', 'first']);
  });

  it('have their places again after their jobs were lost', async () => {
    await askMany('first', 'first', 'first', 'second', 'second');
    expect(await listPriorities()).toEqual([0, 1, 2, 0, 1]);
    await dropJobs();
    server.clock.advance(2 * 60_000);
    const sweep = mergeJobs(server.deps).find(({ name }) => name === 'sweep_merges');
    await sweep?.run({}, CONTEXT);
    expect(await listPriorities()).toEqual([0, 1, 2, 0, 1]);
  });

  it('find the next one without reading all that ever ended', async () => {
    const { db } = server.deps.database;
    await askMany('first', 'second', 'second');
    await sql`
      insert into merge_requests (camera_id, client_id, user_id, from_time, to_time, processed,
        created_at, status, completed_at)
      select camera_id, client_id, user_id, from_time, to_time, processed,
        created_at - n * interval '1 minute', 'COMPLETE', created_at - n * interval '1 minute'
      from merge_requests, generate_series(1, ${ENDED}::int) as n
      where status = 'PROCESS'`.execute(db);
    await sql`analyze merge_requests`.execute(db);
    const ended = await takeJob();
    // Another process let the jobs of the waiting ones go.
    await dropJobs();
    await db.transaction().execute(async (tx) => {
      const before = await countRead(tx);
      await nudgeNext(tx, ended ?? 0, new Date(server.clock.nowMs()));
      expect((await countRead(tx)) - before).toBeLessThan(100);
    });
  });

  it('are refused to a customer with too many unfinished ones, until one has ended', async () => {
    const { db } = server.deps.database;
    const ids: number[] = [];
    for (let n = 0; n < MAX_OPEN_MERGES; n += 1) {
      ids.push(await insertTestMerge(db, fleet.firstBus, fleet.first, { at: new Date(DAY + n) }));
    }
    const refused = await request('first', 1);
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } });
    expect((await request('second', 1)).status).toBe(200);
    await server.app.inject({
      method: 'POST',
      url: `/api/concatenated-medias/cancel/${ids[0]}`,
      headers: { authorization: `Bearer ${tokens.first}` },
      body: {},
    });
    expect((await request('first', 1)).status).toBe(200);
  });
});
