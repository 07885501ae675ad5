import { Day, Id } from '@ridewatch/contract/primitives';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Deps } from '../app.ts';
import { bumpDays } from '../bus-days.ts';
import type { Tx } from '../db.ts';
import { addJob, type JobDefinition } from '../jobs.ts';
import { readPositionColumns } from '../positions/read.ts';
import { listEffectiveEvents } from '../segments/queries.ts';
import { lapsOfDay } from './day-laps.ts';
import { findDayRoute, findDaySettings } from './day-settings.ts';
import { SPLIT_MS } from './engine.ts';
import { LAP_MARGIN_MS, LAPS_JOB, type LapsOfDay } from './queries.ts';
import { storeDay } from './store-day.ts';

const Payload = z.object({ workplaceId: Id, day: Day });

/** Of the advisory locks of buses; any constant will do. */
const LAPS_LOCK = 7_236;

/** Works out the laps of one bus on one local day from whatever is stored now. */
export function lapsOfDayJob({ database, clock }: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: LAPS_JOB,
    run: async (payload) => {
      const question = Payload.parse(payload);
      await database.db.transaction().execute((tx) => workOutDay(tx, question, clock.nowMs()));
    },
  };
}

async function workOutDay(tx: Tx, question: LapsOfDay, nowMs: number): Promise<void> {
  const { workplaceId, day } = question;
  // Two runs for one bus take turns, so that the later one sees what the earlier one left.
  await sql`select pg_advisory_xact_lock(${LAPS_LOCK}::int, ${workplaceId}::int)`.execute(tx);
  const settings = await findDaySettings(tx, workplaceId, day);
  if (settings === undefined) return;
  const fromMs = settings.startMs - LAP_MARGIN_MS;
  const toMs = settings.endMs + LAP_MARGIN_MS;
  const { laps, halts } = lapsOfDay({
    startMs: settings.startMs,
    endMs: settings.endMs,
    nowMs,
    positions: await readPositionColumns(tx, settings.unitId ?? 0, fromMs, toMs),
    route: await findDayRoute(tx, settings, day),
    events: await listEffectiveEvents(tx, workplaceId, fromMs, toMs),
  });
  const changed = await storeDay(tx, question, { laps, halts }, settings.groupId);
  const last = laps.at(-1);
  if (last?.open === true) {
    // Unless the bus is heard of again, the lap ends without a further word.
    const runAt = new Date(last.endMs + SPLIT_MS + 1000);
    await addJob(tx, LAPS_JOB, { ...question }, { key: `close:${workplaceId}:${day}`, runAt });
  }
  if (changed) await bumpDays(tx, workplaceId, [day]);
}
