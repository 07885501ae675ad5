// The wait before a connection is tried again. An administrator ends the wait by an earlier `next_try_at` in the row; the
// waiting process reads it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sending } from './send-all.ts';

/**
 * Waits for the next try.
 * @param waitMs ms; it is over sooner when the row has an earlier moment of the try, yet not before `leastWaitMs`
 * @param notedMs the moment that was noted in the row, ms since 1970 UTC; null: nobody can ask for another one
 * @returns whether it was over sooner
 */
export async function waitForTry(
  sending: Sending,
  waitMs: number,
  notedMs: number | null,
): Promise<boolean> {
  const { times, signal } = sending;
  let leftMs = waitMs;
  const rest = async (ms: number): Promise<void> => {
    leftMs -= ms;
    await pause(ms, undefined, { signal }).catch(() => undefined);
  };
  await rest(Math.min(times.leastWaitMs, leftMs));
  while (leftMs > 0 && !signal.aborted) {
    if (notedMs !== null && (await isAsked(sending, notedMs))) return true;
    await rest(Math.min(times.pollMs, leftMs));
  }
  return false;
}

// The noted moment itself may come before the wait is over: looks take time, too.
async function isAsked({ deps, held }: Sending, notedMs: number): Promise<boolean> {
  const row = await deps.database.db
    .selectFrom('upstreams')
    .select('next_try_at')
    .where('id', '=', held.upstreamId)
    .where('holder', '=', held.holder)
    .executeTakeFirst()
    // Without the database nothing could be sent.
    .catch(() => undefined);
  return row?.next_try_at != null && row.next_try_at.getTime() < notedMs;
}
