import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../core/db/db.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { findLatestDay } from './latest-day.ts';

const ALWAYS = [{ startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }];
const NOW_MS = Date.parse('2026-11-20T00:30:00Z');
let server: TestServer;
let fleet: TestFleet;
let db: Db;
beforeAll(async () => {
  server = await createTestServer([]);
  db = server.deps.database.db;
  fleet = await insertTestFleet(db);
});
afterAll(() => server.close());

const insertHour = ({ busId, unitId }: TestBus, at: string) =>
  db
    .insertInto('hourly_traffic')
    .values({
      ...{ workplace_id: busId, unit_id: unitId },
      hour_start: new Date(at),
      entered_adults: 1,
    })
    .execute();

it('a bus of which nothing is known has no latest day', async () => {
  expect(await findLatestDay(db, fleet.firstBus.busId, ALWAYS, NOW_MS)).toBeNull();
});

it('the latest day is the local one of the last counts or fragment, whichever is later, but none to come', async () => {
  const { firstBus } = fleet;
  const latest = () => findLatestDay(db, firstBus.busId, ALWAYS, NOW_MS);
  // 23:00 in Moscow.
  await insertHour(firstBus, '2026-11-17T20:00:00Z');
  expect(await latest()).toBe('2026-11-17');
  await insertHour(firstBus, '2026-11-17T21:00:00Z');
  expect(await latest()).toBe('2026-11-18');
  const startMs = Date.parse('2026-11-19T05:00:00Z');
  await insertStoredFragment(server, firstBus, {
    startMs,
    lengthMs: 20_000,
    video: Buffer.from(''),
  });
  expect(await latest()).toBe('2026-11-19');
  await insertHour(firstBus, '2026-11-21T05:00:00Z');
  expect(await latest()).toBe('2026-11-19');
  expect(await findLatestDay(db, fleet.secondBus.busId, ALWAYS, NOW_MS)).toBeNull();
  // The bus passed on and came back: of the user's periods the latest one with records has it.
  const period = (from: string, to: string) => ({
    startMs: Date.parse(`${from}T00:00:00+03:00`),
    endMs: Date.parse(`${to}T00:00:00+03:00`),
  });
  const [before, after] = [period('2026-11-01', '2026-11-18'), period('2026-11-20', '2026-12-01')];
  expect(await findLatestDay(db, firstBus.busId, [after, before], NOW_MS)).toBe('2026-11-17');
  expect(await findLatestDay(db, firstBus.busId, [after], NOW_MS)).toBeNull();
});
