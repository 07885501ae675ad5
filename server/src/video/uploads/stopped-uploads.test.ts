import type { Fragment } from '@ridewatch/contract/fragments';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addBusDay } from '../../bus-day/api.ts';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { createTusClient, type TusClient } from '../../test/tus.ts';
import { type Announced, announce, stateOf, upload, verify } from '../../test/video.ts';
import { addVideo } from '../api.ts';
import { sweepOpenUploadsJob, sweepVideoJob } from '../sweep-job.ts';
import { addUploads } from './uploads.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);
const HALF_A_MINUTE_MS = 30_000;
const HOUR_MS = 3_600_000;
let server: TestServer;
let client: number;
let bus: TestBus;
let unit: TusClient;
let base: string;
let clip: Buffer;
let sweepOpen: JobDefinition;
let sweepAll: JobDefinition;
let buses = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addUploads, addVideo]);
  client = (await insertTestFleet(server.deps.database.db)).first;
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  clip = makeClip();
  sweepOpen = sweepOpenUploadsJob(server.deps);
  sweepAll = sweepVideoJob(server.deps);
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(START_MS + 12 * HOUR_MS);
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, client, `Автобус ${400 + buses}`);
  unit = createTusClient(base, bus.credential);
});

const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

/** Inserts uploads that stopped at their start, all of one fragment. */
async function insertStopped(count: number, { fragmentId }: Announced, atMs: number) {
  const at = new Date(atMs);
  await sql`insert into uploads
      (id, unit_id, segment_id, storage_key, length_bytes, created_at, received_at, stopped_at)
    select key, ${bus.unitId}, ${fragmentId}, key, 1000, ${at}, ${at}, ${at}
    from (select 'video/00/' || gen_random_uuid() as key from generate_series(1, ${count})) as keys`.execute(
    server.deps.database.db,
  );
}

/** Half a minute passes: the sweep of everything runs every minute, that of uploads between two of them. */
async function pass(halfMinutes: number, { isHeard = true } = {}): Promise<void> {
  for (let index = 0; index < halfMinutes; index += 1) {
    server.clock.advance(HALF_A_MINUTE_MS);
    const { db } = server.deps.database;
    const heard = { last_seen_at: new Date(server.clock.nowMs()) };
    if (isHeard) await db.updateTable('units').set(heard).where('id', '=', bus.unitId).execute();
    await (index % 2 === 0 ? sweepOpen : sweepAll).run({}, context);
  }
}

async function listCommands(): Promise<UnitCommand[]> {
  const answer = await server.app.inject({
    url: '/unit/v1/commands',
    headers: { authorization: `Bearer ${bus.credential}` },
  });
  return answer.json<{ commands: UnitCommand[] }>().commands;
}

async function shown({ fragmentId }: Announced): Promise<Fragment | undefined> {
  const answer = await server.app.inject({
    url: `/api/segments/day-segments?workplaceId=${bus.busId}&date=${DAY}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  return answer.json<{ segments: Fragment[] }>().segments.find(({ id }) => id === fragmentId);
}

const stopped = { status: 'LOADING', stopped: true, fail_reason: 'upload_stopped' };

describe('an upload that was announced longer than its file', () => {
  const begin = async (): Promise<Announced> => {
    const announced = await announce(server, bus, START_MS);
    const length = clip.length + 10;
    const location = await unit.open(announced, length);
    expect((await unit.patch(location, 0, clip)).status).toBe(204);
    return announced;
  };

  it('shows within a minute where it stopped', async () => {
    const announced = await begin();
    expect(await shown(announced)).toMatchObject({ progress: 99, stopped: false });
    await pass(1);
    expect(await shown(announced)).toMatchObject({ ...stopped, progress: 99 });
  });

  it('is asked for again, and whole then', async () => {
    const announced = await begin();
    await pass(4);
    const [command, ...others] = await listCommands();
    expect([command?.segment?.seq, others]).toEqual([announced.seq, []]);
    expect(await shown(announced)).toMatchObject({ ...stopped, progress: 99 });
    await verify(server, await upload(server, bus, announced, clip));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });

  it('has failed after five attempts', async () => {
    const announced = await begin();
    for (let tries = 1; tries <= 4; tries += 1) {
      for (let minutes = 0; (await listCommands()).length === 0; minutes += 1) {
        expect(minutes).toBeLessThan(20);
        await pass(2);
      }
      const location = await unit.open(announced, clip.length + 10);
      await unit.patch(location, 0, clip);
      const [command] = await listCommands();
      await server.app.inject({
        method: 'POST',
        url: `/unit/v1/commands/${command?.id}/ack`,
        headers: { authorization: `Bearer ${bus.credential}` },
        body: { result: 'done' },
      });
    }
    await pass(6);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'upload_stopped',
    });
    expect(await listCommands()).toEqual([]);
  });
});

describe('an upload that was announced shorter than its file', () => {
  it('shows at once where it stopped, and is asked for again', async () => {
    const announced = await announce(server, bus, START_MS);
    const location = await unit.open(announced, clip.length - 10);
    const most = Math.floor((clip.length - 10) * 0.995);
    await unit.patch(location, 0, clip.subarray(0, most));
    expect((await unit.patch(location, most, clip.subarray(most))).status).toBe(413);
    const refused = { ...stopped, progress: 99, fail_reason: 'upload_too_long' };
    expect(await shown(announced)).toMatchObject(refused);
    expect(await listCommands()).toHaveLength(1);
    // A unit may repeat its chunk: that is one attempt.
    expect((await unit.patch(location, most, clip.subarray(most))).status).toBe(413);
    expect(await listCommands()).toHaveLength(1);
    await verify(server, await upload(server, bus, announced, clip));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });
});

describe('an upload that was announced shorter than its file, which comes in one request', () => {
  it('says that nothing of it is here, and why, and is asked for again', async () => {
    const announced = await announce(server, bus, START_MS);
    const location = await unit.open(announced, clip.length - 10);
    expect((await unit.patch(location, 0, clip)).status).toBe(413);
    const refused = { ...stopped, progress: 0, fail_reason: 'upload_too_long' };
    expect(await shown(announced)).toMatchObject(refused);
    expect([await listCommands(), await unit.offsetOf(location)]).toMatchObject([[{}], 0]);
  });
});

describe('an upload that stopped', () => {
  const begin = async () => {
    const announced = await announce(server, bus, START_MS);
    const location = await unit.open(announced, clip.length);
    await unit.patch(location, 0, clip.subarray(0, Math.ceil(clip.length / 2)));
    return { announced, location, half: Math.ceil(clip.length / 2) };
  };

  it('goes on where it was when the unit resumes it', async () => {
    const { announced, location, half } = await begin();
    await pass(1);
    expect(await shown(announced)).toMatchObject({ ...stopped, progress: 50 });
    await unit.patch(location, half, clip.subarray(half, half + 100));
    expect(await shown(announced)).toMatchObject({ stopped: false, fail_reason: null });
    await pass(1);
    expect((await unit.patch(location, half + 100, clip.subarray(half + 100))).status).toBe(204);
    expect(await listCommands()).toEqual([]);
  });

  it('is not asked for while the link is down, nor at once when it is back', async () => {
    const { announced, location, half } = await begin();
    await pass(40, { isHeard: false });
    expect(await shown(announced)).toMatchObject({ ...stopped, progress: 50 });
    await pass(2);
    expect(await listCommands()).toEqual([]);
    expect(await unit.offsetOf(location)).toBe(half);
    await pass(2);
    expect(await listCommands()).toHaveLength(1);
    // Received bytes stay until the unit decides.
    expect(await unit.offsetOf(location)).toBe(half);
    await unit.patch(location, half, clip.subarray(half, half + 100));
    expect(await shown(announced)).toMatchObject({ stopped: false, fail_reason: null });
  });

  it('waits for the depot when its unit, though heard, uploads by Wi-Fi only', async () => {
    const { announced, location, half } = await begin();
    await server.deps.database.db
      .updateTable('units')
      .set({ protocol: 'jt808', protocol_id: '7', protocol_settings: '{"uploads":"wifi"}' })
      .where('id', '=', bus.unitId)
      .execute();
    await pass(6);
    server.clock.advance(40 * HOUR_MS);
    await pass(6);
    expect(await listCommands()).toEqual([]);
    expect(await unit.offsetOf(location)).toBe(half);
    expect(await shown(announced)).toMatchObject({ ...stopped, progress: 50 });
  });

  it('is not asked for while the disk of the server is full, nor at once when it has room', async () => {
    await begin();
    await pass(1);
    server.disk.set({ totalBytes: 100, freeBytes: 1 });
    await pass(40);
    server.disk.set({ totalBytes: 100, freeBytes: 50 });
    await pass(2);
    expect(await listCommands()).toEqual([]);
    await pass(2);
    expect(await listCommands()).toHaveLength(1);
  });

  it('does not fail while the unit resumes it whenever it is asked', async () => {
    const { announced, location, half } = await begin();
    for (let times = 0; times < 6; times += 1) {
      for (let minutes = 0; (await listCommands()).length === 0; minutes += 1) {
        expect(minutes).toBeLessThan(20);
        await pass(2);
      }
      const at = half + times * 10;
      await unit.patch(location, at, clip.subarray(at, at + 10));
      const [command] = await listCommands();
      await server.app.inject({
        method: 'POST',
        url: `/unit/v1/commands/${command?.id}/ack`,
        headers: { authorization: `Bearer ${bus.credential}` },
        body: { result: 'done' },
      });
    }
    const at = half + 60;
    expect((await unit.patch(location, at, clip.subarray(at))).status).toBe(204);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
  });

  it('waits for a unit that sends another video meanwhile', async () => {
    await begin();
    const other = await announce(server, bus, START_MS + 60_000);
    const location = await unit.open(other, clip.length);
    for (let at = 0; at < 10; at += 1) {
      await pass(2);
      await unit.patch(location, at * 10, clip.subarray(at * 10, at * 10 + 10));
    }
    expect(await listCommands()).toEqual([]);
    await pass(2);
    await unit.patch(location, 100, clip.subarray(100, 110));
    await pass(2);
    expect(await listCommands()).toHaveLength(1);
  });
});

describe('more stopped uploads than one sweep looks at', () => {
  afterEach(async () => {
    await server.deps.database.db.deleteFrom('uploads').where('length_bytes', '=', 1000).execute();
  });
  const open = async (fragmentId: number) => {
    const { db } = server.deps.database;
    const rows = db.selectFrom('uploads').select(['finished_at', 'stopped_at']);
    return rows.where('segment_id', '=', fragmentId).execute();
  };

  /** The unit is silent, and is not asked for anything. */
  const silence = () =>
    server.deps.database.db
      .updateTable('units')
      .set({ last_seen_at: null })
      .where('id', '=', bus.unitId)
      .execute();

  it('do not keep a complete one, whose end was not recorded, from being finished', async () => {
    const others = await announce(server, bus, START_MS);
    await insertStopped(1000, others, server.clock.nowMs() - HOUR_MS);
    const announced = await announce(server, bus, START_MS + 60_000);
    const id = await upload(server, bus, announced, clip);
    const at = new Date(server.clock.nowMs());
    const unfinished = { finished_at: null, received_bytes: 10, stopped_at: at };
    await server.deps.database.db
      .updateTable('uploads')
      .set(unfinished)
      .where('id', '=', id)
      .execute();
    await silence();
    await pass(4, { isHeard: false });
    const [finished] = await open(announced.fragmentId);
    expect(finished?.finished_at).not.toBeNull();
  });

  it('wait all for the link of their unit', async () => {
    const announced = await announce(server, bus, START_MS);
    await insertStopped(2500, announced, server.clock.nowMs() - HOUR_MS);
    await silence();
    await pass(4, { isHeard: false });
    const rows = await open(announced.fragmentId);
    expect(rows.map(({ stopped_at }) => stopped_at?.getTime())).toEqual(
      Array.from({ length: 2500 }, () => server.clock.nowMs()),
    );
  });
});

describe('a video that a unit queued and never sends', () => {
  it('is asked for after a day, and ends with a reason after another', async () => {
    const announced = await announce(server, bus, START_MS);
    server.clock.advance(23 * HOUR_MS);
    await pass(2);
    expect(await stateOf(server, announced)).toEqual({ status: 'ADDED', fail_reason: null });
    server.clock.advance(HOUR_MS);
    await pass(2);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOADING_FROM_TASK',
      fail_reason: 'not_sent',
    });
    expect(await listCommands()).toHaveLength(1);
    server.clock.advance(24 * HOUR_MS);
    await pass(2);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'no_answer',
    });
    // It has it after all.
    await verify(server, await upload(server, bus, announced, clip));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });
});
