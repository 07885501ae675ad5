import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { findLoadAt } from './stops-and-loads.ts';

let server: TestServer;
let bus: TestBus;
const MIDNIGHT_MS = Date.parse('2026-11-20T21:00:00Z');
const at = (minutes: number): Date => new Date(MIDNIGHT_MS + minutes * 60_000);

beforeAll(async () => {
  server = await createTestServer([]);
  const { db } = server.deps.database;
  bus = (await insertTestFleet(db)).firstBus;
  const { id } = await db
    .insertInto('laps')
    .values({
      workplace_id: bus.busId,
      day: '2026-11-20',
      number: 1,
      start_time: at(-30),
      end_time: at(30),
      legs: '[]',
      open: false,
      entered: 10,
      exited: 10,
      unplaced: 0,
      max_load: 10,
      drift: 0,
      imbalance: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const loads: [minutes: number | null, load: number][] = [
    [-25, 10],
    [null, 10],
    [-5, 6.6],
    [10, 3],
    [30, 0],
  ];
  await db
    .insertInto('lap_stops')
    .values(
      loads.map(([minutes, load], position) => ({
        lap_id: id,
        position,
        name: `Остановка ${position}`,
        latitude: 55.7,
        longitude: 37.6,
        arrival: minutes === null ? null : at(minutes),
        confidence: 1,
        entered: 0,
        exited: 0,
        raw_load: 0,
        load,
      })),
    )
    .execute();
});
afterAll(() => server.close());

const loadAt = (minutes: number): Promise<number | undefined> =>
  findLoadAt(server.deps.database.db, bus.busId, at(minutes).getTime());

it('who is on board at midnight is inside then, and off at the end of the lap', async () => {
  expect([await loadAt(-10), await loadAt(0), await loadAt(24 * 60 - 31)]).toEqual([10, 7, 0]);
});

it('nobody is told to be inside where no lap is known', async () => {
  expect([await loadAt(-31), await loadAt(3 * 24 * 60)]).toEqual([undefined, undefined]);
});
