// Property: the bounds on a unit's rows lose no acknowledged record and store none twice, whatever the unit sends.

import { randomUUID } from 'node:crypto';
import type { BatchAnswer, UnitRecord } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KnownUnit } from '../../core/viewer.ts';
import { unpackPoints } from '../../positions/pack.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { triesOf } from '../../test/tries-of.ts';
import { takeBatch } from '../http/take-batch.ts';
import type { Bounds } from './bounds.ts';
import { createRecordStore } from './record-store.ts';
import { closeLowestGaps, estimateOf, estimateWith, joinRanges, rangesOf } from './sequences.ts';

const startMs = Date.UTC(2026, 10, 20, 5);
const bounds: Bounds = { blockPoints: 14, streamRanges: 4, aside: 4 };
let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([]);
  server.clock.set(startMs + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const step = fc.record({
  kind: fc.constantFrom('position', 'position', 'passenger', 'unplaced'),
  /** The step to the number after it. */
  by: fc.constantFrom(1, 1, 1, 2),
  // Mostly the first of two blocks.
  seconds: fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 1, 2, 300),
});
/** A batch, to which of two processes it goes, and whether its answer is lost and it comes again. */
const sending = fc.record({
  /** How far it goes back behind the last number. */
  back: fc.constantFrom(0, 0, 0, 0, 3, 15),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  process: fc.constantFrom(0, 0, 0, 0, 0, 1),
  isRepeated: fc.constantFrom(false, false, false, false, true),
});

function recordOf({ kind, seconds }: { kind: string; seconds: number }, seq: number): UnitRecord {
  const time = new Date(startMs + seconds * 1000).toISOString();
  if (kind === 'passenger') {
    const who = { direction: 'entered', passenger: 'adult', count: 1 } as const;
    return { type: 'passenger', seq, time, door: 1, ...who };
  }
  const place = { latitude: 55.7 + seq / 1000, longitude: 37.6, speed_kmh: 20 };
  return { type: 'position', seq, time, fix: kind === 'position', ...place };
}

const textOf = (type: string, seq: number, sentMs: number): string => `${type} ${seq} ${sentMs}`;

/** Everything that is stored of a unit, one line a record. */
async function storedOf(unitId: number): Promise<string[]> {
  const { db } = server.deps.database;
  const blocks = await db
    .selectFrom('position_blocks')
    .select(['points', 'point_count'])
    .where('unit_id', '=', unitId)
    .execute();
  const events = await sql<{ seq: number; sent_time: Date }>`select seq, sent_time
    from passenger_events where unit_id = ${unitId}`.execute(db);
  for (const block of blocks) expect(block.point_count).toBeLessThanOrEqual(bounds.blockPoints);
  return [
    ...blocks
      .flatMap(({ points }) => unpackPoints(points))
      .map(({ seq, sentMs }) => textOf('position', seq, sentMs)),
    ...events.rows.map(({ seq, sent_time }) => textOf('passenger', seq, sent_time.getTime())),
  ].sort();
}

async function mostRangesOf(unitId: number): Promise<number> {
  const { rows } = await sql<{ most: number }>`
    select greatest((select count(*) from unnest(received)),
      (select count(*) from unnest(unplaced)))::int as most
    from unit_streams where unit_id = ${unitId}`.execute(server.deps.database.db);
  return rows[0]?.most ?? 0;
}

const isIn = ({ acknowledged }: BatchAnswer, seq: number): boolean =>
  acknowledged.some(([first, last]) => seq >= first && seq <= last);

it('a unit with small bounds has stored what was acknowledged, once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sending, { minLength: 10, maxLength: 30 }), async (sendings) => {
      const bus = await insertTestBus(server.deps.database.db, fleet.first, randomUUID());
      const unit: KnownUnit = {
        ...{ unitId: bus.unitId, deviceId: 'x', busId: bus.busId },
        ...{ assignedFromMs: Number.NEGATIVE_INFINITY, pastAssignments: [] },
      };
      const stream = randomUUID();
      const processes = [
        createRecordStore(server.deps, bounds),
        createRecordStore(server.deps, bounds),
      ];
      const promised = new Set<string>();
      /** The first acknowledged record of each number. */
      const firstOf = new Map<number, string>();
      const send = async (records: UnitRecord[], process: number): Promise<void> => {
        const nowMs = server.clock.nowMs();
        const { store } = processes[process] ?? createRecordStore(server.deps, bounds);
        const batch = { stream, sent_at: new Date(nowMs).toISOString(), records };
        const { answer } = await takeBatch(store, unit, batch, nowMs);
        const refused = new Set(answer.refused.map(({ index }) => index));
        for (const [index, one] of records.entries()) {
          if (refused.has(index) || !isIn(answer, one.seq)) continue;
          const isPlaced = one.type !== 'position' || one.fix;
          const text = textOf(one.type, one.seq, Date.parse(one.time));
          if (isPlaced) promised.add(text);
          // A number stands for one thing for good, as far as something is stored of it.
          const before = firstOf.get(one.seq) ?? (isPlaced ? text : 'nothing');
          firstOf.set(one.seq, before);
          expect(before).toBe(isPlaced ? text : 'nothing');
        }
        // A record that gets no answer would be sent for ever.
        const refusedNumbers = new Set(answer.refused.map(({ seq }) => seq));
        for (const { seq } of records) {
          expect(isIn(answer, seq) || refusedNumbers.has(seq)).toBe(true);
        }
      };
      let last = 0;
      for (const { back, steps, process, isRepeated } of sendings) {
        let seq = Math.max(last - back, 0);
        const records = steps.map((one) => {
          seq += one.by;
          return recordOf(one, seq);
        });
        last = Math.max(last, seq);
        await send(records, process);
        if (isRepeated) await send(records, 1 - process);
        expect(await mostRangesOf(unit.unitId)).toBeLessThanOrEqual(bounds.streamRanges);
      }
      expect(await storedOf(unit.unitId)).toEqual([...promised].sort());
    }),
    { numRuns: triesOf(15) },
  );
});

const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { maxLength: 40 });
const withinOf = (ranges: readonly (readonly [number, number])[]): number[] =>
  Array.from({ length: 82 }, (_, n) => n).filter((n) =>
    ranges.some(([first, last]) => n >= first && n <= last),
  );

it('ranges that are joined have the numbers of both, and closed to a bound lose none', () => {
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: 1, max: 5 }), (some, others, most) => {
      const joined = joinRanges(rangesOf(some), rangesOf(others));
      expect(joined).toEqual(rangesOf([...some, ...others]));
      const closed = closeLowestGaps(joined, most);
      expect(closed.length).toBe(Math.min(joined.length, most));
      expect(withinOf(closed)).toEqual(expect.arrayContaining(withinOf(joined)));
      // The ranges with the largest numbers stay as they are.
      expect(closed.slice(1)).toEqual(joined.slice(-most).slice(1));
    }),
  );
});

it('ranges that are not read are never taken for fewer than they are, and those that go on for no more', () => {
  fc.assert(
    fc.property(numbers, numbers, (some, added) => {
      const fresh = added.filter((n) => !some.includes(n));
      const known = estimateWith(estimateOf(rangesOf(some)), rangesOf(fresh));
      const truth = estimateOf(rangesOf([...some, ...fresh]));
      expect(known.most).toBeGreaterThanOrEqual(truth.most);
      expect(known.last).toBe(truth.last);
    }),
  );
  const one = estimateOf([[0, 9]]);
  expect(estimateWith(one, [[10, 19]])).toEqual({ most: 1, last: 19 });
});
