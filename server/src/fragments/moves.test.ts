// The moves of fragments between their states: those of the table are made, and every other one is refused.
import { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { expect, it } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { useWorld } from '../test/use-world.ts';
import { moveFragment } from './state.ts';

const NOW_MS = Date.parse('2026-11-20T08:00:00Z');
const server = useWorld<TestServer>(() => createTestServer([]));

/**
 * The moves that there are. Beyond the usual way of a fragment: a recording may end as one that is kept, a unit may send a
 * kept one by itself, work that fails goes back, and what was merged may be counted and merged again.
 */
const MOVES: Readonly<Record<FragmentStatus, readonly FragmentStatus[]>> = {
  ADDING: ['ADDED', 'DOWNLOAD_FAIL', 'LIVE'],
  ADDED: ['DOWNLOADING_FROM_TASK', 'LOADING'],
  LIVE: ['ADDED', 'DOWNLOADING_FROM_TASK'],
  DOWNLOADING_FROM_TASK: ['LOADING', 'DOWNLOAD_FAIL'],
  LOADING: ['LOADED', 'DOWNLOAD_FAIL'],
  LOADED: ['DOWNLOADING_FROM_TASK', 'PROCESSING'],
  PROCESSING: ['LOADED', 'PROCESSED', 'WAS_MERGED'],
  PROCESSED: ['DOWNLOADING_FROM_TASK', 'PROCESSING', 'MERGING'],
  MERGING: ['PROCESSED', 'WAS_MERGED'],
  WAS_MERGED: ['DOWNLOADING_FROM_TASK', 'PROCESSING', 'MERGING'],
  DOWNLOAD_FAIL: ['DOWNLOADING_FROM_TASK'],
};

it('a fragment makes the moves of its table, and any other one is refused and changes nothing', async () => {
  const { db } = server.deps.database;
  const { firstBus } = await insertTestFleet(db);
  const id = await insertAnnouncedFragment(db, firstBus);
  const stateOf = async (tx: Tx): Promise<string> => {
    const { status } = await tx
      .selectFrom('segments')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return status;
  };
  await db.transaction().execute(async (tx) => {
    const putInto = (status: FragmentStatus) =>
      tx.updateTable('segments').set({ status }).where('id', '=', id).execute();
    for (const from of FragmentStatus.options) {
      await putInto(from);
      for (const to of FragmentStatus.options.filter((one) => !MOVES[from].includes(one))) {
        const moving = moveFragment(tx, id, to, { atMs: NOW_MS });
        const refused = await moving.catch((error: unknown) => error);
        expect([from, to, refused]).toMatchObject([from, to, { code: 'conflict' }]);
      }
      expect(await stateOf(tx)).toBe(from);
      for (const to of MOVES[from]) {
        await putInto(from);
        expect(await moveFragment(tx, id, to, { atMs: NOW_MS })).toBe(from);
        expect(await stateOf(tx)).toBe(to);
      }
    }
  });
});
