import { randomUUID } from 'node:crypto';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { makeClip } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { createTusClient, type TusClient } from '../test/tus.ts';
import {
  type Announced,
  announce,
  idOf,
  sha256Of,
  stateOf,
  upload,
  verify,
} from '../test/video.ts';
import { addVideo } from '../video/api.ts';
import { sweepVideoJob } from '../video/sweep-job.ts';
import { addUploads } from '../video/uploads/uploads.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let server: TestServer;
let client: number;
let bus: TestBus;
let unit: TusClient;
let base: string;
let clip: Buffer;
let buses = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addUploads, addVideo]);
  client = (await insertTestFleet(server.deps.database.db)).first;
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  clip = makeClip();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(START_MS + 12 * HOUR_MS);
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, client, `Автобус ${200 + buses}`);
  unit = createTusClient(base, bus.credential);
});

const sweep = (): Promise<void> =>
  sweepVideoJob(server.deps).run(
    {},
    { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
  );

async function listCommands(): Promise<UnitCommand[]> {
  const answer = await server.app.inject({
    url: '/unit/v1/commands',
    headers: { authorization: `Bearer ${bus.credential}` },
  });
  return answer.json<{ commands: UnitCommand[] }>().commands;
}

async function say(id: number, word: { result: string; reason?: string; final?: boolean }) {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/unit/v1/commands/${id}/ack`,
    headers: { authorization: `Bearer ${bus.credential}` },
    body: word,
  });
  return answer.statusCode;
}

/** The only open command of the unit. */
async function command(): Promise<UnitCommand> {
  const [first, ...others] = await listCommands();
  if (first === undefined || others.length > 0) throw new Error(`${others.length} commands`);
  return first;
}

/** Lets the unit report the states of its cameras. */
async function setCameras(status: 'online' | 'offline', enabled = true): Promise<void> {
  const { db } = server.deps.database;
  const { busId, unitId } = bus;
  const cameras = db.updateTable('cameras').set({ status, enabled });
  await cameras.where('workplace_id', '=', busId).execute();
  const lastSeen = { last_seen_at: new Date(server.clock.nowMs()) };
  await db.updateTable('units').set(lastSeen).where('id', '=', unitId).execute();
}

const uploadByWifi = (unitId: number): Promise<unknown> =>
  server.deps.database.db
    .updateTable('units')
    .set({ protocol: 'jt808', protocol_id: `${unitId}`, protocol_settings: '{"uploads":"wifi"}' })
    .where('id', '=', unitId)
    .execute();

const askForVideo = async ({ fragmentId }: Announced) =>
  server.app.inject({
    method: 'PATCH',
    url: `/api/segments/set-downloading/${fragmentId}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });

async function fetchVideo(announced: Announced): Promise<void> {
  await setCameras('online');
  const answer = await askForVideo(announced);
  expect(answer.statusCode, answer.body).toBe(200);
}

async function shown({ fragmentId }: Announced): Promise<Fragment> {
  const answer = await server.app.inject({
    url: `/api/segments/day-segments?workplaceId=${bus.busId}&date=${DAY}`,
    headers: { authorization: `Bearer ${await server.signIn('first')}` },
  });
  const found = answer
    .json<{ segments: Fragment[] }>()
    .segments.find(({ id }) => id === fragmentId);
  if (found === undefined) throw new Error(answer.body);
  return found;
}

// Each time in another way: the same bytes are not asked for a third time.
const uploadDamaged = async (announced: Announced): Promise<void> => {
  const bytes = Buffer.concat([clip, Buffer.from(randomUUID())]);
  return verify(server, await upload(server, bus, announced, bytes, sha256Of(clip)));
};

/** Advances the clock, with a sweep every minute, until the unit has a command. */
async function passUntilAsked(mostMinutes: number): Promise<number> {
  for (let minutes = 0; minutes <= mostMinutes; minutes += 1) {
    if ((await listCommands()).length > 0) return minutes;
    server.clock.advance(MINUTE_MS);
    await sweep();
  }
  throw new Error(`not asked within ${mostMinutes} minutes`);
}

describe('a queued upload that arrives damaged', () => {
  it('is asked for again at once, with the reason to be seen, and then is whole', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    await uploadDamaged(announced);
    expect(await shown(announced)).toMatchObject({
      status: 'LOADING',
      fail_reason: 'damaged',
    });
    expect((await command()).segment).toMatchObject({ stream: announced.stream, seq: 1 });
    await verify(server, await upload(server, bus, announced, clip, sha256Of(clip)));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });

  it('is asked for after growing pauses, five tries in all, and only then has failed', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    const pauses: number[] = [];
    for (let tries = 1; tries < 5; tries += 1) {
      await uploadDamaged(announced);
      expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
      pauses.push(await passUntilAsked(20));
    }
    expect(pauses).toEqual([0, 1, 5, 15]);
    await uploadDamaged(announced);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'damaged',
    });
    expect(await listCommands()).toEqual([]);
    await fetchVideo(announced);
    await uploadDamaged(announced);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
  });

  it('that the unit abandoned is asked for again', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    const location = await unit.open(announced, clip.length);
    expect((await unit.end(location)).status).toBe(204);
    expect(await stateOf(server, announced)).toEqual({
      status: 'LOADING',
      fail_reason: 'upload_abandoned',
    });
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
  });

  it('is taken when the unit sends it although it was given up', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    const text = Buffer.from('this is not a video');
    await verify(server, await upload(server, bus, announced, text, sha256Of(text)));
    await verify(server, await upload(server, bus, announced, clip));
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED' });
  });
});

describe('a camera that cannot send', () => {
  it('is not asked for a fragment, in the words of a preload', async () => {
    const announced = await announce(server, bus, START_MS, 'kept');
    const refused = { error: 'conflict', message: 'The camera is offline.' };
    for (const [status, enabled] of [['offline', true] as const, ['online', false] as const]) {
      await setCameras(status, enabled);
      const answer = await askForVideo(announced);
      expect([answer.statusCode, answer.json()]).toMatchObject([409, refused]);
    }
    expect(await listCommands()).toEqual([]);
    await setCameras('online');
    server.clock.advance(6 * MINUTE_MS);
    expect((await askForVideo(announced)).json()).toMatchObject(refused);
    await fetchVideo(announced);
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
  });
});

describe('a fragment that was asked for', () => {
  const asked = async (): Promise<Announced> => {
    const announced = await announce(server, bus, START_MS, 'kept');
    await fetchVideo(announced);
    return announced;
  };

  it('is asked for again when the unit says it is done and has sent nothing', async () => {
    const announced = await asked();
    expect(await say((await command()).id, { result: 'done' })).toBe(200);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOADING_FROM_TASK',
      fail_reason: 'nothing_sent',
    });
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
  });

  it('is asked for again when the unit failed after an upload had begun', async () => {
    const announced = await asked();
    const { id } = await command();
    const location = await unit.open(announced, clip.length);
    await unit.patch(location, 0, clip.subarray(0, 100));
    expect(await say(id, { result: 'failed', reason: 'the disk is busy' })).toBe(200);
    expect(await shown(announced)).toMatchObject({
      status: 'LOADING',
      fail_reason: 'unit_failed',
      fail_detail: 'the disk is busy',
      progress: null,
    });
    expect(await unit.offsetOf(location)).toBe(-404);
    expect((await command()).id).not.toBe(id);
  });

  it('has failed at once when the unit says that asking again cannot help', async () => {
    const announced = await asked();
    const word = { result: 'failed', reason: 'the disk has overwritten it', final: true };
    await say((await command()).id, word);
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'unit_gave_up',
    });
    expect((await shown(announced)).fail_detail).toBe('the disk has overwritten it');
  });

  it('waits a day for a silent unit, and says so', async () => {
    const announced = await asked();
    server.clock.advance(23 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toMatchObject({ status: 'DOWNLOADING_FROM_TASK' });
    server.clock.advance(2 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'no_answer',
    });
    expect(await listCommands()).toEqual([]);
  });

  it('waits a week for a unit that uploads by Wi-Fi only, at the depot, also when it refuses', async () => {
    const announced = await asked();
    await uploadByWifi(bus.unitId);
    const refuse = async () => say((await command()).id, { result: 'failed', reason: 'no Wi-Fi' });
    for (let tries = 1; tries <= 6; tries += 1) {
      await refuse();
      server.clock.advance(29 * MINUTE_MS);
      expect(await passUntilAsked(2)).toBe(1);
    }
    const waits = { status: 'DOWNLOADING_FROM_TASK', fail_reason: 'unit_failed' };
    expect(await stateOf(server, announced)).toEqual(waits);
    server.clock.advance(7 * 24 * HOUR_MS - 4 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toEqual(waits);
    server.clock.advance(2 * HOUR_MS);
    await refuse();
    expect(await stateOf(server, announced)).toEqual({ ...waits, status: 'DOWNLOAD_FAIL' });
    await fetchVideo(announced);
    server.clock.advance(7 * 24 * HOUR_MS + MINUTE_MS);
    await sweep();
    expect(await stateOf(server, announced)).toMatchObject({ fail_reason: 'no_answer' });
  });

  it('is asked for again when its command was lost', async () => {
    await asked();
    await server.deps.database.db.deleteFrom('unit_commands').execute();
    server.clock.advance(2 * MINUTE_MS);
    await sweep();
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
  });

  it('that waits for its next try is tried at once when somebody asks', async () => {
    const announced = await asked();
    await say((await command()).id, { result: 'done' });
    await say((await command()).id, { result: 'done' });
    expect(await listCommands()).toEqual([]);
    await fetchVideo(announced);
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
  });
});

describe('a file on its way', () => {
  it('shows how much of it is here', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    expect((await shown(announced)).progress).toBeNull();
    const location = await unit.open(announced, clip.length);
    expect((await shown(announced)).progress).toBe(0);
    const half = Math.ceil(clip.length / 2);
    await unit.patch(location, 0, clip.subarray(0, half));
    expect((await shown(announced)).progress).toBe(50);
    await unit.patch(location, half, clip.subarray(half));
    expect((await shown(announced)).progress).toBe(100);
    await verify(server, idOf(location));
    expect((await shown(announced)).progress).toBeNull();
  });

  it('that stops is given up after a day without a byte, and asked for again', async () => {
    const announced = await announce(server, bus, START_MS, 'queued');
    const location = await unit.open(announced, clip.length);
    for (const [from, hours] of [
      [0, 20],
      [10, 23],
    ] as const) {
      await unit.patch(location, from, clip.subarray(from, from + 10));
      server.clock.advance(hours * HOUR_MS);
      await sweep();
      expect(await unit.offsetOf(location)).toBe(from + 10);
    }
    server.clock.advance(2 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toEqual({
      status: 'LOADING',
      fail_reason: 'upload_stopped',
    });
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
    await vi.waitFor(async () => expect(await unit.offsetOf(location)).toBe(-404));
  });
});

describe('a stage that does not come to its end', () => {
  const put = async ({ fragmentId }: Announced, status: Fragment['status'], from: string) =>
    server.deps.database.db
      .updateTable('segments')
      .set({ status, status_from: from, status_at: new Date(server.clock.nowMs()) })
      .where('id', '=', fragmentId)
      .execute();

  it.each([
    ['PROCESSING', 'LOADED', 'counting_stuck'],
    ['PROCESSING', 'WAS_MERGED', 'counting_stuck'],
    ['MERGING', 'PROCESSED', 'merge_stuck'],
    ['MERGING', 'WAS_MERGED', 'merge_stuck'],
  ] as const)('%s returns to %s', async (status, from, reason) => {
    const announced = await announce(server, bus, START_MS, 'queued');
    await put(announced, status, from);
    server.clock.advance(7 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toEqual({ status: from, fail_reason: reason });
  });

  it('a recording of which no word comes is asked for, and has failed after a day', async () => {
    const announced = await announce(server, bus, START_MS, 'adding');
    server.clock.advance(HOUR_MS + MINUTE_MS);
    await sweep();
    expect(await shown(announced)).toMatchObject({
      status: 'ADDING',
      fail_reason: 'not_announced',
    });
    expect(await command()).toMatchObject({ kind: 'fetch_segment' });
    server.clock.advance(25 * HOUR_MS);
    await sweep();
    expect(await stateOf(server, announced)).toMatchObject({ status: 'DOWNLOAD_FAIL' });
    await announce(server, bus, START_MS, 'queued');
    expect(await stateOf(server, announced)).toMatchObject({ status: 'DOWNLOADING_FROM_TASK' });
  });

  it('a recording whose word comes late is not asked for any more', async () => {
    const announced = await announce(server, bus, START_MS, 'adding');
    server.clock.advance(HOUR_MS + MINUTE_MS);
    await sweep();
    expect(await listCommands()).toHaveLength(1);
    await announce(server, bus, START_MS, 'kept');
    expect(await listCommands()).toEqual([]);
    expect(await stateOf(server, announced)).toEqual({ status: 'LIVE', fail_reason: null });
  });
});
