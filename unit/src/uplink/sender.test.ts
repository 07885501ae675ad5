import type { Batch, BatchAnswer, UnitRecord } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UplinkError } from './connection.ts';
import { createMemoryOutbox } from './outbox.ts';
import { createSender } from './sender.ts';
import type { Timers } from './timers.ts';

/** Local days that the server takes in a batch. */
const MOST_DAYS = 62;
const STREAM = '6b1f3c0e-8f0a-4f6e-9d58-0f3f3a1c2b4d';

function event(seq: number): UnitRecord {
  const time = '2026-11-20T08:00:00.000Z';
  const who = { door: 1, direction: 'entered', passenger: 'adult', count: 1 } as const;
  return { type: 'passenger', seq, time, ...who };
}

/** A clock that advances only by `sleep`. */
function patientTimers(): Timers & { sleptMs: number[] } {
  const sleptMs: number[] = [];
  return {
    sleptMs,
    nowMs: () => 1_000 + sleptMs.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => {
      sleptMs.push(ms);
    },
  };
}

/** A server that stores by number and treats each batch as the test says. */
function fakeServer(fates: readonly ('ok' | 'lost' | 'lost answer' | 'half' | 'busy')[]) {
  const stored = new Map<number, number>();
  const batches: Batch[] = [];
  let turn = 0;
  return {
    stored,
    batches,
    sendBatch: async (batch: Batch): Promise<BatchAnswer> => {
      batches.push(batch);
      const fate = fates[turn++] ?? 'ok';
      if (fate === 'lost') throw new UplinkError('no answer', 0, '');
      if (fate === 'busy') throw new UplinkError('503', 503, 'unavailable');
      const records = batch.records as UnitRecord[];
      const taken = fate === 'half' ? records.slice(0, Math.ceil(records.length / 2)) : records;
      for (const { seq } of taken) stored.set(seq, (stored.get(seq) ?? 0) + 1);
      if (fate === 'lost answer') throw new UplinkError('no answer', 0, '');
      const acknowledged = taken.map(({ seq }): [number, number] => [seq, seq]);
      return { server_time: batch.sent_at, acknowledged, refused: [] };
    },
  };
}

it('sends until the server has every record, whatever becomes of batches and answers', async () => {
  const fate = fc.constantFrom('ok', 'lost', 'lost answer', 'half', 'busy');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (fates, count, batchRecords) => {
        const server = fakeServer(fates as ('ok' | 'lost')[]);
        const outbox = createMemoryOutbox();
        outbox.add(
          STREAM,
          Array.from({ length: count }, (_, index) => event(index + 1)),
        );
        const timers = patientTimers();
        await createSender({ connection: server, outbox, timers, batchRecords }).flush();
        expect(outbox.size).toBe(0);
        expect([...server.stored.keys()].sort((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, index) => index + 1),
        );
        expect(
          Math.max(...server.batches.map(({ records }) => records.length)),
        ).toBeLessThanOrEqual(batchRecords);
      },
    ),
  );
});

it('waits longer after every failure, and says the time of the sending anew', async () => {
  const server = fakeServer(['lost', 'busy', 'lost']);
  const outbox = createMemoryOutbox();
  outbox.add(STREAM, [event(1)]);
  const timers = patientTimers();
  const sender = createSender({ connection: server, outbox, timers, random: () => 1 });
  expect(await sender.flush()).toBe(1);
  expect(timers.sleptMs).toEqual([500, 1000, 2000]);
  expect(new Set(server.batches.map(({ sent_at }) => sent_at)).size).toBe(4);
});

it.each([
  ['that is not one', 'malformed'],
  ['of a clock that stands', 'too_dense'],
] as const)(
  'forgets a refused record %s, reports it, and keeps sending the others',
  async (_name, reason) => {
    const refused: string[] = [];
    const outbox = createMemoryOutbox();
    outbox.add(STREAM, [event(1), event(2), event(3)]);
    const connection = {
      sendBatch: async (batch: Batch): Promise<BatchAnswer> => ({
        server_time: batch.sent_at,
        acknowledged: [
          [1, 1],
          [3, 3],
        ],
        refused: [{ index: 1, seq: 2, reason, message: 'is refused' }],
      }),
    };
    const sender = createSender({
      connection,
      outbox,
      timers: patientTimers(),
      onRefused: (refusal, record) => refused.push(`${record?.seq} ${refusal.reason}`),
    });
    expect(await sender.flush()).toBe(2);
    expect(refused).toEqual([`2 ${reason}`]);
    expect(outbox.size).toBe(0);
  },
);

it('halves a batch that is too large', async () => {
  const sizes: number[] = [];
  const outbox = createMemoryOutbox();
  outbox.add(STREAM, [1, 2, 3, 4, 5].map(event));
  const server = fakeServer([]);
  const connection = {
    sendBatch: async (batch: Batch): Promise<BatchAnswer> => {
      sizes.push(batch.records.length);
      if (batch.records.length > 2) throw new UplinkError('413', 413, 'too_large');
      return server.sendBatch(batch);
    },
  };
  await createSender({ connection, outbox, timers: patientTimers() }).flush();
  expect(sizes).toEqual([5, 3, 2, 2, 1]);
});

it('halves a backlog of too many days until it is taken, and sends larger batches once it is through', async () => {
  const dayMs = 86_400_000;
  const old = Array.from({ length: 400 }, (_, day) => ({
    ...event(day + 1),
    time: new Date(Date.parse('2025-10-01T08:00:00Z') + day * dayMs).toISOString(),
  }));
  const dense = Array.from({ length: 10_000 }, (_, index) => event(401 + index));
  const outbox = createMemoryOutbox();
  outbox.add(STREAM, [...old, ...dense]);
  const server = fakeServer([]);
  const sizes: number[] = [];
  let refused = 0;
  const connection = {
    sendBatch: async (batch: Batch): Promise<BatchAnswer> => {
      const days = new Set((batch.records as UnitRecord[]).map(({ time }) => time.slice(0, 10)));
      if (days.size > MOST_DAYS) {
        refused += 1;
        throw new UplinkError('413', 413, 'too_many_days');
      }
      sizes.push(batch.records.length);
      return server.sendBatch(batch);
    },
  };
  const timers = patientTimers();
  expect(await createSender({ connection, outbox, timers }).flush()).toBe(10_400);
  expect([outbox.size, server.stored.size, timers.sleptMs]).toEqual([0, 10_400, []]);
  expect(refused).toBeLessThan(12);
  expect(Math.max(...sizes)).toBeGreaterThan(500);
});

it('gives up at once when the credential is not known, and keeps the records', async () => {
  const outbox = createMemoryOutbox();
  outbox.add(STREAM, [event(1)]);
  const connection = {
    sendBatch: () => Promise.reject(new UplinkError('401', 401, 'unauthorized')),
  };
  const sender = createSender({ connection, outbox, timers: patientTimers() });
  await expect(sender.flush()).rejects.toThrow('401');
  expect(outbox.size).toBe(1);
});

it('keeps a record of a camera that the server does not know yet, and sends it again later', async () => {
  const outbox = createMemoryOutbox();
  outbox.add(STREAM, [event(1)]);
  const batches: Batch[] = [];
  let isSetUp = false;
  let nowMs = 0;
  const connection = {
    sendBatch: async (batch: Batch): Promise<BatchAnswer> => {
      batches.push(batch);
      return {
        server_time: batch.sent_at,
        acknowledged: isSetUp ? [[1, 1]] : [],
        refused: isSetUp
          ? []
          : [{ index: 0, seq: 1, reason: 'unknown_camera', message: 'no such' }],
      };
    },
  };
  const timers = { ...patientTimers(), nowMs: () => nowMs };
  const sender = createSender({ connection, outbox, timers });
  expect(await sender.flush()).toBe(0);
  expect(outbox.size).toBe(1);
  isSetUp = true;
  expect(await sender.flush()).toBe(0);
  expect(batches).toHaveLength(1);
  nowMs = 10 * 60_000;
  expect(await sender.flush()).toBe(1);
  expect(batches.map(({ records }) => records)).toEqual([[event(1)], [event(1)]]);
  expect(outbox.size).toBe(0);
});

it('says with each batch how old the records are that the unit has still to send', async () => {
  const server = fakeServer([]);
  const outbox = createMemoryOutbox();
  const oldestMs = Date.parse('2026-11-01T00:00:00Z');
  outbox.add(STREAM, [event(1), event(2), event(3)]);
  const backlogFromMs = (waiting: number) => (waiting === 0 ? null : oldestMs);
  const options = { connection: server, outbox, timers: patientTimers(), batchRecords: 2 };
  await createSender({ ...options, backlogFromMs }).flush();
  outbox.add(STREAM, [event(4)]);
  await createSender(options).flush();
  expect(server.batches.map(({ backlog_from: from }) => from)).toEqual([
    '2026-11-01T00:00:00.000Z',
    null,
    undefined,
  ]);
});
