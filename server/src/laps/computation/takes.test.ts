import { BOARD_KEPT_MS, BOARD_REFRESH_MS } from '@ridewatch/contract/board';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAPS_JOB, PAST_LAPS_JOB, SLOW_LAPS_JOB } from '../../days/nudge.ts';
import type { TestBus } from '../../test/fleet.ts';
import {
  createLapDays,
  DAY,
  HOUR_MS,
  MINUTE_MS,
  points,
  SECOND_MS,
  START_MS,
} from '../../test/lap-days.ts';
import { listWaitingDays, positionRecords, sendRecords } from '../../test/laps.ts';
import { DayLimitError } from './day-limit.ts';
import { lapsOfDayJob } from './job.ts';
import { type ComputeDay, lapsOfPackedDay } from './packed-day.ts';
import { sweepLapsJob } from './sweep-job.ts';

const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
/** From the moment that a day is due until its laps are stored. */
const WORK_MS = 30 * SECOND_MS;
let days: Awaited<ReturnType<typeof createLapDays>>;
beforeAll(async () => {
  days = await createLapDays();
});
afterAll(() => days.server.close());

describe('the laps of a bus', () => {
  it('that nobody looks at are worked out within five minutes, whatever else it sends', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    expect((await days.workOn(bus)).dueS).toBe(210);
    days.server.clock.advance(100 * SECOND_MS);
    await days.sendBatch(bus);
    expect((await days.workOn(bus)).dueS).toBe(110);
  });

  it('are at most five minutes old on a board, with the work, the cached board and the next look', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    const { dueS } = await days.workOn(bus);
    const shownMs = (dueS ?? 0) * SECOND_MS + WORK_MS + BOARD_KEPT_MS + BOARD_REFRESH_MS;
    expect(shownMs).toBeLessThanOrEqual(5 * MINUTE_MS);
  });

  it('that somebody begins to look at are worked out at once, and then within 15 seconds', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    await days.look(bus);
    await expect.poll(() => days.workOn(bus)).toMatchObject({ dueS: 0 });
    await days.run(bus);
    days.server.clock.advance(20 * SECOND_MS);
    await days.sendBatch(bus);
    expect((await days.workOn(bus)).dueS).toBe(12);
    // A minute after the last request the bus is no longer watched.
    await days.run(bus);
    days.server.clock.advance(2 * MINUTE_MS);
    await days.sendBatch(bus);
    expect((await days.workOn(bus)).dueS).toBe(210);
  });

  it('that somebody looks at go before those of all others', async () => {
    const { db } = days.server.deps.database;
    const priorityOf = async (bus: TestBus) =>
      (await listWaitingDays(db, bus.busId)).map(({ priority }) => priority);
    const [other, watched] = [await days.newBus(), await days.newBus()];
    await days.sendBatch(other);
    await days.look(watched);
    await days.sendBatch(watched);
    expect(await priorityOf(other)).toEqual([0]);
    await expect.poll(() => priorityOf(watched)).toEqual([-20]);
    // Days after an edit come later than watched ones: an edit of a route may change many.
    await days.edit(other);
    expect(await priorityOf(other)).toEqual([-10]);
    // A waiting day moves ahead of the others.
    days.server.clock.advance(10 * MINUTE_MS);
    await days.look(other);
    await expect.poll(() => priorityOf(other)).toEqual([-20]);
  });

  it('whose last lap is to end soon are worked out at once too, when somebody begins to look', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    await days.run(bus);
    const { db } = days.server.deps.database;
    const soon = new Date(days.server.clock.nowMs() + 100 * SECOND_MS);
    await db
      .updateTable('lap_days')
      .set({ due_at: soon })
      .where('workplace_id', '=', bus.busId)
      .execute();
    days.server.clock.advance(10 * SECOND_MS);
    await days.sendBatch(bus);
    expect((await days.workOn(bus)).dueS).toBe(90);
    await days.look(bus);
    await expect.poll(() => days.workOn(bus)).toMatchObject({ dueS: 0 });
  });

  it('of a past day go before the backlog after an edit: somebody waits for them', async () => {
    const bus = await days.newBus();
    days.server.clock.advance(5 * 24 * HOUR_MS);
    await days.sendBatch(bus, START_MS);
    const tasks = async () =>
      (await listWaitingDays(days.server.deps.database.db, bus.busId)).map(({ task }) => task);
    expect(await tasks()).toEqual(['laps_of_past_day']);
    await days.edit(bus);
    expect(await tasks()).toEqual(['laps_of_day']);
  });

  it('are stored though the bus goes on sending, and asked for again 15 seconds after they were begun', async () => {
    const bus = await days.newBus();
    await days.look(bus);
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await days.run(bus, async (day) => {
      await days.sendDrive(bus, START_MS + 10 * MINUTE_MS, START_MS + 11 * MINUTE_MS);
      return lapsOfPackedDay(day);
    });
    expect(await days.lapsOf(bus)).toHaveLength(1);
    expect(await days.workOn(bus)).toMatchObject({ taken: 1, stored: 1 });
    const { dueS } = await days.workOn(bus);
    expect(dueS).toBeGreaterThanOrEqual(12);
  });

  it('of a past day are computed before other work of backlogs begins', async () => {
    const bus = await days.newBus();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    const { deps } = days.server;
    const job = lapsOfDayJob(deps, PAST_LAPS_JOB, async (day) => lapsOfPackedDay(day));
    const computing = job.run({ workplaceId: bus.busId, day: DAY }, context);
    expect(await deps.backlogWork.run(() => days.lapsOf(bus))).toHaveLength(1);
    await computing;
  });

  it('wait among the slow ones once they took too long, and among all others when they are quick again', async () => {
    const bus = await days.newBus();
    const { db } = days.server.deps.database;
    const tooLong = () => Promise.reject(new DayLimitError('too_long'));
    const runAs = (name: typeof LAPS_JOB | typeof SLOW_LAPS_JOB, compute: ComputeDay) =>
      lapsOfDayJob(days.server.deps, name, compute).run(
        { workplaceId: bus.busId, day: DAY },
        context,
      );
    const tasks = async () => (await listWaitingDays(db, bus.busId)).map(({ task }) => task);
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    expect(await tasks()).toEqual(['laps_of_day']);
    await runAs(LAPS_JOB, tooLong);
    expect(await tasks()).toEqual(['laps_of_slow_day']);
    expect(await days.workOn(bus)).toMatchObject({ dueS: 0, failure: null });
    // Also for later requests of any kind.
    await days.edit(bus);
    await days.look(bus);
    expect(await tasks()).toEqual(['laps_of_slow_day']);
    await runAs(SLOW_LAPS_JOB, async (day) => lapsOfPackedDay(day));
    expect(await days.lapsOf(bus)).toHaveLength(1);
    await days.edit(bus);
    expect(await tasks()).toEqual(['laps_of_day']);
    // A slow day stays slow.
    await runAs(LAPS_JOB, tooLong);
    days.server.clock.advance(24 * HOUR_MS);
    await days.sendBatch(bus);
    expect(new Set(await tasks())).toEqual(new Set(['laps_of_slow_day']));
  });

  it('hold no transaction while they are computed', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    let open: unknown;
    await days.run(bus, async (day) => {
      const { rows } = await sql<{
        open: number;
      }>`select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
        days.server.deps.database.db,
      );
      open = rows[0]?.open;
      return lapsOfPackedDay(day);
    });
    expect(open).toBe(0);
  });

  it('of an older reading never replace those of a newer one', async () => {
    const bus = await days.newBus();
    await days.sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await days.run(bus, async (older) => {
      await days.sendBatch(bus);
      await days.run(bus);
      return lapsOfPackedDay(older);
    });
    expect((await days.lapsOf(bus)).map(({ entered }) => entered)).toEqual([1]);
    expect(await days.workOn(bus)).toMatchObject({ taken: 2, stored: 2 });
  });

  it('that were begun by a worker which was killed are worked out by the next one', async () => {
    const bus = await days.newBus();
    await days.sendBatch(bus);
    await expect(days.run(bus, () => Promise.reject(new Error('killed')))).rejects.toThrow(
      'killed',
    );
    expect(await days.workOn(bus)).toMatchObject({ taken: 1, stored: 0, dueS: null });
    await days.run(bus);
    expect(await days.workOn(bus)).toMatchObject({ taken: 2, stored: 2 });
    expect(await days.lapsOf(bus)).toHaveLength(1);
  });

  it('whose job is lost are found by the sweep, those that are not due yet are left alone', async () => {
    const { db } = days.server.deps.database;
    const [lost, waiting] = [await days.newBus(), await days.newBus()];
    await sql`update lap_days set due_at = null, stored = taken`.execute(db);
    await days.sendBatch(lost);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    days.server.clock.advance(10 * MINUTE_MS);
    await days.sendBatch(waiting);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await sweepLapsJob(days.server.deps).run({}, context);
    const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db);
    expect(rows).toEqual([{ key: `day:${lost.busId}:${DAY}` }]);
  });
});

describe('a bus that is parked', () => {
  it('has its lap ended, and its day is not looked at again and again', async () => {
    const bus = await days.newBus();
    const last = points.at(-1);
    if (last === undefined) throw new Error('no drive');
    const [endMs, latitude, longitude] = last;
    await days.sendDrive(bus, START_MS, endMs);
    const dues: (number | null)[] = [];
    // Four hours with a position every five minutes; the job runs whenever it is due.
    for (let minute = 5; minute <= 240; minute += 5) {
      days.server.clock.set(endMs + minute * MINUTE_MS);
      await sendRecords(
        days.server.app,
        bus,
        positionRecords([[days.server.clock.nowMs(), latitude, longitude, 0]]),
        days.server.clock.nowMs(),
      );
      const { dueS } = await days.workOn(bus);
      if (dueS === null || dueS > 0) continue;
      await days.run(bus);
      dues.push((await days.workOn(bus)).dueS);
    }
    expect((await days.lapsOf(bus)).map(({ open }) => open)).toEqual(
      (await days.lapsOf(bus)).map(() => false),
    );
    expect(dues.length).toBeGreaterThan(5);
    for (const dueS of dues) expect(dueS ?? 15).toBeGreaterThanOrEqual(15);
    // Without further records the computations of the day end.
    days.server.clock.advance(12 * HOUR_MS);
    await days.run(bus);
    expect((await days.workOn(bus)).dueS).toBeNull();
  });
});
