// Each record belongs to the bus in which the unit sat then, whatever the unit sends, and whenever it sends and moves.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPositionColumns } from '../positions/read.ts';
import { deleteTestUnit, insertTestBus, type TestBus } from '../test/fleet.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const MINUTE_MS = 60_000;
/** Midnight in Moscow. */
const MIDNIGHT_MS = Date.parse('2026-11-20T21:00:00Z');
/** The minutes in which the unit records, and those after them. */
const [FIRST, LAST] = [-60, 60];
const BUSES = 3;

let server: TestServer;
let client: number;
beforeAll(async () => {
  const whole = await createWholeServer(MIDNIGHT_MS + (LAST + 1) * MINUTE_MS);
  server = whole.server;
  client = whole.fleet.first;
});
afterAll(() => server.close());

/** A batch of records at some minutes, or a move at a minute to a bus, or out of all buses. */
type Step =
  | { readonly kind: 'send'; readonly minutes: readonly number[] }
  | ({ readonly kind: 'move' } & Move);

interface Move {
  readonly minute: number;
  /** null: out of all buses. */
  readonly bus: number | null;
}

const minute = fc.integer({ min: FIRST, max: LAST });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    minutes: fc.array(minute, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    kind: fc.constant('move' as const),
    minute,
    bus: fc.option(fc.integer({ min: 0, max: BUSES - 1 })),
  }),
);

async function freshBuses(): Promise<TestBus[]> {
  const { db } = server.deps.database;
  const buses: TestBus[] = [];
  for (let n = 0; n < BUSES; n += 1) {
    buses.push(await insertTestBus(db, client, `Автобус ${randomUUID()}`, 'Europe/Moscow'));
  }
  for (const { unitId } of buses.slice(1)) await deleteTestUnit(db, unitId);
  return buses;
}

const timeOf = (at: number): string => new Date(MIDNIGHT_MS + at * MINUTE_MS).toISOString();

/** Sends a batch until it is stored: a process may not know yet that the unit was moved. */
async function store(body: object, { credential }: TestBus): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/unit/v1/batches', body },
      headers: { authorization: `Bearer ${credential}` },
    });
    if (answer.statusCode === 200) {
      expect(answer.json().refused).toEqual([]);
      return;
    }
    expect(answer.statusCode, answer.body).toBe(503);
    server.clock.advance(3000);
  }
  throw new Error('The batch was never stored.');
}

/** A unit that is put back at the moment at which it left has never been away. */
function note(moves: Move[], { minute, bus }: Move): void {
  while (moves.at(-1)?.minute === minute) moves.pop();
  if (moves.length === 0 && bus === null) moves.push({ minute: -Infinity, bus });
  else if (moves.at(-1)?.bus !== bus) moves.push({ minute, bus });
}

/** A unit that stays in its bus has been there since an earlier moment, at which it was in no bus. */
function noteEarlier(moves: Move[], { minute, bus }: Move): 200 | 400 | 409 {
  const present = moves.at(-1)?.minute ?? -Infinity;
  if (minute === present) return 200;
  if (bus === null || minute > present) return 400;
  const before = moves.at(-2);
  const left = before?.bus === null ? before.minute : present;
  if (before !== undefined && minute < left) return 409;
  moves.pop();
  note(moves, { minute, bus });
  return 200;
}

async function play(steps: readonly Step[]): Promise<void> {
  server.clock.set(MIDNIGHT_MS + (LAST + 1) * MINUTE_MS);
  const token = await server.signIn('admin');
  const buses = await freshBuses();
  const [first] = buses as [TestBus, ...TestBus[]];
  const stream = randomUUID();
  /** Accepted moves; the first bus had the unit before. */
  const moves: Move[] = [{ minute: -Infinity, bus: 0 }];
  const recorded: number[] = [];
  let seq = 0;
  for (const one of steps) {
    if (one.kind === 'send') {
      const records = one.minutes.flatMap((at) => [
        {
          ...{ type: 'passenger', seq: ++seq, time: timeOf(at), door: 1 },
          ...{ direction: 'entered', passenger: 'adult' },
        },
        {
          ...{ type: 'position', seq: ++seq, time: timeOf(at), latitude: 55.75 },
          ...{ longitude: 37.6 + at / 1000, speed_kmh: 30 },
        },
      ]);
      const batch = { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records };
      await store(batch, first);
      // An answer may be lost.
      await store(batch, first);
      recorded.push(...one.minutes);
    } else {
      const answer = await server.app.inject({
        ...{ method: 'PUT', url: `/api/admin/units/${first.unitId}` },
        headers: { authorization: `Bearer ${token}` },
        payload: {
          bus_id: one.bus === null ? null : buses[one.bus]?.busId,
          moved_from: timeOf(one.minute),
        },
      });
      const present = moves.at(-1);
      const isHeard = recorded.length > 0;
      const isPossible = one.minute >= (present?.minute ?? 0);
      if (one.bus === present?.bus) expect(answer.statusCode).toBe(noteEarlier(moves, one));
      else if (!isHeard) {
        const minute = one.bus === null ? -Infinity : one.minute;
        moves.splice(0, moves.length, { minute, bus: one.bus });
      } else {
        expect(answer.statusCode, answer.body).toBe(isPossible ? 200 : 409);
        if (isPossible) note(moves, one);
      }
    }
  }
  const busAt = (at: number): number | null =>
    moves.findLast((one) => one.minute <= at)?.bus ?? null;
  for (const [n, { busId }] of buses.entries()) {
    const expected = recorded.filter((at) => busAt(at) === n).sort((a, b) => a - b);
    const { db, pool } = server.deps.database;
    const { timeMs } = await readPositionColumns(db, busId, 0, Date.UTC(2100));
    const positions = [...timeMs].map((ms) => (ms - MIDNIGHT_MS) / MINUTE_MS);
    const hours = await pool.query(
      `select extract(epoch from hour_start)::int as hour, sum(entered_adults)::int as people
       from hourly_traffic where workplace_id = $1 group by 1 having sum(entered_adults) > 0 order by 1`,
      [busId],
    );
    const people = Map.groupBy(expected, (at) => Math.floor(at / 60));
    expect({ positions: positions.sort((a, b) => a - b), hours: hours.rows }).toEqual({
      positions: expected,
      hours: [...people].map(([hour, some]) => ({
        hour: MIDNIGHT_MS / 1000 + hour * 3600,
        people: some.length,
      })),
    });
  }
}

it('each record is counted once, in the bus in which its unit sat at that time', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), play), {
    numRuns: 60,
    endOnFailure: true,
    // Out of the bus, back at the same moment, and to another one from an earlier moment on.
    examples: [
      [
        [
          { kind: 'send', minutes: [1, 22, -27, 50] },
          { kind: 'move', minute: 58, bus: null },
          { kind: 'move', minute: 58, bus: 0 },
          { kind: 'move', minute: 47, bus: 2 },
        ],
      ],
    ],
  });
}, 300_000);
