import { Day, Id } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import type { Deps } from '../app.ts';
import { bumpDays } from '../bus-days.ts';
import type { Tx } from '../db.ts';
import { addJob, type JobDefinition } from '../jobs.ts';
import type { LapOut } from './day-laps.ts';
import { SPLIT_MS } from './engine.ts';
import type { WorkOut } from './packed-day.ts';
import { LAPS_JOB, type LapsOfDay } from './queries.ts';
import { findChange, storeChange } from './store-day.ts';
import { createDayThread } from './thread.ts';
import { workOutDay } from './work-out-day.ts';

const Payload = z.object({ workplaceId: Id, day: Day });

/**
 * Works out the laps of one bus on one local day.
 * @param workOut where the reckoning is done; in a thread of its own unless said
 */
export function lapsOfDayJob(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  workOut: WorkOut = createDayThread().workOut,
): JobDefinition {
  return {
    name: LAPS_JOB,
    run: async (payload) => {
      const question = Payload.parse(payload);
      await database.db.transaction().execute(async (tx) => {
        const nowMs = clock.nowMs();
        const worked = await workOutDay(tx, workOut, question, nowMs);
        if (worked === undefined) return;
        const change = await findChange(tx, question, worked);
        await storeChange(tx, question, change);
        await requestClosing(tx, question, nowMs, worked.laps.at(-1));
        if (change.isAny) await bumpDays(tx, question.workplaceId, [question.day]);
      });
    },
  };
}

// Unless the bus is heard of again, its last lap ends without a further word.
async function requestClosing(
  tx: Tx,
  question: LapsOfDay,
  nowMs: number,
  last?: LapOut,
): Promise<void> {
  if (last?.open !== true) return;
  await addJob(
    tx,
    LAPS_JOB,
    { ...question },
    {
      key: `close:${question.workplaceId}:${question.day}`,
      delayMs: last.endMs + SPLIT_MS + 1000 - nowMs,
    },
  );
}
