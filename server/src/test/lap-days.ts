import { vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { requestLaps } from '../days/due-laps.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addLaps } from '../laps/api.ts';
import type { ComputeDay } from '../laps/computation/packed-day.ts';
import { drive, thereAndBack } from './drive.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import {
  insertTestRoute,
  passengerRecord,
  positionRecords,
  runLapsJob,
  sendRecords,
} from './laps.ts';
import { createTestServer } from './test-deps.ts';

/** The day on which the buses drive. */
export const DAY = '2026-03-10';
export const START_MS = Date.parse(`${DAY}T06:00:00Z`);
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
/** The positions of two laps on the street. */
export const { points } = drive(street, { seed: 1, startMs: START_MS, laps: 2 });

/** Creates a server with buses on a street, and actions on the day on which they drive. */
export async function createLapDays() {
  const server = await createTestServer([addAuth, addIngest, addLaps]);
  const { db } = server.deps.database;
  const fleet = await insertTestFleet(db);
  server.clock.set(START_MS);
  const token = await server.signIn('operator');
  return {
    server,
    newBus: async (): Promise<TestBus> => {
      server.clock.set(START_MS);
      const bus = await insertTestBus(db, fleet.first, `Автобус ${Math.random()}`);
      await insertTestRoute(db, bus.routeId, street);
      return bus;
    },
    /** Sends a batch with one boarding passenger. */
    sendBatch: (bus: TestBus, atMs = server.clock.nowMs()): Promise<void> =>
      sendRecords(server.app, bus, [passengerRecord(atMs, 'entered')], server.clock.nowMs()),
    sendDrive: async (bus: TestBus, fromMs: number, toMs: number): Promise<void> => {
      server.clock.set(toMs);
      const driven = points.filter(([ms]) => ms >= fromMs && ms < toMs);
      await sendRecords(server.app, bus, positionRecords(driven), toMs);
    },
    /** The state of the day's computation: time until it is due, s, and the result of the last take. */
    workOn: async ({ busId }: TestBus) => {
      const row = await db
        .selectFrom('lap_days')
        .selectAll()
        .where('workplace_id', '=', busId)
        .where('day', '=', DAY)
        .executeTakeFirst();
      const due = row?.due_at ?? null;
      return {
        dueS: due === null ? null : Math.round((due.getTime() - server.clock.nowMs()) / SECOND_MS),
        failure: row?.failure ?? null,
        taken: row?.taken ?? 0,
        stored: row?.stored ?? 0,
      };
    },
    lapsOf: ({ busId }: TestBus) =>
      db
        .selectFrom('laps')
        .select(['number', 'entered', 'open'])
        .where('workplace_id', '=', busId)
        .where('day', '=', DAY)
        .orderBy('number')
        .execute(),
    /** Requests the laps of the day, as a page does, and waits until the look is noted: the answer does not. */
    look: async ({ busId }: TestBus) => {
      const answer = await server.app.inject({
        url: `/api/bus-stop/day-laps?workplaceId=${busId}&date=${DAY}`,
        headers: { authorization: `Bearer ${token}` },
      });
      await vi.waitUntil(async () => {
        const noted = await db
          .selectFrom('watched_buses')
          .select('workplace_id')
          .where('workplace_id', '=', busId)
          .where('wanted_until', '>', new Date(server.clock.nowMs()))
          .executeTakeFirst();
        return noted !== undefined;
      });
      return answer.json<{ failure: string | null; pending: boolean }>();
    },
    run: (bus: TestBus, compute?: ComputeDay) =>
      runLapsJob(server.deps, { busId: bus.busId, day: DAY }, compute),
    edit: ({ busId }: TestBus) =>
      db
        .transaction()
        .execute((tx) =>
          requestLaps(tx, busId, [DAY], { nowMs: server.clock.nowMs(), waitMs: 1000 }),
        ),
    /** Requests a recalculation of days, a preview of one, or its end. */
    recalculate: async (
      method: 'POST' | 'DELETE',
      bus: TestBus,
      dateFrom = DAY,
      dateTo = DAY,
      preview = false,
    ) => {
      const answer = await server.app.inject({
        method,
        url: `/api/bus-stop/update/${bus.busId}`,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' ? { body: { dateFrom, dateTo, preview } } : {}),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
  };
}
