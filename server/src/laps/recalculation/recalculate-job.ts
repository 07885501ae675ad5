// Computes past days of a bus again, one after the other: hours, laps, revenue. Each day is stored in the transaction
// that records the progress, so that the job continues there after a crash, and a cancelled recalculation stores nothing more.
import { Id } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import type { Db } from '../../core/db/db.ts';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import { rebuildHours } from '../../counts/rebuild-hours.ts';
import type { Deps } from '../../deps.ts';
import { type Outcome, storeOutcome, tryDay } from '../computation/compute-day.ts';
import { changeOf, findFigures } from '../computation/day-change.ts';
import type { ComputeDay } from '../computation/packed-day.ts';
import { leaveDay, takeDay } from '../computation/takes.ts';
import { addRecalculationJob, findNextDay, type NextDay, noteDay } from './recalculations.ts';

/** After this time a recalculation yields to waiting ones at the end of a day, ms. */
const TURN_MS = 10_000;

const Payload = z.object({ id: Id });

/** Computes the days of one recalculation. @param computeDay where the computation runs */
export function recalculateLapsJob(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  computeDay: ComputeDay,
): JobDefinition {
  const { db } = database;
  return {
    name: 'recalculate_laps',
    run: async (payload) => {
      const { id } = Payload.parse(payload);
      const untilMs = clock.nowMs() + TURN_MS;
      for (
        let next = await findNextDay(db, id);
        next !== undefined;
        next = await findNextDay(db, id)
      ) {
        const nowMs = clock.nowMs();
        if (nowMs >= untilMs) {
          await addRecalculationJob(db, id);
          return;
        }
        const taken = await takeDay(db, next, nowMs, true);
        const outcome = await tryDay(db, computeDay, next, nowMs);
        await store(db, id, next, { taken: taken ?? 0, outcome }, nowMs);
      }
    },
  };
}

async function store(
  db: Db,
  id: number,
  next: NextDay,
  { taken, outcome }: { taken: number; outcome: Outcome },
  nowMs: number,
): Promise<void> {
  await db
    .transaction()
    .execute(async (tx) => {
      const before = await findFigures(tx, next);
      // First: it locks the bus's unit, as batches do before its days.
      await rebuildHours(tx, next.busId, [next.day]);
      const stored = await storeOutcome(tx, next, taken, outcome, nowMs);
      const computed = 'computed' in outcome ? outcome.computed : undefined;
      const change =
        stored === undefined || computed === undefined
          ? undefined
          : changeOf(next, before, computed, stored);
      const failure = 'failure' in outcome ? outcome.failure : undefined;
      if (!(await noteDay(tx, id, next, { change, failure }, nowMs))) throw new NotWanted();
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof NotWanted)) throw error;
      await leaveDay(db, next, taken);
    });
}

/** Rolls back a day of a cancelled recalculation. */
class NotWanted extends Error {}
