import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { MAX_OPEN_RECALCULATIONS, type Recalculation } from '@ridewatch/contract/recalculation';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockClients } from '../auth/accounts.ts';
import { addAuth } from '../auth/api.ts';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { countFragmentJob } from '../counts/count-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { whileLocked } from '../test/blocked.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce } from '../test/video.ts';
import { addRecalculation } from './api.ts';
import { recalculateFragmentsJob } from './job.ts';

const START_MS = Date.UTC(2026, 10, 20, 6);
const MINUTE_MS = 60_000;
const CONTEXT = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let buses = 0;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addRecalculation]);
  server.clock.set(START_MS + 2 * 60 * MINUTE_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${400 + buses}`);
});

/** A fragment in a state, with a stored file if it was fetched. */
async function fragment(minute: number, status: FragmentStatus, camera = 'door1'): Promise<number> {
  const { db } = server.deps.database;
  const { fragmentId } = await announce(server, bus, START_MS + minute * MINUTE_MS, 'kept', {
    camera,
  });
  await db.updateTable('segments').set({ status }).where('id', '=', fragmentId).execute();
  if (status !== 'LIVE' && status !== 'DOWNLOAD_FAIL') {
    const file = { storage_key: `video/${fragmentId}`, size_bytes: 1, sha256: Buffer.alloc(32) };
    await db
      .insertInto('segment_files')
      .values({ segment_id: fragmentId, variant: 'playable', created_at: new Date(), ...file })
      .execute();
  }
  return fragmentId;
}
const statusOf = async (id: number): Promise<string> =>
  (
    await server.deps.database.db
      .selectFrom('segments')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;
const ask = async (body: object, by = token) => {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/segments/recalculate/${bus.cameras.door1}`,
    headers: { authorization: `Bearer ${by}` },
    body: {
      from: new Date(START_MS).toISOString(),
      to: new Date(START_MS + 60 * MINUTE_MS).toISOString(),
      ...body,
    },
  });
  return { status: answer.statusCode, body: answer.json<Recalculation>() };
};
const latest = async (): Promise<Recalculation> => {
  const url = `/api/segments/recalculate/${bus.cameras.cabin}`;
  const answer = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return answer.json<{ recalculation: Recalculation }>().recalculation;
};
const run = (id: number) => recalculateFragmentsJob(server.deps).run({ id }, CONTEXT);
const waitingJobs = async (name: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from graphile_worker.jobs where task_identifier = ${name}`.execute(server.deps.database.db);
  return rows[0]?.count ?? 0;
};

describe('a recalculation', () => {
  it('counts what was counted anew, leaves the rest alone, and says how far it is', async () => {
    const counted = await fragment(1, 'PROCESSED');
    const merged = await fragment(2, 'WAS_MERGED');
    const kept = await fragment(3, 'LIVE');
    const outside = await fragment(61, 'PROCESSED');
    const otherDoor = await fragment(4, 'PROCESSED', 'door2');
    const { body } = await ask({});
    expect(body).toMatchObject({ state: 'running', total: 0 });
    await run(body.id);
    const states = await Promise.all([counted, merged, kept, outside, otherDoor].map(statusOf));
    expect(states).toEqual(['PROCESSING', 'PROCESSING', 'LIVE', 'PROCESSED', 'PROCESSED']);
    expect(await latest()).toMatchObject({ state: 'running', total: 2, done: 0, failed: 0 });
    await countFragmentJob(server.deps).run({ segmentId: counted }, CONTEXT);
    expect(await latest()).toMatchObject({ total: 2, done: 1 });
    await countFragmentJob(server.deps).run({ segmentId: merged }, CONTEXT);
    expect(await latest()).toMatchObject({ state: 'done', total: 2, done: 2, failed: 0 });
    expect(await statusOf(merged)).toBe('WAS_MERGED');
  });

  it('keeps manual counts', async () => {
    const { db } = server.deps.database;
    const id = await fragment(1, 'PROCESSED');
    const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const typed = { entered: 3, exited: null, entered_kids: 1, exited_kids: null };
    await db
      .insertInto('manual_counts')
      .values({ segment_id: id, ...typed, updated_by: user.id, updated_at: new Date() })
      .execute();
    await run((await ask({})).body.id);
    await countFragmentJob(server.deps).run({ segmentId: id }, CONTEXT);
    expect(
      await db.selectFrom('manual_counts').selectAll().where('segment_id', '=', id).execute(),
    ).toMatchObject([typed]);
  });

  it('with reload fetches the files again first, of service cameras too', async () => {
    const counted = await fragment(1, 'PROCESSED');
    const failed = await fragment(2, 'DOWNLOAD_FAIL');
    const kept = await fragment(3, 'LIVE');
    const cabin = await fragment(4, 'LOADED', 'cabin');
    const cameraIds = [bus.cameras.cabin, bus.cameras.door1];
    await run((await ask({ reload: true, cameraIds })).body.id);
    const states = await Promise.all([counted, failed, kept, cabin].map(statusOf));
    const asked = 'DOWNLOADING_FROM_TASK';
    expect(states).toEqual([asked, asked, 'LIVE', asked]);
    const open = await server.deps.database.db
      .selectFrom('unit_commands')
      .select('segment_id')
      .where('unit_id', '=', bus.unitId)
      .where('finished_at', 'is', null)
      .execute();
    expect(open).toHaveLength(3);
  });

  it('asked for twice is one, and its job may run twice', async () => {
    await fragment(1, 'PROCESSED');
    const before = await waitingJobs('count_segment');
    const first = await ask({});
    const second = await ask({});
    expect(second.body.id).toBe(first.body.id);
    await run(first.body.id);
    await run(first.body.id);
    expect((await waitingJobs('count_segment')) - before).toBe(1);
    expect(await latest()).toMatchObject({ total: 1 });
    expect((await ask({ reload: true })).body.id).not.toBe(first.body.id);
  });

  it('is done also while an integrator of the customer changes the bus', async () => {
    const { busId } = bus;
    // As every such change: first the customers, then the bus.
    const answers = await whileLocked(
      server.deps.database.db,
      (tx) => lockClients(tx, [fleet.first]),
      [() => ask({})],
      (tx) => sql`select from workplaces where id = ${busId} for no key update`.execute(tx),
    );
    expect(answers).toMatchObject([{ status: 200 }]);
  });

  it('goes after the video that units have just sent, and takes turns with other customers', async () => {
    const { db } = server.deps.database;
    const priorities = async (): Promise<number[]> => {
      const { rows } = await sql<{ priority: number }>`select priority from graphile_worker.jobs
        where task_identifier = 'count_segment' order by id`.execute(db);
      return rows.map(({ priority }) => priority);
    };
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await db.updateTable('segments').set({ status: 'PROCESSED' }).execute();
    for (const minute of [0, 1, 2]) await fragment(minute, 'PROCESSED');
    await run((await ask({})).body.id);
    bus = await insertTestBus(db, fleet.second, `Автобус ${900 + buses}`);
    for (const minute of [0, 1]) await fragment(minute, 'PROCESSED');
    await run((await ask({})).body.id);
    expect(await priorities()).toEqual(
      [0, 1, 2, 0, 1].map((ahead) => videoPriorities.firstRecount + ahead),
    );
    expect(videoPriorities.firstRecount).toBeGreaterThan(videoPriorities.lastVerification);
  });

  it('is refused to a customer of whom too many still choose their fragments', async () => {
    const { db } = server.deps.database;
    await db.updateTable('recalculations').set({ listed_at: new Date() }).execute();
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    const until = (n: number) => ({ to: new Date(START_MS + n * MINUTE_MS).toISOString() });
    for (let n = 1; n <= MAX_OPEN_RECALCULATIONS; n += 1) {
      expect((await ask(until(n))).status).toBe(200);
    }
    expect(await ask(until(59))).toMatchObject({ status: 429 });
    bus = await insertTestBus(db, fleet.second, `Автобус ${900 + buses}`);
    expect((await ask(until(1))).status).toBe(200);
    const { rows } = await sql<{ priority: number }>`select priority from graphile_worker.jobs
      where task_identifier = 'recalculate_segments' order by id`.execute(db);
    expect(rows.map(({ priority }) => priority)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
    await db.updateTable('recalculations').set({ listed_at: new Date() }).execute();
  });

  it('lets others go first once it had its turn', async () => {
    for (const minute of [0, 1, 2]) await fragment(minute, 'PROCESSED');
    const { body } = await ask({});
    await sql`delete from graphile_worker._private_jobs`.execute(server.deps.database.db);
    let nowMs = server.clock.nowMs();
    const clock = {
      ...server.clock,
      nowMs: () => {
        nowMs += 4000;
        return nowMs;
      },
    };
    await recalculateFragmentsJob({ ...server.deps, clock }).run({ id: body.id }, CONTEXT);
    expect(await waitingJobs('count_segment')).toBe(1);
    expect(await waitingJobs('recalculate_segments')).toBe(1);
    await run(body.id);
    expect(await waitingJobs('count_segment')).toBe(3);
  });

  it('waits for a fragment that is being merged', async () => {
    const merging = await fragment(1, 'MERGING');
    const { body } = await ask({});
    await run(body.id);
    expect(await latest()).toMatchObject({ state: 'running', total: 0 });
    await server.deps.database.db
      .updateTable('segments')
      .set({ status: 'WAS_MERGED' })
      .where('id', '=', merging)
      .execute();
    await run(body.id);
    expect(await latest()).toMatchObject({ total: 1 });
  });

  it('is refused to others than administrators, of several buses, and of an empty or too long period', async () => {
    const integrator = await server.signIn('integrator');
    expect((await ask({}, integrator)).status).toBe(403);
    const other = fleet.secondBus.cameras.door1;
    expect((await ask({ cameraIds: [bus.cameras.door1, other] })).status).toBe(400);
    expect((await ask({ cameraIds: [999_999] })).status).toBe(404);
    expect((await ask({ to: new Date(START_MS).toISOString() })).status).toBe(400);
    expect((await ask({ to: new Date(START_MS + 94 * 86_400_000).toISOString() })).status).toBe(
      400,
    );
  });
});
