import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listJobBacklogs } from '../../core/jobs/job-backlogs.ts';
import { createLapDays, DAY, HOUR_MS, MINUTE_MS, START_MS } from '../../test/lap-days.ts';
import { positionRecords, runRecalculation, sendRecords } from '../../test/laps.ts';
import { DayLimitError } from './day-limit.ts';
import { lapsOfPackedDay, type PackedDay } from './packed-day.ts';
import { sweepLapsJob } from './sweep-job.ts';

const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
let days: Awaited<ReturnType<typeof createLapDays>>;
beforeAll(async () => {
  days = await createLapDays();
});
afterAll(() => days.server.close());

describe('a day that breaks a limit', () => {
  const tooLong = () => Promise.reject(new DayLimitError('too_long'));

  it('says so, keeps its laps, and is not tried again before something changes', async () => {
    const bus = await days.newBus();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await days.run(bus);
    const before = await days.lapsOf(bus);
    await days.sendBatch(bus);
    await days.run(bus, tooLong);
    expect(await days.look(bus)).toMatchObject({ failure: 'too_long', pending: false });
    expect(await days.lapsOf(bus)).toEqual(before);
    expect(await days.workOn(bus)).toMatchObject({ dueS: null, failure: 'too_long' });
    // A repeated job finds nothing to do.
    await days.run(bus, () => Promise.reject(new Error('computed again')));
  });

  it('is tried ever more seldom for what its unit sends, and at once after an edit', async () => {
    const bus = await days.newBus();
    const waits: (number | null)[] = [];
    for (let time = 0; time < 4; time += 1) {
      await days.sendBatch(bus);
      await days.run(bus, tooLong);
      await days.sendBatch(bus);
      waits.push((await days.workOn(bus)).dueS);
    }
    expect(waits).toEqual([300, 600, 1200, 2400]);
    await days.edit(bus);
    expect((await days.workOn(bus)).dueS).toBe(1);
    await days.run(bus);
    expect(await days.workOn(bus)).toMatchObject({ failure: null });
  });

  it('is too large when it has more records than a day can have, and others go on', async () => {
    const { db } = days.server.deps.database;
    const [large, small] = [await days.newBus(), await days.newBus()];
    await days.sendDrive(large, START_MS, START_MS + 10 * MINUTE_MS);
    await days.sendDrive(small, START_MS, START_MS + 10 * MINUTE_MS);
    await db
      .updateTable('position_blocks')
      .set({ point_count: 1_000_000 })
      .where('unit_id', '=', large.unitId)
      .execute();
    await days.run(large);
    await days.run(small);
    expect(await days.workOn(large)).toMatchObject({ failure: 'too_large' });
    expect(await days.lapsOf(small)).toHaveLength(1);
  });
});

describe('days that are worked out anew', () => {
  it('are previewed with the names of those that failed, and the changes of the others', async () => {
    const { clock, app, deps } = days.server;
    const bus = await days.newBus();
    clock.set(START_MS - 48 * HOUR_MS);
    await days.sendBatch(bus);
    const dayBeforeMs = START_MS - 24 * HOUR_MS;
    clock.set(dayBeforeMs);
    await sendRecords(app, bus, positionRecords([[dayBeforeMs, 55.75, 37.61, 0]]), dayBeforeMs);
    await deps.database.db
      .updateTable('position_blocks')
      .set({ point_count: 1_000_001 })
      .where('unit_id', '=', bus.unitId)
      .execute();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    expect(await days.recalculate('POST', bus, '2026-03-07', DAY, true)).toMatchObject({
      status: 200,
      body: {
        items: [
          { date: '2026-03-08', laps_before: 0, laps_after: 1 },
          { date: DAY, laps_before: 0, laps_after: 1 },
        ],
        failed: [{ date: '2026-03-09', reason: 'too_large' }],
        recalculation: null,
      },
    });
  });

  it('go on after a failed day, and are given up after three', async () => {
    const bus = await days.newBus();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await days.recalculate('POST', bus, '2026-03-08', '2026-03-10');
    let day = 0;
    const stood = await runRecalculation(days.server.deps, async (packed) => {
      day += 1;
      if (day === 1) throw new DayLimitError('too_long');
      return lapsOfPackedDay(packed);
    });
    expect(stood).toMatchObject({ state: 'done', done: 3, total: 3 });
    expect(stood?.failed).toEqual([{ date: '2026-03-08', reason: 'too_long' }]);
    expect(stood?.items.map(({ date }) => date)).toEqual([DAY]);

    await days.recalculate('POST', bus, '2026-03-01', '2026-03-10');
    const given = await runRecalculation(days.server.deps, () =>
      Promise.reject(new DayLimitError('too_long')),
    );
    expect(given).toMatchObject({ state: 'given_up', done: 3, total: 10 });
  });

  it('are done when the last of them has failed: nothing is left to be given up', async () => {
    const bus = await days.newBus();
    await days.recalculate('POST', bus, '2026-03-08', '2026-03-10');
    const stood = await runRecalculation(days.server.deps, () =>
      Promise.reject(new DayLimitError('too_long')),
    );
    expect(stood).toMatchObject({ state: 'done', done: 3, total: 3, items: [] });
    expect(stood?.failed).toHaveLength(3);
  });

  it('are worked out once when two ask for the same, and others are told of it', async () => {
    const bus = await days.newBus();
    const first = await days.recalculate('POST', bus);
    expect(await days.recalculate('POST', bus)).toEqual(first);
    expect(await days.recalculate('POST', bus, '2026-03-09', DAY)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    });
  });

  it('end when somebody cancels them; the day that is worked out meanwhile is not stored', async () => {
    const bus = await days.newBus();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await days.recalculate('POST', bus, DAY, '2026-03-12');
    const stood = await runRecalculation(days.server.deps, async (day) => {
      await days.recalculate('DELETE', bus);
      return lapsOfPackedDay(day);
    });
    expect(stood).toMatchObject({ state: 'cancelled', done: 0, items: [] });
    expect(await days.lapsOf(bus)).toEqual([]);
    // The same holds later. A day that a batch requested is different.
    const quiet = await days.newBus();
    await days.recalculate('POST', quiet);
    await runRecalculation(days.server.deps, async (day) => {
      await days.recalculate('DELETE', quiet);
      return lapsOfPackedDay(day);
    });
    expect(await days.workOn(quiet)).toMatchObject({ taken: 1, stored: 1, dueS: null });
  });

  it('get their job back when it is lost', async () => {
    const { db } = days.server.deps.database;
    const bus = await days.newBus();
    await days.recalculate('POST', bus);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    days.server.clock.advance(10 * MINUTE_MS);
    await sweepLapsJob(days.server.deps).run({}, context);
    const { rows } = await sql<{ task: string }>`select task_identifier as task
      from graphile_worker.jobs where key like 'recalculate_laps:%'`.execute(db);
    expect(rows).toContainEqual({ task: 'recalculate_laps' });
    // The sweep leaves a recalculation that has its job, else its job would never be old enough for the warning.
    await sql`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`.execute(
      db,
    );
    await sweepLapsJob(days.server.deps).run({}, context);
    expect(
      (await listJobBacklogs(db)).find((one) => one.class === 'recalculation')?.oldestS,
    ).toBeGreaterThan(3000);
    expect(await runRecalculation(days.server.deps)).toMatchObject({ state: 'done' });
  });

  it('let other recalculations go first once they had their turn', async () => {
    const bus = await days.newBus();
    const { db } = days.server.deps.database;
    await days.recalculate('POST', bus, '2026-03-08', '2026-03-10');
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    const inSixSeconds = async (day: PackedDay) => {
      days.server.clock.advance(6000);
      return lapsOfPackedDay(day);
    };
    expect(await runRecalculation(days.server.deps, inSixSeconds)).toMatchObject({ done: 2 });
    const { rows } = await sql<{ task: string }>`
      select task_identifier as task from graphile_worker.jobs`.execute(db);
    expect(rows).toEqual([{ task: 'recalculate_laps' }]);
    expect(await runRecalculation(days.server.deps, inSixSeconds)).toMatchObject({ state: 'done' });
  });

  it('go on where a killed worker left them', async () => {
    const bus = await days.newBus();
    await days.recalculate('POST', bus, '2026-03-08', '2026-03-10');
    let worked = 0;
    const killed = runRecalculation(days.server.deps, async (day) => {
      worked += 1;
      if (worked === 2) throw new Error('killed');
      return lapsOfPackedDay(day);
    });
    await expect(killed).rejects.toThrow('killed');
    const stood = await runRecalculation(days.server.deps, async (day) => {
      worked += 1;
      return lapsOfPackedDay(day);
    });
    expect(stood).toMatchObject({ state: 'done', done: 3 });
    expect(worked).toBe(4);
  });
});
