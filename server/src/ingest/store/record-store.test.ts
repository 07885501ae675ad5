// A process with several listeners has one record store, so what one of them waits for leaves connections to all.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { KnownUnit } from '../../core/viewer.ts';
import { waitForBlocked } from '../../test/blocked.ts';
import { insertTestBus, insertTestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { positionNumber } from '../by-id/numbers.ts';
import { recordStoreOf } from './record-store.ts';
import type { CheckedRecord } from './records.ts';
import { TIMED_STREAM } from './timed-stream.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 8);
/** Batches of each of two listeners: all together are more than the connections of the pool. */
const EACH = 8;
/** Long transactions of a process. */
const LONG_WAYS = 6;

const server = useWorld<TestServer>(() => createTestServer([]));

it('listeners of a process have six long transactions together, and all batches are stored', async () => {
  const { db } = server.deps.database;
  server.clock.set(NOW_MS);
  const { first } = await insertTestFleet(db, 'Europe/Moscow');
  const units: KnownUnit[] = [];
  for (let n = 0; n < 2 * EACH; n += 1) {
    const { unitId, busId } = await insertTestBus(db, first, randomUUID(), 'Europe/Moscow');
    const [deviceId, assignedFromMs] = [randomUUID(), Number.NEGATIVE_INFINITY];
    units.push({ unitId, busId, deviceId, assignedFromMs, pastAssignments: [] });
  }
  const record: CheckedRecord = {
    ...{ type: 'position', index: 0, seq: positionNumber(NOW_MS), sentMs: NOW_MS, timeMs: NOW_MS },
    ...{ place: { latitude: 55.7, longitude: 37.6 }, speedKmh: 30, course: 300 },
    ...{ satellites: null, hdop: null },
  };
  const listeners = [{ ...server.deps }, { ...server.deps }].map(recordStoreOf);
  const { of: storing } = await db.transaction().execute(async (tx) => {
    const ids = units.map(({ unitId }) => unitId);
    await sql`select from units where id = any(${ids}::bigint[]) for no key update`.execute(tx);
    const all = units.map((unit, n) =>
      listeners[n % 2]?.store(unit, TIMED_STREAM, [record], NOW_MS),
    );
    await waitForBlocked(db, LONG_WAYS);
    return { of: all };
  });
  const answers = await Promise.all(storing);
  expect(answers.map((answer) => answer?.acknowledged)).toEqual(
    units.map(() => [[record.seq, record.seq]]),
  );
});
