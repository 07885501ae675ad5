import { randomUUID } from 'node:crypto';
import type { LapRecalculation } from '@ridewatch/contract/lap-recalculation';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { requestLaps } from '../days/due-laps.ts';
import { LAPS_JOB, SLOW_LAPS_JOB } from '../days/nudge.ts';
import type { Deps } from '../deps.ts';
import { lapsOfDayJob } from '../laps/computation/job.ts';
import { type ComputeDay, lapsOfPackedDay } from '../laps/computation/packed-day.ts';
import type { Route } from '../laps/engine/route-path.ts';
import { recalculateLapsJob } from '../laps/recalculation/recalculate-job.ts';
import { findLatest } from '../laps/recalculation/recalculations.ts';
import type { Point } from './drive.ts';
import type { TestBus } from './fleet.ts';

/**
 * Gives a route stops and a track from a day on; stops are named by direction and order.
 * @returns database ids by the stop ids of `route`
 */
export async function insertTestRoute(
  db: Db,
  routeId: number,
  route: Route,
  validFrom = '2010-01-01',
): Promise<Map<number, number>> {
  const { client_id } = await db
    .selectFrom('route_groups')
    .select('client_id')
    .where('id', '=', routeId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('route_tracks')
    .values({ group_id: routeId, valid_from: validFrom, track: JSON.stringify(route.track) })
    .execute();
  const ids = new Map<number, number>();
  for (const stop of route.stops) {
    const name = `${stop.direction} ${stop.orderKey}`;
    const { latitude, longitude } = stop;
    const place = await db
      .insertInto('stop_classifiers')
      .values({ client_id, name, latitude, longitude })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db
      .insertInto('route_stops')
      .values({ group_id: routeId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('route_stop_versions')
      .values({
        stop_id: id,
        valid_from: validFrom,
        classifier_id: place.id,
        name,
        latitude,
        longitude,
        order_key: stop.orderKey,
        route_direction: stop.direction,
        terminal: stop.orderKey === 0 && stop.direction === 'FORWARD' ? 'first' : null,
      })
      .execute();
    ids.set(stop.id, id);
  }
  return ids;
}

/** Positions as records of a unit. */
export function positionRecords(points: readonly Point[]): Record<string, unknown>[] {
  return points.map(([ms, latitude, longitude, speed]) => ({
    type: 'position',
    time: new Date(ms).toISOString(),
    latitude: Math.round(latitude * 1e6) / 1e6,
    longitude: Math.round(longitude * 1e6) / 1e6,
    speed_kmh: Math.round(speed * 10) / 10,
  }));
}

/** A passenger record of door 1. */
export function passengerRecord(
  ms: number,
  direction: 'entered' | 'exited',
  count = 1,
): Record<string, unknown> {
  const time = new Date(ms).toISOString();
  return { type: 'passenger', time, door: 1, direction, passenger: 'adult', count };
}

/** Sends records of a bus's unit in batches, in their order. */
export async function sendRecords(
  app: FastifyInstance,
  { credential }: TestBus,
  records: readonly Record<string, unknown>[],
  atMs: number,
): Promise<void> {
  for (let start = 0; start < records.length; start += 5000) {
    const answer = await app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${credential}` },
      body: {
        stream: randomUUID(),
        sent_at: new Date(atMs).toISOString(),
        records: records.slice(start, start + 5000).map((record, seq) => ({ seq, ...record })),
      },
    });
    const { refused } = answer.json<{ refused: unknown[] }>();
    if (answer.statusCode !== 200 || refused.length > 0) throw new Error(answer.body.slice(0, 500));
  }
}

/** Requests a day and runs its job now. */
export async function computeDay(deps: Deps, question: DayOfBus): Promise<void> {
  const nowMs = deps.clock.nowMs();
  await deps.database.db
    .transaction()
    .execute((tx) => requestLaps(tx, question.busId, [question.day], { nowMs, waitMs: 0 }));
  await runLapsJob(deps, question);
}

/** Runs the job of a day; then the job of slow days if the first one passed the day on. */
export async function runLapsJob(
  deps: Deps,
  question: DayOfBus,
  compute: ComputeDay = async (day) => lapsOfPackedDay(day),
): Promise<void> {
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
  const payload = { workplaceId: question.busId, day: question.day };
  if (!(await isSlow(deps.database.db, question))) {
    await lapsOfDayJob(deps, LAPS_JOB, compute).run(payload, context);
  }
  if (await isSlow(deps.database.db, question)) {
    await lapsOfDayJob(deps, SLOW_LAPS_JOB, compute).run(payload, context);
  }
}

async function isSlow(db: Db, { busId, day }: DayOfBus): Promise<boolean> {
  const row = await db
    .selectFrom('lap_days')
    .select('is_slow')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.is_slow ?? false;
}

/**
 * Runs the job of the newest recalculation.
 * @returns its state afterwards
 */
export async function runRecalculation(
  deps: Deps,
  compute: ComputeDay = async (day) => lapsOfPackedDay(day),
): Promise<LapRecalculation | undefined> {
  const { db } = deps.database;
  const { id, workplace_id } = await db
    .selectFrom('lap_recalculations')
    .select(['id', 'workplace_id'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const job = recalculateLapsJob(deps, compute);
  await job.run(
    { id },
    { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
  );
  return findLatest(db, workplace_id);
}

/** The days of a bus that wait for the computation of their laps, with their jobs. */
export async function listWaitingDays(
  db: Db,
  busId: number,
): Promise<{ day: string; task: string; priority: number }[]> {
  const { rows } = await sql<{ day: string; task: string; priority: number }>`
    select split_part(key, ':', 3) as day, task_identifier as task, priority from graphile_worker.jobs
    where key like ${`day:${busId}:%`} order by key`.execute(db);
  return rows;
}
