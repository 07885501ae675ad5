// Buses with changes of everything that statistics depend on.
import { randomUUID } from 'node:crypto';
import { addDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { findDayBounds, lockBatches } from '../days/bus-days.ts';
import { lockBusSettings } from '../days/bus-settings.ts';
import { requestSettle } from '../days/unsettled.ts';
import { makeProfilesJob } from '../figures/profile-job.ts';
import { rebuildHoursJob } from '../figures/rebuild-job.ts';
import { settleDays } from '../figures/settle.ts';
import { closeDaysJob, settleDaysJob } from '../figures/settle-job.ts';
import { insertTestBus, type TestBus, type TestFleet } from './fleet.ts';
import { runLapsJob } from './laps.ts';
import { DAYS, FIRST_DAY, type Step } from './stat-steps.ts';
import type { TestServer } from './test-deps.ts';

/** After those weeks. */
export const NOW_MS = Date.parse('2026-04-15T12:00:00Z');
const HOUR_MS = 3_600_000;
/** Some zones are ahead of the others. */
const ALL_DAYS = Array.from({ length: DAYS + 4 }, (_, n) => addDays(FIRST_DAY, n - 2));
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

/** Six buses, and the routes between which they move. */
export interface World {
  readonly buses: readonly TestBus[];
  readonly routes: readonly (number | null)[];
}

/**
 * Makes worlds, one after the other.
 * @param token of a user with the edit right on everything
 */
export function createWorlds(server: TestServer, fleet: TestFleet, token: string) {
  const { db } = server.deps.database;

  /** Six buses: three of each customer, some of which get the other one as well. */
  async function newWorld(): Promise<World> {
    await forgetFormerWorlds();
    const buses: TestBus[] = [];
    for (const [n, client] of [0, 0, 0, 1, 1, 1].entries()) {
      const owner = client === 0 ? fleet.first : fleet.second;
      buses.push(await insertTestBus(db, owner, `${n} ${randomUUID()}`, 'Europe/Berlin'));
    }
    return { buses, routes: [null, ...[0, 1, 3].map((n) => buses[n]?.routeId ?? null)] };
  }

  async function take({ buses, routes }: World, one: Step): Promise<void> {
    const { busId, credential } = buses[one.bus] as TestBus;
    server.clock.advance(1000);
    const nowMs = server.clock.nowMs();
    const momentOn = async (local: string, at: number): Promise<number> =>
      (await findDayBounds(db, busId, local)).startMs + at * HOUR_MS;
    const say = async (records: readonly object[]): Promise<void> => {
      const answer = await server.app.inject({
        method: 'POST',
        url: '/unit/v1/batches',
        headers: { authorization: `Bearer ${credential}` },
        body: {
          stream: randomUUID(),
          sent_at: new Date(nowMs).toISOString(),
          records: records.map((record, seq) => ({ seq, ...record })),
        },
      });
      expect([answer.statusCode, answer.json().refused]).toEqual([200, []]);
    };
    const iso = (ms: number): string => new Date(Math.min(ms, nowMs)).toISOString();

    if (one.kind === 'events') {
      const dayMs = await momentOn(one.day, 0);
      await say(
        one.events.map(({ hour: at, ...event }) => ({
          ...{ type: 'passenger', door: 1, ...event },
          time: iso(dayMs + at * HOUR_MS),
        })),
      );
    } else if (one.kind === 'manual') {
      const startMs = Math.min(await momentOn(one.day, one.hour), nowMs - 2 * HOUR_MS);
      const times = { start_time: iso(startMs), end_time: iso(startMs + HOUR_MS) };
      await say([{ type: 'segment', camera: 'door1', video: 'kept', time: iso(nowMs), ...times }]);
      const { id } = await db
        .selectFrom('segments')
        .select('id')
        .where('unit_id', '=', (buses[one.bus] as TestBus).unitId)
        .where('start_time', '=', new Date(startMs))
        .executeTakeFirstOrThrow();
      const answer = await server.app.inject({
        method: 'POST',
        url: `/api/segments/update-events/${id}`,
        headers: { authorization: `Bearer ${token}` },
        body: {
          entered_manual: { adult: one.count, kids: null },
          exited_manual: { adult: null, kids: one.count },
        },
      });
      expect(answer.statusCode, answer.body).toBe(200);
    } else if (one.kind === 'calculation') {
      const [from, hours] = one.shift ?? [];
      const startMs = await momentOn(one.day, from ?? 0);
      const record = {
        fare_kopecks: one.fare,
        calculation_event: one.event,
        shift_start: from === undefined ? null : new Date(startMs),
        shift_end: hours === undefined ? null : new Date(startMs + hours * HOUR_MS),
      };
      await db.transaction().execute(async (tx) => {
        await lockBatches(tx, busId);
        await tx
          .insertInto('calculations')
          .values({ workplace_id: busId, day: one.day, ...record })
          .onConflict((conflict) => conflict.columns(['workplace_id', 'day']).doUpdateSet(record))
          .execute();
        await rebuildHours(tx, busId, [one.day]);
        await requestSettle(tx, busId, [one.day]);
      });
    } else if (one.kind === 'settings') {
      await db.transaction().execute(async (tx) => {
        const { before } = await lockBusSettings(tx, busId, nowMs, one.day);
        const settings = { ...before, timezone: one.zone, group_id: routes[one.route] ?? null };
        await changeBusSettings(tx, [{ busId, day: one.day, settings }]);
      });
    } else if (one.kind === 'lap') {
      await insertLap(busId, one.day, await momentOn(one.day, one.hour), one.kopecks);
    } else if (one.kind === 'customers') {
      await db.transaction().execute(async (tx) => {
        await lockBatches(tx, busId);
        const from = one.from ?? '-infinity';
        await sql`delete from bus_owners
          where workplace_id = ${busId} and from_day >= ${from}::date`.execute(tx);
        if (one.from !== null) {
          await sql`update bus_owners set to_day = ${from}::date - 1
            where workplace_id = ${busId} and to_day >= ${from}::date`.execute(tx);
        }
        for (const owner of one.owners) {
          const row = { workplace_id: busId, client_id: fleet[owner], from_day: from };
          await tx.insertInto('bus_owners').values(row).execute();
        }
        await requestSettle(tx, busId, ALL_DAYS);
      });
    } else if (one.isCutOff) {
      const cut = db.transaction().execute(async (tx) => {
        await settleDays(tx, busId, ALL_DAYS, nowMs);
        throw new Error('killed');
      });
      await expect(cut).rejects.toThrow('killed');
    } else {
      await runLapsJob(server.deps, { busId, day: one.day });
      await settleDaysJob(server.deps).run({}, job);
    }
  }

  async function insertLap(
    busId: number,
    local: string,
    startMs: number,
    kopecks: number | null,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const laps = await tx
        .selectFrom('laps')
        .select('id')
        .where('workplace_id', '=', busId)
        .where('day', '=', local)
        .execute();
      await tx
        .insertInto('laps')
        .values({
          ...{ workplace_id: busId, day: local, number: laps.length + 1, legs: '[]', open: false },
          start_time: new Date(startMs),
          end_time: new Date(startMs + HOUR_MS),
          ...{
            entered: 0,
            exited: 0,
            unplaced: 0,
            max_load: 0,
            drift: 0,
            imbalance: 0,
            digest: '',
          },
          revenue_kopecks: kopecks,
        })
        .execute();
      await requestSettle(tx, busId, [local]);
    });
  }

  /** Runs the jobs of all days; nothing is read live afterwards. */
  async function settleAll({ buses }: World): Promise<void> {
    for (const { busId } of buses) {
      const due = await db
        .selectFrom('lap_days')
        .select('day')
        .where('workplace_id', '=', busId)
        .where('due_at', 'is not', null)
        .execute();
      // Its laps were inserted by hand, and the job would delete them; settling is all that is left to do.
      await db.transaction().execute((tx) =>
        requestSettle(
          tx,
          busId,
          due.map((row) => row.day),
        ),
      );
      await db
        .updateTable('lap_days')
        .set({ due_at: null, asked_at: null })
        .where('workplace_id', '=', busId)
        .execute();
    }
    await closeDaysJob(server.deps).run({}, job);
    await settleDaysJob(server.deps).run({}, job);
    await makeProfilesJob(server.deps).run({}, job);
    const left = await db.selectFrom('unsettled_days').select('day').execute();
    expect(left).toEqual([]);
  }

  // A series of all buses without a route would have theirs, too.
  async function forgetFormerWorlds(): Promise<void> {
    await db.deleteFrom('bus_owners').execute();
    for (const table of ['day_traffic', 'route_traffic', 'unsettled_days', 'lap_days'] as const) {
      await db.deleteFrom(table).execute();
    }
  }

  /** Loses the hours of all days, has them rebuilt from the raw records, and the days settled. */
  async function rebuildAll(world: World): Promise<void> {
    for (const { busId } of world.buses) {
      await sql`delete from hourly_traffic where workplace_id = ${busId}`.execute(db);
      // Some zones are ahead of the others.
      await sql`insert into stale_hours (workplace_id, day)
        select ${busId}::bigint, ${FIRST_DAY}::date + shift from generate_series(-3, ${DAYS + 3}::int) as shift
        on conflict do nothing`.execute(db);
    }
    await rebuildHoursJob(server.deps).run({}, job);
    await settleAll(world);
  }

  return { newWorld, take, settleAll, rebuildAll };
}
