import { setTimeout as pause } from 'node:timers/promises';
import { Day, Id } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import { LAPS_JOB, PAST_LAPS_JOB, SLOW_LAPS_JOB } from '../../days/nudge.ts';
import type { Deps } from '../../deps.ts';
import { QUICK_RECKONING_MS } from './day-limit.ts';
import { passToQuick, passToSlow, settleLater, takeDay } from './day-work.ts';
import type { WorkOut } from './packed-day.ts';
import { type Outcome, storeOutcome, tryDay } from './work-out.ts';

/**
 * A day of the backlog rests as long as it worked, but no longer than this, ms: a year of days must leave the database
 * time for units that drive.
 */
const LONGEST_REST_MS = 500;

const Payload = z.object({ workplaceId: Id, day: Day });

/**
 * Computes the laps of one bus on one local day. LAPS_JOB passes a day that takes too long to SLOW_LAPS_JOB, which has
 * the full timeout.
 * @param workOut where the computation runs
 */
export function lapsOfDayJob(
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  name: typeof LAPS_JOB | typeof SLOW_LAPS_JOB | typeof PAST_LAPS_JOB,
  workOut: WorkOut,
): JobDefinition {
  const { db } = database;
  return {
    name,
    run: async (payload) => {
      const { workplaceId: busId, day } = Payload.parse(payload);
      const question = { busId, day };
      const nowMs = clock.nowMs();
      const taken = await takeDay(db, question, nowMs);
      if (taken === undefined) return;
      const startMs = performance.now();
      const outcome = await tryDay(db, workOut, question, nowMs);
      const tookMs = performance.now() - startMs;
      if (name === LAPS_JOB && 'failure' in outcome && outcome.failure === 'too_long') {
        await passToSlow(db, question, nowMs);
        return;
      }
      if ('failure' in outcome) log.error({ ...question, ...outcome }, 'a day of laps failed');
      await db.transaction().execute(async (tx) => {
        await storeOutcome(tx, question, taken, outcome, nowMs);
        const settlesAtMs = settlingOf(outcome);
        if (name === SLOW_LAPS_JOB && tookMs < QUICK_RECKONING_MS / 2)
          await passToQuick(tx, question);
        if (settlesAtMs !== null) await settleLater(tx, question, settlesAtMs, nowMs);
      });
      if (name === PAST_LAPS_JOB) {
        await pause(Math.min(performance.now() - startMs, LONGEST_REST_MS));
      }
    },
  };
}

function settlingOf(outcome: Outcome): number | null {
  return 'worked' in outcome ? (outcome.worked?.settlesAtMs ?? null) : null;
}
