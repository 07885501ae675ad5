/** A fleet whose one bus drove three laps on a day, and its exports as users ask for them. */
import { afterAll, beforeAll, expect } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addMoney } from '../money/api.ts';
import { addReports } from '../reports/api.ts';
import { drive, thereAndBack } from './drive.ts';
import { insertTestFleet, type TestFleet } from './fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  sendRecords,
} from './laps.ts';
import { type ReadCell, readXlsx } from './read-xlsx.ts';
import { createTestServer, type TestServer } from './test-deps.ts';

export const DAY = '2026-03-10';
/** 06:00 in Moscow. */
const START_MS = Date.parse('2026-03-10T03:00:00Z');
const MINUTE_MS = 60_000;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const truth = drive(street, { seed: 1, startMs: START_MS, laps: 3 });

/** When the bus came to a stop of a lap, ms since 1970 UTC. */
export const stayOf = (lap: number, stop: number): number => truth.laps[lap]?.stays[stop]?.[0] ?? 0;

/** The query of a report in English, of the day unless told otherwise. */
export const rangeOf = (more: Readonly<Record<string, string>> = {}): string =>
  `${new URLSearchParams({ from: DAY, to: DAY, language: 'en_US', ...more })}`;

/** The ms of a cell with a time, NaN of any other. */
export const timeOf = (cell: ReadCell | undefined): number =>
  cell instanceof Date ? cell.getTime() : Number.NaN;

/** A server for the tests of one file: five enter on the second lap, four exit, a child enters on the third. */
export function useReportedDay() {
  let server: TestServer;
  let fleet: TestFleet;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    server = await createTestServer([addAuth, addIngest, addMoney, addReports]);
    fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
    const bus = fleet.firstBus;
    for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
      tokens[login] = await server.signIn(login);
    }
    await insertTestRoute(server.deps.database.db, bus.routeId, street);
    const nowMs = START_MS + 10 * 60 * MINUTE_MS;
    server.clock.set(nowMs);
    const passengers = [
      // On the second lap five ride from the sixth stop on, and the counter misses one who gets off.
      passengerRecord(stayOf(1, 5) + 5000, 'entered', 5),
      passengerRecord(stayOf(1, 11) + 5000, 'exited', 4),
      { ...passengerRecord(stayOf(2, 1) + 5000, 'entered'), passenger: 'child' },
    ];
    await sendRecords(server.app, bus, [...positionRecords(truth.points), ...passengers], nowMs);
    await computeDay(server.deps, { busId: bus.busId, day: DAY });
  });
  afterAll(() => server.close());

  async function ask(url: string, { login = 'first', accept = '' } = {}) {
    const headers = { authorization: `Bearer ${tokens[login]}`, ...(accept && { accept }) };
    return server.app.inject({ url, headers });
  }

  /** The rows of an export as objects by heading. */
  async function rowsOf(url: string, login?: string): Promise<Record<string, ReadCell>[]> {
    const answer = await ask(url, login === undefined ? {} : { login });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    const [sheet] = await readXlsx(answer.rawPayload);
    const [heading = [], ...rows] = sheet?.rows ?? [];
    return rows.map((row) =>
      Object.fromEntries(heading.map((name, at) => [String(name), row[at] ?? null])),
    );
  }

  return {
    get server() {
      return server;
    },
    get fleet() {
      return fleet;
    },
    tokens,
    ask,
    rowsOf,
  };
}
