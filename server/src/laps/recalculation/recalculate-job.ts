// Works past days of a bus out anew, one after the other. Each day is stored in the transaction that notes it, so that a
// crash goes on with the day at which it came, and a cancelled recalculation stores nothing more.
import { Id } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import type { Db } from '../../core/db/db.ts';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import type { Deps } from '../../deps.ts';
import { changeOf, findFigures } from '../reckoning/day-change.ts';
import { leaveDay, takeDay } from '../reckoning/day-work.ts';
import type { WorkOut } from '../reckoning/packed-day.ts';
import { type Outcome, storeOutcome, tryDay } from '../reckoning/work-out.ts';
import { addRecalculationJob, findNextDay, type NextDay, noteDay } from './recalculations.ts';

/** A recalculation goes behind the others that wait when it has run for so long and its day is through, ms. */
const TURN_MS = 10_000;

const Payload = z.object({ id: Id });

/** Works out the days of one recalculation. @param workOut where the reckoning is done */
export function recalculateLapsJob(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  workOut: WorkOut,
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
        const outcome = await tryDay(db, workOut, next, nowMs);
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
      const stored = await storeOutcome(tx, next, taken, outcome, nowMs);
      const worked = 'worked' in outcome ? outcome.worked : undefined;
      const change =
        stored === undefined || worked === undefined
          ? undefined
          : changeOf(next, before, worked, stored);
      const failure = 'failure' in outcome ? outcome.failure : undefined;
      if (!(await noteDay(tx, id, next, { change, failure }, nowMs))) throw new NotWanted();
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof NotWanted)) throw error;
      await leaveDay(db, next, taken);
    });
}

/** Undoes what was about to be stored of a day that nobody wants any more. */
class NotWanted extends Error {}
