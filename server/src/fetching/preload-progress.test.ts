// The progress of a preload request from start to end, and its cancelling.
import type { RangeRequest } from '@ridewatch/contract/buses';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusStatus } from '../buses/status-api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { makeClip } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { createTusClient, type TusClient } from '../test/tus.ts';
import { type Announced, announce, idOf, stateOf, verify } from '../test/video.ts';
import { addVideo } from '../video/api.ts';
import { addPreload } from '../video/preload-api.ts';
import { sweepVideoJob } from '../video/sweep-job.ts';
import { addUploads } from '../video/uploads/uploads.ts';
import { failTry } from './tries.ts';

const START_MS = Date.UTC(2026, 10, 20, 6);
const MINUTE_MS = 60_000;
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let unit: TusClient;
let base: string;
let clip: Buffer;
let buses = 0;
const tokens = { first: '', operator: '' };

beforeAll(async () => {
  const features = [addAuth, addIngest, addUploads, addBusStatus, addVideo, addPreload];
  server = await createTestServer(features);
  server.clock.set(START_MS + 2 * 60 * MINUTE_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  tokens.first = await server.signIn('first');
  tokens.operator = await server.signIn('operator');
  clip = makeClip();
});
afterAll(() => server.close());
beforeEach(async () => {
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${400 + buses}`);
  unit = createTusClient(base, bus.credential);
  await server.deps.database.db
    .updateTable('cameras')
    .set({ status: 'online' })
    .where('workplace_id', '=', bus.busId)
    .execute();
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(server.clock.nowMs()) })
    .where('id', '=', bus.unitId)
    .execute();
});

type Login = keyof typeof tokens;
const call = async <T>(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, as?: Login) =>
  (
    await server.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${tokens[as ?? 'first']}` },
      ...(body === undefined ? {} : { body }),
    })
  ).json<T>();
const ask = (camera: keyof TestBus['cameras'] | 'all', as?: Login, toMin = 60) =>
  call<{ requests: RangeRequest[] }>(
    'POST',
    '/api/segments/set-downloading',
    {
      ...(camera === 'all' ? { deviceId: bus.unitId } : { cameraId: bus.cameras[camera] }),
      startTime: new Date(START_MS).toISOString(),
      endTime: new Date(START_MS + toMin * MINUTE_MS).toISOString(),
    },
    as,
  );
const requests = async (): Promise<RangeRequest[]> =>
  (await call<{ requests: RangeRequest[] }>('GET', `/api/workplaces/status/${bus.busId}`)).requests;
const latest = async (): Promise<Partial<RangeRequest>> => (await requests())[0] ?? {};
const cancel = (id: number | undefined) =>
  call<RangeRequest>('POST', `/api/segments/set-downloading/cancel/${id}`, {});
const commands = async (): Promise<UnitCommand[]> => {
  const headers = { authorization: `Bearer ${bus.credential}` };
  const answer = await server.app.inject({ url: '/unit/v1/commands?wait=0', headers });
  return answer.json<{ commands: UnitCommand[] }>().commands;
};
const obeyed = async (id: number | undefined, result = 'done') =>
  server.app.inject({
    method: 'POST',
    url: `/unit/v1/commands/${id}/ack`,
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { result },
  });
const announceAt = (minute: number, video: 'kept' | 'queued' = 'kept', camera = 'door1') =>
  announce(server, bus, START_MS + minute * MINUTE_MS, video, { lengthMs: MINUTE_MS, camera });
const sweep = () =>
  sweepVideoJob(server.deps).run(
    {},
    { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
  );
const send = async (announced: Announced): Promise<void> => {
  server.clock.advance(1000);
  const location = await unit.open(announced, clip.length);
  await unit.patch(location, 0, clip);
  await verify(server, idOf(location));
};
const sendHalf = async (announced: Announced): Promise<string> => {
  const location = await unit.open(announced, clip.length);
  await unit.patch(location, 0, clip.subarray(0, Math.ceil(clip.length / 2)));
  return location;
};

describe('how far a request is', () => {
  it('is told in fragments and in percent, a running upload with its share', async () => {
    const [first, second] = [await announceAt(1), await announceAt(2)];
    await ask('door1');
    expect(await latest()).toMatchObject({ state: 'asked', total: 2, here: 0, percent: 0 });
    await sendHalf(first);
    expect(await latest()).toMatchObject({ state: 'accepted', total: 2, here: 0, percent: 25 });
    await send(first);
    expect(await latest()).toMatchObject({ state: 'accepted', total: 2, here: 1, percent: 50 });
    await send(second);
    expect(await latest()).toMatchObject({ state: 'done', total: 2, here: 2, percent: 100 });
  });

  it('is said as soon as the first file begins, of which nothing counts yet', async () => {
    const first = await announceAt(1);
    await ask('door1');
    server.clock.advance(1000);
    expect(await latest()).toMatchObject({ state: 'asked', percent: 0 });
    await unit.open(first, clip.length);
    expect(await latest()).toMatchObject({ state: 'accepted', percent: 0 });
  });

  it('never becomes less: neither by a damaged file nor by what the unit then announces', async () => {
    const first = await announceAt(1, 'kept', 'cabin');
    await ask('cabin', 'first', 4);
    await sendHalf(first);
    const before = await latest();
    // Half of one minute of four has arrived.
    expect(before.percent).toBe(12);
    await server.deps.database.db
      .transaction()
      .execute((tx) =>
        failTry(tx, first.fragmentId, { reason: 'damaged', atMs: server.clock.nowMs() }),
      );
    expect((await latest()).percent).toBe(12);
    const second = await announceAt(2, 'queued', 'cabin');
    expect(await latest()).toMatchObject({ total: 2, here: 0, percent: 12 });
    await send(first);
    await send(second);
    expect(await latest()).toMatchObject({ state: 'accepted', total: 2, here: 2, percent: 50 });
    const range = (await commands()).find(({ kind }) => kind === 'fetch_range');
    await obeyed(range?.id);
    expect(await latest()).toMatchObject({ state: 'done', percent: 100 });
  });

  it('counts what was here, and what could not be had as over', async () => {
    const [first, second] = [await announceAt(1), await announceAt(2)];
    await ask('door1', 'first', 2);
    await send(first);
    await ask('all');
    expect(await latest()).toMatchObject({ total: 2, here: 1 });
    for (const { id, kind } of await commands()) {
      if (kind === 'fetch_range') await obeyed(id);
    }
    await server.deps.database.db.transaction().execute((tx) =>
      failTry(tx, second.fragmentId, {
        ...{ reason: 'unit_gave_up', isFinal: true, atMs: server.clock.nowMs() },
      }),
    );
    expect(await latest()).toMatchObject({ state: 'done', total: 2, here: 1, percent: 50 });
  });

  it('says when nothing comes, and whether the bus is heard at all', async () => {
    const only = await announceAt(1);
    await ask('door1');
    expect((await latest()).waits_for).toBeNull();
    server.clock.advance(25_000);
    expect((await latest()).waits_for).toBe('unit');
    server.clock.advance(60_000);
    expect((await latest()).waits_for).toBe('link');
    await sendHalf(only);
    expect((await latest()).waits_for).toBeNull();
  });

  it('waits a week for a unit that uploads by Wi-Fi only, at the depot, and says so', async () => {
    await server.deps.database.db
      .updateTable('units')
      .set({ protocol: 'jt808', protocol_id: '7', protocol_settings: '{"uploads":"wifi"}' })
      .where('id', '=', bus.unitId)
      .execute();
    await announceAt(1);
    await ask('all');
    const { id } = await latest();
    const askedMs = server.clock.nowMs();
    server.clock.advance(6 * 24 * 60 * MINUTE_MS);
    tokens.first = await server.signIn('first');
    await sweep();
    expect(await latest()).toMatchObject({ id, state: 'asked', waits_for: 'depot' });
    const kinds = (await commands()).map(({ kind }) => kind);
    // A range of each camera, and the announced fragment.
    expect(kinds).toEqual([...Array(3).fill('fetch_range'), 'fetch_segment']);
    server.clock.advance(2 * 24 * 60 * MINUTE_MS);
    await sweep();
    expect(await commands()).toEqual([]);
    server.clock.set(askedMs);
  });

  it('does not stand still for ever when the unit sends less than it announced', async () => {
    await ask('cabin');
    const left = await announceAt(1, 'queued', 'cabin');
    server.clock.advance(2 * MINUTE_MS);
    await sweep();
    expect((await stateOf(server, left)).status).toBe('ADDED');
    await obeyed((await commands())[0]?.id);
    await sweep();
    expect((await stateOf(server, left)).status).toBe('DOWNLOADING_FROM_TASK');
    expect((await commands()).map(({ kind }) => kind)).toEqual(['fetch_segment']);
    await send(left);
    expect(await latest()).toMatchObject({ state: 'done', total: 1, here: 1 });
  });
});

describe('cancelling a request', () => {
  it('tells the unit, lets go of what has not come and keeps what has', async () => {
    const [come, half, kept] = [await announceAt(1), await announceAt(2), await announceAt(3)];
    await ask('all');
    await send(come);
    const location = await sendHalf(half);
    const known = (await commands()).map(({ id }) => id);
    const cancelled = await cancel((await latest()).id);
    expect(cancelled).toMatchObject({ state: 'cancelled', total: 3, here: 1 });
    expect((await stateOf(server, come)).status).toBe('LOADED');
    const gone = { status: 'DOWNLOAD_FAIL', fail_reason: 'cancelled' };
    expect(await stateOf(server, half)).toEqual(gone);
    expect(await stateOf(server, kept)).toEqual(gone);
    const told = await commands();
    // The unit has not yet finished the command of the stored fragment.
    expect(told.map(({ kind }) => kind)).toEqual(['fetch_segment', 'stop_fetch']);
    const stopped = told[1]?.stop?.commands ?? [];
    expect([...stopped, told[0]?.id].sort()).toEqual(known.sort());
    expect(await unit.offsetOf(location)).toBe(-404);
    const audit = await server.deps.database.db
      .selectFrom('audit_log')
      .select('action')
      .where('object_type', '=', 'preload')
      .where('object_id', '=', String(cancelled.id))
      .execute();
    expect(audit).toEqual([{ action: 'cancel_preload' }]);
    expect(await cancel(cancelled.id)).toMatchObject({ state: 'cancelled' });
    expect(await commands()).toHaveLength(2);
  });

  it('leaves what came meanwhile as the unit sends it, until the unit has stopped', async () => {
    const half = await announceAt(1);
    await ask('cabin');
    const late = await announceAt(2, 'queued', 'cabin');
    await ask('all');
    const [stopped, first] = await requests();
    await cancel(stopped?.id);
    // The other request still waits for the cabin.
    expect((await stateOf(server, late)).status).toBe('DOWNLOADING_FROM_TASK');
    expect((await stateOf(server, half)).status).toBe('DOWNLOAD_FAIL');
    // A unit that has not received the command starts again, and its video is accepted.
    await sendHalf(half);
    expect((await stateOf(server, half)).status).toBe('LOADING');
    const stop = (await commands()).find(({ kind }) => kind === 'stop_fetch');
    await obeyed(stop?.id);
    expect((await stateOf(server, half)).fail_reason).toBe('cancelled');
    await cancel(first?.id);
    expect((await stateOf(server, late)).fail_reason).toBe('cancelled');
    await send(late);
    expect((await stateOf(server, late)).status).toBe('LOADED');
  });

  it('takes nothing from others who want the same', async () => {
    const [shared, alone] = [await announceAt(1), await announceAt(2)];
    const [single, again] = [await announceAt(3), await announceAt(4)];
    await call('PATCH', `/api/segments/set-downloading/${single.fragmentId}`);
    await ask('door1');
    await ask('door1', 'operator', 2);
    const [theirs, own] = await requests();
    expect(theirs?.id).not.toBe(own?.id);
    expect((await cancel(own?.id)).state).toBe('cancelled');
    expect((await stateOf(server, shared)).status).toBe('DOWNLOADING_FROM_TASK');
    expect((await stateOf(server, single)).status).toBe('DOWNLOADING_FROM_TASK');
    expect((await stateOf(server, alone)).status).toBe('DOWNLOAD_FAIL');
    // A new request before the unit receives the stop command is not stopped by it.
    await call('PATCH', `/api/segments/set-downloading/${again.fragmentId}`);
    const stop = (await commands()).find(({ kind }) => kind === 'stop_fetch');
    await obeyed(stop?.id);
    expect((await stateOf(server, again)).status).toBe('DOWNLOADING_FROM_TASK');
    expect(await latest()).toMatchObject({ id: theirs?.id, state: 'asked', total: 1 });
  });

  it('is finished by the sweep when it was broken off, also for what is announced late', async () => {
    await announceAt(1, 'kept', 'cabin');
    await ask('cabin');
    const { id } = await latest();
    await cancel(id);
    const late = await announceAt(5, 'queued', 'cabin');
    expect((await stateOf(server, late)).status).toBe('ADDED');
    await sweep();
    expect((await stateOf(server, late)).fail_reason).toBe('cancelled');
    expect(await latest()).toMatchObject({ id, state: 'cancelled', total: 2, here: 0 });
  });
});
