import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIngest } from '../ingest/api.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { type Announced, announce, stateOf } from '../test/video.ts';
import { countByUnit } from './count-by-unit.ts';
import { countSegmentJob } from './count-job.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const first = { jobId: '1', attempt: 1, lastAttempt: false };
const last = { jobId: '1', attempt: 10, lastAttempt: true };
let server: TestServer;
let bus: TestBus;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(START_MS + 12 * 3_600_000);
  bus = (await insertTestFleet(server.deps.database.db)).firstBus;
});
afterAll(() => server.close());

async function tell(records: readonly object[]): Promise<void> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: {
      stream: randomUUID(),
      sent_at: new Date(server.clock.nowMs()).toISOString(),
      records: records.map((record, seq) => ({ seq, ...record })),
    },
  });
  expect(answer.json<{ refused: unknown[] }>().refused).toEqual([]);
}

const passenger = (ms: number, door: number, count = 1) => ({
  type: 'passenger',
  time: new Date(ms).toISOString(),
  door,
  direction: 'entered',
  passenger: 'adult',
  count,
});

/** A fragment of door 1 that was loaded. */
async function loaded(status: 'LOADED' | 'PROCESSING' = 'LOADED', from = 'LOADED') {
  minutes += 5;
  const startMs = START_MS + minutes * 60_000;
  const announced = await announce(server, bus, startMs);
  await put(announced, status, from);
  return { announced, startMs };
}

const put = async ({ segmentId }: Announced, status: 'LOADED' | 'PROCESSING', from: string) =>
  server.deps.database.db
    .updateTable('segments')
    .set({ status, status_from: from })
    .where('id', '=', segmentId)
    .execute();

const count = (announced: Announced, context = first) =>
  countSegmentJob(server.deps).run({ segmentId: announced.segmentId }, context);

describe('counting a fragment', () => {
  it("finds the unit's events of its door and time, and the most people in view", async () => {
    const { announced, startMs } = await loaded();
    await tell([
      passenger(startMs - 1, 1),
      passenger(startMs, 1, 2),
      passenger(startMs + 5000, 2),
      passenger(startMs + 19_999, 1),
      passenger(startMs + 20_000, 1),
      {
        type: 'segment',
        time: new Date(startMs + 30_000).toISOString(),
        camera: 'door1',
        start_time: new Date(startMs).toISOString(),
        end_time: new Date(startMs + 20_000).toISOString(),
        video: 'queued',
        max_objects_count: 6,
      },
    ]);
    const counted = await countByUnit(server.deps.database.db, announced.segmentId);
    expect(counted.events.map(({ timeMs, count: people }) => [timeMs - startMs, people])).toEqual([
      [0, 2],
      [19_999, 1],
    ]);
    expect([counted.source, counted.maxObjectsCount]).toEqual(['unit', 6]);
    await count(announced);
    const row = await server.deps.database.db
      .selectFrom('segments')
      .select(['status', 'max_objects_count', 'info'])
      .where('id', '=', announced.segmentId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'PROCESSED',
      max_objects_count: 6,
      info: { counted: { source: 'unit', events: 2 } },
    });
  });

  it('that was cut off by a crash goes on', async () => {
    const { announced } = await loaded('PROCESSING');
    await count(announced);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'PROCESSED' });
    await count(announced);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'PROCESSED' });
  });

  it('once more leaves a merged fragment merged', async () => {
    const { announced } = await loaded('PROCESSING', 'WAS_MERGED');
    await count(announced);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'WAS_MERGED' });
  });

  it.each(['LOADED', 'PROCESSED', 'WAS_MERGED'])(
    'that fails is tried again, and at last returns to %s with the reason',
    async (from) => {
      const { announced } = await loaded('PROCESSING', from);
      const job = countSegmentJob(server.deps, () => Promise.reject(new Error('no picture')));
      const payload = { segmentId: announced.segmentId };
      await expect(job.run(payload, first)).rejects.toThrow('no picture');
      expect(await stateOf(server, announced)).toMatchObject({ status: 'PROCESSING' });
      await job.run(payload, last);
      expect(await stateOf(server, announced)).toEqual({
        status: from,
        fail_reason: 'The fragment could not be counted.',
      });
    },
  );
});
