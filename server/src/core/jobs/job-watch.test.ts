import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { createAuthenticators } from '../../auth/authenticators.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import type { ServerRole } from '../config.ts';
import { listJobBacklogs } from './job-backlogs.ts';
import { notifyAdministrators } from './job-watch.ts';
import { addJob, type JobDefinition, startJobs } from './jobs.ts';

const WAIT = { timeout: 60_000, interval: 20 };

let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(server.deps.database.db);
  await server.deps.database.db.deleteFrom('messages').execute();
  await server.deps.database.db.deleteFrom('backlog_samples').execute();
});

async function ageJobs(minutes: number): Promise<void> {
  await sql`update graphile_worker._private_jobs
    set run_at = now() - ${minutes} * interval '1 minute'`.execute(server.deps.database.db);
}

async function notices(): Promise<unknown[]> {
  const { db } = server.deps.database;
  await notifyAdministrators(db, () => listJobBacklogs(db), server.clock.nowMs());
  const rows = await db
    .selectFrom('messages')
    .select('details')
    .where('for_admins', '=', true)
    .execute();
  return rows.map(({ details }) => details);
}

it('laps that never end hold up no video, no merge and no sweep', async () => {
  const { database, log, metrics } = server.deps;
  const over = Promise.withResolvers<void>();
  const ran: string[] = [];
  const stuck = (name: 'laps_of_day' | 'laps_of_slow_day' | 'laps_of_past_day'): JobDefinition => ({
    name,
    run: () => over.promise,
  });
  const quick = (
    name: 'verify_upload' | 'merge' | 'sweep_uploads' | 'retention',
  ): JobDefinition => ({
    name,
    run: async () => void ran.push(name),
  });
  for (let bus = 0; bus < 30; bus += 1) {
    await addJob(database.db, 'laps_of_day', {}, { priority: -10 });
    await addJob(database.db, 'laps_of_slow_day', {}, { priority: -10 });
    await addJob(database.db, 'laps_of_past_day', {}, { priority: -10 });
  }
  const names = ['verify_upload', 'merge', 'sweep_uploads', 'retention'] as const;
  const jobs = await startJobs(
    database,
    [
      stuck('laps_of_day'),
      stuck('laps_of_slow_day'),
      stuck('laps_of_past_day'),
      ...names.map(quick),
    ],
    { log, metrics },
  );
  for (const name of names) await addJob(database.db, name, {});
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(names.toSorted()), WAIT);
  over.resolve();
  await jobs.stop();
});

it('what waits is measured by class, with the age of the oldest job', async () => {
  const { db } = server.deps.database;
  await addJob(db, 'verify_upload', {});
  await addJob(db, 'count_segment', {});
  await ageJobs(11);
  await addJob(db, 'merge', {});
  await addJob(db, 'retention', {}, { delayMs: 60_000 });
  const { body } = await server.app.inject('/metrics');
  const numberOf = (name: string, of: string): number =>
    Number(new RegExp(`${name}\\{class="${of}"\\} (\\S+)`).exec(body)?.[1]);
  expect(numberOf('ridewatch_jobs_waiting', 'video')).toBe(2);
  expect(numberOf('ridewatch_jobs_waiting', 'merges')).toBe(1);
  expect(numberOf('ridewatch_jobs_waiting', 'schedule')).toBe(0);
  expect(numberOf('ridewatch_jobs_oldest_seconds', 'video')).toBeGreaterThan(650);
  expect(numberOf('ridewatch_jobs_oldest_seconds', 'merges')).toBeLessThan(60);
});

it('a class whose oldest job waits for more than ten minutes is degraded, and administrators read of it', async () => {
  const { db } = server.deps.database;
  await addJob(db, 'verify_upload', {});
  await ageJobs(9);
  const fresh = await server.another();
  expect((await fresh.inject('/readyz')).json()).toEqual({ status: 'ok' });
  expect(await notices()).toEqual([]);
  await ageJobs(11);
  const later = await server.another();
  const answer = await later.inject('/readyz');
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { status: 'degraded', degraded: [{ class: 'video', waiting: 1 }] },
  ]);
  const stranger = await later.inject({ url: '/readyz', remoteAddress: '192.0.2.7' });
  expect([stranger.statusCode, stranger.json()]).toEqual([200, { status: 'ok' }]);
  const notice = { kind: 'jobs', classes: [{ class: 'video', waiting: 1, minutes: 11 }] };
  expect(await notices()).toEqual([notice]);
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  expect(await notices()).toEqual([]);
});

it('a class whose backlog shrinks is no fault, until it shrinks no more for ten minutes', async () => {
  const { db } = server.deps.database;
  for (let bus = 0; bus < 20; bus += 1) await addJob(db, 'laps_of_past_day', {});
  await ageJobs(60);
  expect(await notices()).toMatchObject([{ kind: 'jobs', classes: [{ class: 'past' }] }]);
  const later = (minutes: number) =>
    sql`update backlog_samples set minute = minute - ${minutes} * interval '1 minute'`.execute(db);
  await later(5);
  await sql`delete from graphile_worker._private_jobs where id in (
    select id from graphile_worker._private_jobs limit 3)`.execute(db);
  expect(await notices()).toEqual([]);
  await later(6);
  expect(await notices()).toMatchObject([{ classes: [{ class: 'past', waiting: 17 }] }]);
});

it('a class whose job fails again and again is degraded, too', async () => {
  const { db } = server.deps.database;
  await addJob(db, 'merge', {});
  const failTo = (attempts: number) =>
    sql`update graphile_worker._private_jobs set attempts = ${attempts},
      run_at = now() + interval '60 s', last_error = 'no'`.execute(db);
  // After three attempts at most 30 s have passed, after seven at least 12 minutes.
  await failTo(3);
  expect(await notices()).toEqual([]);
  await failTo(7);
  expect(await notices()).toMatchObject([{ kind: 'jobs', classes: [{ class: 'merges' }] }]);
});

it.each<ServerRole>(['api', 'worker'])(
  'administrators read of a class that is behind within a minute where the role %s runs alone',
  async (role) => {
    const { db } = server.deps.database;
    await addJob(db, 'verify_upload', {});
    await ageJobs(11);
    const deps = { ...server.deps, config: { ...server.deps.config, roles: [role] } };
    const told = () =>
      db.selectFrom('messages').select('details').where('for_admins', '=', true).execute();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const app = await buildApp(deps, await createAuthenticators(deps), []);
    try {
      expect(await told()).toEqual([]);
      vi.advanceTimersByTime(60_000);
      await vi.waitFor(
        async () =>
          expect(await told()).toMatchObject([
            { details: { kind: 'jobs', classes: [{ class: 'video', waiting: 1 }] } },
          ]),
        WAIT,
      );
    } finally {
      await app.close();
      vi.useRealTimers();
    }
  },
);

it('administrators read of days whose laps break a limit, until they are worked out', async () => {
  const { db } = server.deps.database;
  await db
    .insertInto('lap_days')
    .values([
      {
        workplace_id: fleet.firstBus.busId,
        day: '2026-03-09',
        failure: 'too_long',
        taken_at: new Date(server.clock.nowMs() - 1000),
      },
      {
        workplace_id: fleet.secondBus.busId,
        day: '2026-03-10',
        failure: 'too_large',
        taken_at: new Date(server.clock.nowMs()),
      },
    ])
    .execute();
  const { name } = await db
    .selectFrom('workplaces')
    .select('name')
    .where('id', '=', fleet.secondBus.busId)
    .executeTakeFirstOrThrow();
  expect(await notices()).toEqual([
    { kind: 'laps', days: 2, buses: 2, bus: name, day: '2026-03-10', reason: 'too_large' },
  ]);
  // A user who closed the notice sees one about another day, but not the same one again.
  const idOf = async () =>
    (await db.selectFrom('messages').select('id').where('key', '=', 'laps').execute())[0]?.id;
  const known = await idOf();
  await notices();
  expect(await idOf()).toBe(known);
  await db
    .updateTable('lap_days')
    .set({ failure: null })
    .where('workplace_id', '=', fleet.firstBus.busId)
    .execute();
  await notices();
  expect(await idOf()).not.toBe(known);
  server.clock.advance(8 * 24 * 3_600_000);
  expect(await notices()).toEqual([]);
  await db.updateTable('lap_days').set({ failure: null }).execute();
  expect(await notices()).toEqual([]);
});
