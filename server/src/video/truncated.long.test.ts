import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fragment } from '@ridewatch/contract/fragments';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { countFragmentJob } from '../counts/count-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { makeOddVideo, type OddVideo } from '../test/odd-video.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { type Announced, announce, sha256Of, stateOf, upload, verify } from '../test/video.ts';
import { addVideo } from './api.ts';
import { judgeClockJob } from './clock-job.ts';
import { addUploads } from './uploads/uploads.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);
let server: TestServer;
let client: number;
let bus: TestBus;
let folder: string;
let buses = 0;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addUploads, addVideo]);
  client = (await insertTestFleet(server.deps.database.db)).first;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-truncated-test-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
// A bus of its own has no earlier files.
beforeEach(async () => {
  server.clock.set(START_MS + 12 * 3_600_000);
  buses += 1;
  minutes = 0;
  bus = await insertTestBus(server.deps.database.db, client, `Автобус ${300 + buses}`);
});

const announceNext = (lengthMs: number): Promise<Announced> => {
  minutes += 5;
  return announce(server, bus, START_MS + minutes * 60_000, 'queued', { lengthMs });
};

async function shown({ fragmentId }: Announced): Promise<Fragment> {
  const answer = await server.app.inject({
    url: `/api/segments/${fragmentId}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  return answer.json<Fragment>();
}

/** Takes the waiting jobs of a name. */
async function takeJobs(name: string): Promise<{ payload: unknown }[]> {
  const { rows } = await sql<{ payload: unknown }>`
    delete from graphile_worker._private_jobs as jobs using graphile_worker._private_tasks as tasks
    where tasks.id = jobs.task_id and identifier = ${name} returning payload`.execute(
    server.deps.database.db,
  );
  return rows;
}

/** Sends the video of a fragment, and lets the worker verify and count it. */
async function send(announced: Announced, bytes: Buffer): Promise<Fragment> {
  await verify(server, await upload(server, bus, announced, bytes, sha256Of(bytes)));
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
  for (const { payload } of await takeJobs('judge_clock')) {
    await judgeClockJob(server.deps).run(payload, context);
  }
  await countFragmentJob(server.deps).run({ segmentId: announced.fragmentId }, context);
  return shown(announced);
}

const file = (name: OddVideo): Buffer => readFileSync(makeOddVideo(folder, name));
/** The first part of a file, as after a lost power. */
const cut = (name: OddVideo, share = 0.6): Buffer => {
  const whole = file(name);
  // No boundary of a packet of a transport stream.
  return whole.subarray(0, Math.floor((whole.length * share) / 188) * 188 + 100);
};

/** The same in the space that the recorder reserved for the whole file. */
const reserved = (name: OddVideo): Buffer => {
  const bytes = Buffer.alloc(file(name).length);
  cut(name).copy(bytes);
  return bytes;
};

describe('a video that breaks off', () => {
  it.each(['plain.mp4', 'fragments.mp4', 'offset.ts', 'reordered.avi', 'uneven.mkv'] as const)(
    'says how much of its period is there: %s',
    async (name) => {
      const { status, video } = await send(await announceNext(6000), cut(name));
      expect([status, video?.time_map]).toEqual(['PROCESSED', null]);
      expect(video?.truncated?.of_ms).toBe(6000);
      expect(video?.truncated?.shown_ms).toBe(video?.duration_ms);
      expect(video?.duration_ms).toBeLessThan(5000);
    },
  );

  it.each(['plain.mp4', 'fragments.mp4', 'offset.ts', 'reordered.avi', 'uneven.mkv'] as const)(
    'says so although its file is filled with zeros to its full length: %s',
    async (name) => {
      const broken = await send(await announceNext(6000), cut(name));
      const filled = await send(await announceNext(6000), reserved(name));
      expect(filled.status).toBe('PROCESSED');
      expect(filled.video?.truncated).not.toBeNull();
      expect(filled.video?.truncated).toEqual(broken.video?.truncated);
    },
  );

  it('is refused where nothing but zeros is left', async () => {
    const announced = await announceNext(6000);
    await send(announced, Buffer.alloc(file('plain.mp4').length));
    expect((await stateOf(server, announced)).fail_reason).toBe('not_a_video');
  });

  it('says so in the day and in the list of its camera', async () => {
    const announced = await announceNext(6000);
    const { video } = await send(announced, cut('plain.mp4'));
    const headers = { authorization: `Bearer ${await server.signIn('first')}` };
    const urls = [
      `/api/segments/day-segments?workplaceId=${bus.busId}&date=${DAY}`,
      `/api/period_list/${bus.cameras.door1}?startdate=${DAY}&enddate=${DAY}`,
    ];
    for (const url of urls) {
      const answer = (await server.app.inject({ url, headers })).json<{
        segments?: Fragment[];
        items?: Fragment[];
      }>();
      const [fragment] = answer.segments ?? answer.items ?? [];
      expect(fragment?.video?.truncated).toEqual(video?.truncated);
      expect(fragment?.video?.truncated).not.toBeNull();
    }
  });

  it('is none where the whole period is there, or the clock of the file runs fast', async () => {
    const whole = await send(await announceNext(6000), file('plain.mp4'));
    expect([whole.video?.time_map, whole.video?.truncated]).toEqual([null, null]);
    for (let index = 0; index < 3; index += 1) {
      await send(await announceNext(10_000), file('plain.mp4'));
    }
    const fast = await send(await announceNext(10_000), file('plain.mp4'));
    expect(fast.video?.time_map).toHaveLength(2);
    expect(fast.video?.truncated).toBeNull();
  });

  it('is believed of the first file of a camera, which was closed without a fault', async () => {
    const { video } = await send(await announceNext(14_000), file('plain.mp4'));
    expect([video?.time_map, video?.truncated]).toEqual([null, { shown_ms: 6000, of_ms: 14_000 }]);
  });

  it('is believed of a raw stream, which has no clock, at the rate that it names', async () => {
    const { video } = await send(await announceNext(14_000), file('raw.h264'));
    expect([video?.time_map, video?.truncated?.of_ms]).toEqual([null, 14_000]);
    expect(Math.abs((video?.truncated?.shown_ms ?? 0) - 6000)).toBeLessThan(150);
  });

  it('is told from a fast clock by audio, which has a clock of its own', async () => {
    const { video } = await send(await announceNext(14_000), file('sound.mp4'));
    expect(video?.time_map).toBeNull();
    expect(video?.truncated).toMatchObject({ of_ms: 14_000 });
    expect(Math.abs((video?.truncated?.shown_ms ?? 0) - 6000)).toBeLessThan(150);
  });

  it('is told from a fast clock by the files that the camera sent before', async () => {
    for (let index = 0; index < 3; index += 1) {
      await send(await announceNext(6000), file('plain.mp4'));
    }
    const { video } = await send(await announceNext(14_000), file('plain.mp4'));
    expect([video?.time_map, video?.truncated]).toEqual([null, { shown_ms: 6000, of_ms: 14_000 }]);
  });

  it('is told from a fast clock although one file of the camera was short, too', async () => {
    await send(await announceNext(10_000), file('plain.mp4'));
    for (let index = 0; index < 2; index += 1) {
      await send(await announceNext(6000), file('plain.mp4'));
    }
    const { video } = await send(await announceNext(14_000), file('plain.mp4'));
    expect(video?.truncated).toEqual({ shown_ms: 6000, of_ms: 14_000 });
  });

  it('is told from a fast clock by the places at which others break off', async () => {
    for (const lengthMs of [9000, 30_000, 20_000, 11_500]) {
      await send(await announceNext(lengthMs), file('plain.mp4'));
    }
    const { video } = await send(await announceNext(14_000), file('plain.mp4'));
    expect(video?.truncated).toEqual({ shown_ms: 6000, of_ms: 14_000 });
  });

  it('is believed of a video that is 26 times shorter than its period, as of those before', async () => {
    for (let index = 0; index < 3; index += 1) {
      await send(await announceNext(156_000), file('plain.mp4'));
    }
    const { video } = await send(await announceNext(156_000), file('plain.mp4'));
    expect(video?.truncated).toEqual({ shown_ms: 6000, of_ms: 156_000 });
  });

  it('of a camera whose clock runs fast is spread as those before', async () => {
    for (let index = 0; index < 3; index += 1) {
      await send(await announceNext(10_000), file('plain.mp4'));
    }
    const { video } = await send(await announceNext(10_000), file('plain.mp4'));
    expect([video?.time_map?.length, video?.truncated]).toEqual([2, null]);
  });

  it('is judged again when later files tell more, whatever their order', async () => {
    const lengths = [10_000, 10_500, 14_000, 6000, 9800, 10_000, 10_200];
    const announced: Announced[] = [];
    for (const lengthMs of lengths) announced.push(await announceNext(lengthMs));
    for (const index of [4, 0, 3, 2, 6, 5, 1]) {
      const one = announced[index];
      if (one !== undefined) await send(one, file('plain.mp4'));
    }
    const fragments = await Promise.all(announced.map(shown));
    expect(fragments.map(({ video }) => video?.time_map?.length ?? null)).toEqual([
      ...[2, 2, null, null, 2, 2, 2],
    ]);
    expect(fragments.map(({ video }) => video?.truncated !== null)).toEqual([
      ...[false, false, true, false, false, false, false],
    ]);
  });
});

describe('a video that breaks off and is fetched again', () => {
  const fetchAgain = async ({ fragmentId }: Announced): Promise<number> => {
    const { db } = server.deps.database;
    const online = db.updateTable('cameras').set({ status: 'online', enabled: true });
    await online.where('workplace_id', '=', bus.busId).execute();
    const heard = { last_seen_at: new Date(server.clock.nowMs()) };
    await db.updateTable('units').set(heard).where('id', '=', bus.unitId).execute();
    const answer = await server.app.inject({
      method: 'PATCH',
      url: `/api/segments/set-downloading/${fragmentId}`,
      headers: { authorization: `Bearer ${await server.signIn('first')}` },
    });
    return answer.statusCode;
  };

  it('plays as it is until the whole one is here, and is whole then', async () => {
    const announced = await announceNext(6000);
    const before = await send(announced, cut('plain.mp4'));
    expect(await fetchAgain(announced)).toBe(200);
    const asked = await shown(announced);
    expect([asked.status, asked.video?.truncated]).toEqual([
      'DOWNLOADING_FROM_TASK',
      before.video?.truncated,
    ]);
    expect(asked.playback_uri).not.toBeNull();
    const after = await send(announced, file('plain.mp4'));
    expect([after.id, after.status, after.video?.truncated]).toEqual([
      before.id,
      'PROCESSED',
      null,
    ]);
    expect([after.entered, after.exited]).toEqual([before.entered, before.exited]);
  });

  it('keeps what is here when even less comes, and says so', async () => {
    const announced = await announceNext(6000);
    const before = await send(announced, cut('plain.mp4', 0.8));
    await fetchAgain(announced);
    await send(announced, cut('plain.mp4', 0.35));
    const after = await shown(announced);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'shorter_than_stored',
    });
    expect([after.video?.truncated, after.playback_uri === null]).toEqual([
      before.video?.truncated,
      false,
    ]);
    expect(await fetchAgain(announced)).toBe(200);
  });
});
