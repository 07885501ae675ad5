import { setTimeout as pause } from 'node:timers/promises';
import { Day, Id } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import { LAPS_JOB, PAST_LAPS_JOB, SLOW_LAPS_JOB } from '../../days/nudge.ts';
import type { Deps } from '../../deps.ts';
import { type Outcome, storeOutcome, tryDay } from './compute-day.ts';
import { QUICK_COMPUTATION_MS } from './day-limit.ts';
import type { ComputeDay } from './packed-day.ts';
import { passToQuick, passToSlow, settleLater, takeDay } from './takes.ts';

/**
 * A day of the backlog rests as long as it worked, but no longer than this, ms: a year of days must leave the database
 * time for units that drive.
 */
const LONGEST_REST_MS = 500;

const Payload = z.object({ workplaceId: Id, day: Day });

/**
 * Computes the laps of one bus on one local day. LAPS_JOB passes a day that takes too long to SLOW_LAPS_JOB, which has
 * the full timeout.
 * @param computeDay where the computation runs
 */
export function lapsOfDayJob(
  { database, clock, log, backlogWork }: Pick<Deps, 'database' | 'clock' | 'log' | 'backlogWork'>,
  name: typeof LAPS_JOB | typeof SLOW_LAPS_JOB | typeof PAST_LAPS_JOB,
  computeDay: ComputeDay,
): JobDefinition {
  const { db } = database;
  async function computeAndStore(payload: unknown): Promise<void> {
    const { workplaceId: busId, day } = Payload.parse(payload);
    const question = { busId, day };
    const nowMs = clock.nowMs();
    const taken = await takeDay(db, question, nowMs);
    if (taken === undefined) return;
    const startMs = performance.now();
    const outcome = await tryDay(db, computeDay, question, nowMs);
    const tookMs = performance.now() - startMs;
    if (name === LAPS_JOB && 'failure' in outcome && outcome.failure === 'too_long') {
      await passToSlow(db, question, nowMs);
      return;
    }
    if ('failure' in outcome) log.error({ ...question, ...outcome }, 'a day of laps failed');
    await db.transaction().execute(async (tx) => {
      await storeOutcome(tx, question, taken, outcome, nowMs);
      const settlesAtMs = settlingOf(outcome);
      if (name === SLOW_LAPS_JOB && tookMs < QUICK_COMPUTATION_MS / 2)
        await passToQuick(tx, question);
      if (settlesAtMs !== null) await settleLater(tx, question, settlesAtMs, nowMs);
    });
  }
  async function computePastDay(payload: unknown): Promise<void> {
    const tookMs = await backlogWork.run(async () => {
      const startMs = performance.now();
      await computeAndStore(payload);
      return performance.now() - startMs;
    });
    await pause(Math.min(tookMs, LONGEST_REST_MS));
  }
  return { name, run: name === PAST_LAPS_JOB ? computePastDay : computeAndStore };
}

function settlingOf(outcome: Outcome): number | null {
  return 'computed' in outcome ? (outcome.computed?.settlesAtMs ?? null) : null;
}
