import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { type Announced, announce, stateOf } from '../test/video.ts';
import { countByUnit } from './count-by-unit.ts';
import { countFragmentJob } from './count-job.ts';
import type { CountTask } from './counter.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const first = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
const last = { jobId: '1', attempt: 10, lastAttempt: true, signal: AbortSignal.any([]) };
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

/** A loaded fragment of door 1. */
async function loaded(status: 'LOADED' | 'PROCESSING' = 'LOADED', from = 'LOADED') {
  minutes += 5;
  const startMs = START_MS + minutes * 60_000;
  const announced = await announce(server, bus, startMs);
  await put(announced, status, from);
  return { announced, startMs };
}

const put = async ({ fragmentId }: Announced, status: 'LOADED' | 'PROCESSING', from: string) =>
  server.deps.database.db
    .updateTable('segments')
    .set({ status, status_from: from })
    .where('id', '=', fragmentId)
    .execute();

const count = (announced: Announced, context = first) =>
  countFragmentJob(server.deps).run({ segmentId: announced.fragmentId }, context);

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
    const counted = await countByUnit(server.deps.database.db, announced);
    expect(counted.events.map(({ timeMs, count: people }) => [timeMs - startMs, people])).toEqual([
      [0, 2],
      [19_999, 1],
    ]);
    expect([counted.source, counted.maxObjectsCount]).toEqual(['unit', 6]);
    await count(announced);
    const row = await server.deps.database.db
      .selectFrom('segments')
      .select(['status', 'max_objects_count', 'info'])
      .where('id', '=', announced.fragmentId)
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
      const job = countFragmentJob(server.deps, () => Promise.reject(new Error('no frame')));
      const payload = { segmentId: announced.fragmentId };
      await expect(job.run(payload, first)).rejects.toThrow('no frame');
      expect(await stateOf(server, announced)).toMatchObject({ status: 'PROCESSING' });
      await job.run(payload, last);
      expect(await stateOf(server, announced)).toEqual({
        status: from,
        fail_reason: 'not_counted',
      });
    },
  );

  it('of its video is told of the file, the camera and how far it is, and is stored as a layer of its own', async () => {
    const { db } = server.deps.database;
    const { announced, startMs } = await loaded('PROCESSING');
    await db
      .updateTable('cameras')
      .set({ count_settings: JSON.stringify({ line: 0.4 }), count_settings_version: 3 })
      .where('id', '=', bus.cameras.door1)
      .execute();
    const shown: (number | null)[] = [];
    const seen = [
      { timeMs: startMs + 1000, door: null, direction: 'entered', passenger: 'adult', count: 2 },
      { timeMs: startMs + 900, door: null, direction: 'exited', passenger: 'child', count: 1 },
    ] as const;
    let given: CountTask | undefined;
    const job = countFragmentJob(server.deps, async (_db, task) => {
      given = task;
      for (const percent of [10, 60]) {
        server.clock.advance(2000);
        await task.onProgress(percent);
        const row = await db
          .selectFrom('segments')
          .select('counting_percent')
          .where('id', '=', announced.fragmentId)
          .executeTakeFirst();
        shown.push(row?.counting_percent ?? null);
      }
      return { source: 'video', events: seen, maxObjectsCount: 4 };
    });
    for (const again of [false, true]) {
      if (again) await put(announced, 'PROCESSING', 'LOADED');
      await job.run({ segmentId: announced.fragmentId }, first);
      const { rows } = await sql`select direction, passenger, count from video_events
        where segment_id = ${announced.fragmentId} order by time`.execute(db);
      expect(rows).toEqual([
        { direction: 'exited', passenger: 'child', count: 1 },
        { direction: 'entered', passenger: 'adult', count: 2 },
      ]);
    }
    expect(shown).toEqual([10, 60, 10, 60]);
    expect(given).toMatchObject({
      startMs,
      endMs: startMs + 20_000,
      file: null,
      settings: { cameraId: bus.cameras.door1, door: 1, values: { line: 0.4 }, version: 3 },
    });
  });

  it('that nobody wants any more is aborted, and nothing of it is stored', async () => {
    const { announced } = await loaded('PROCESSING');
    const job = countFragmentJob(server.deps, async (_db, task) => {
      await put(announced, 'LOADED', 'LOADED');
      await task.onProgress(50);
      task.signal.throwIfAborted();
      throw new Error('went on');
    });
    await job.run({ segmentId: announced.fragmentId }, first);
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });

  it('ends when its process is to end, and is tried again', async () => {
    const { announced } = await loaded('PROCESSING');
    const stopping = new AbortController();
    const job = countFragmentJob(server.deps, async (_db, { signal }) => {
      stopping.abort(new Error('stopping'));
      signal.throwIfAborted();
      throw new Error('went on');
    });
    const context = { ...first, signal: stopping.signal };
    await expect(job.run({ segmentId: announced.fragmentId }, context)).rejects.toThrow('stopping');
    expect(await stateOf(server, announced)).toMatchObject({ status: 'PROCESSING' });
  });
});
