// When a unit was heard.
import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { expect, vi } from 'vitest';
import type { TestBus } from './fleet.ts';
import type { TestServer } from './test-deps.ts';

type Unit = Pick<TestBus, 'unitId'>;

/** Makes a unit one that was heard long ago, by the clock of the server. */
export async function forgetUnit({ deps, clock }: TestServer, { unitId }: Unit): Promise<void> {
  await deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(clock.nowMs() - 2 * SILENT_AFTER_MS) })
    .where('id', '=', unitId)
    .execute();
}

/** The moments of a unit, and whether it was heard at the present one of the server. */
export async function seenOf({ deps, clock }: TestServer, { unitId }: Unit) {
  const seen = await deps.database.db
    .selectFrom('units')
    .select(['last_seen_at', 'last_fix_at', 'last_moved_at'])
    .where('id', '=', unitId)
    .executeTakeFirstOrThrow();
  return { ...seen, isHeard: seen.last_seen_at?.getTime() === clock.nowMs() };
}

/** Waits until a unit was heard at the present moment of the server. */
export const waitUntilHeard = (server: TestServer, unit: Unit): Promise<void> =>
  vi.waitFor(async () => expect((await seenOf(server, unit)).isHeard).toBe(true), {
    ...{ timeout: 10_000, interval: 20 },
  });
