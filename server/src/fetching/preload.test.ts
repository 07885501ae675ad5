import type { RangeRequest } from '@ridewatch/contract/buses';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusStatus } from '../buses/status-api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce } from '../test/video.ts';
import { addPreload } from '../video/preload-api.ts';

const START_MS = Date.UTC(2026, 10, 20, 6);
const MINUTE_MS = 60_000;
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let token: string;
let buses = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusStatus, addPreload]);
  server.clock.set(START_MS + 2 * 60 * MINUTE_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  token = await server.signIn('first');
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${300 + buses}`);
  await setCameras('online');
});

const setCameras = (status: 'online' | 'offline', camera?: number) =>
  server.deps.database.db
    .updateTable('cameras')
    .set({ status })
    .where('workplace_id', '=', bus.busId)
    .$if(camera !== undefined, (query) => query.where('id', '=', camera ?? 0))
    .execute();
const speak = () =>
  server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(server.clock.nowMs()) })
    .where('id', '=', bus.unitId)
    .execute();

interface Answer {
  readonly error?: string;
  readonly message?: string;
  readonly field?: string;
  readonly items: Fragment[];
  readonly requests: RangeRequest[];
}
const ask = async (
  whom: { deviceId: number } | { cameraId: number },
  fromMin = 0,
  toMin = 60,
): Promise<Answer & { status: number }> => {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/segments/set-downloading',
    headers: { authorization: `Bearer ${token}` },
    body: {
      ...whom,
      startTime: new Date(START_MS + fromMin * MINUTE_MS).toISOString(),
      endTime: new Date(START_MS + toMin * MINUTE_MS).toISOString(),
    },
  });
  return { ...answer.json<Answer>(), status: answer.statusCode };
};
const commands = async (): Promise<UnitCommand[]> => {
  const headers = { authorization: `Bearer ${bus.credential}` };
  const answer = await server.app.inject({ url: '/unit/v1/commands?wait=0', headers });
  return answer.json<{ commands: UnitCommand[] }>().commands;
};
const statusOf = (id: number) =>
  server.deps.database.db
    .selectFrom('segments')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('preloading a range', () => {
  it('asks for the fragments of one camera that touch it, and says the states they come to', async () => {
    const inside = await announce(server, bus, START_MS + MINUTE_MS, 'kept');
    const before = await announce(server, bus, START_MS - MINUTE_MS, 'kept');
    const other = await announce(server, bus, START_MS + 2 * MINUTE_MS, 'kept', {
      camera: 'door2',
    });
    const { status, items, requests } = await ask({ cameraId: bus.cameras.door1 });
    expect(status).toBe(200);
    expect(items.map((one) => [one.id, one.status])).toEqual([
      [inside.fragmentId, 'DOWNLOADING_FROM_TASK'],
    ]);
    expect(requests).toMatchObject([
      { camera_ids: [bus.cameras.door1], state: 'asked', total: 1, here: 0, percent: 0 },
    ]);
    expect((await statusOf(before.fragmentId)).status).toBe('LIVE');
    expect((await statusOf(other.fragmentId)).status).toBe('LIVE');
    expect((await commands()).map(({ kind }) => kind)).toEqual(['fetch_segment']);
  });

  it('of a whole bus asks all cameras, and the cabin also for what was not announced', async () => {
    await announce(server, bus, START_MS + MINUTE_MS, 'kept');
    await announce(server, bus, START_MS + 2 * MINUTE_MS, 'kept', { camera: 'door2' });
    await announce(server, bus, START_MS + 3 * MINUTE_MS, 'kept', { camera: 'cabin' });
    const { items, requests } = await ask({ deviceId: bus.unitId });
    expect(items.map((one) => one.status)).toEqual(Array(3).fill('DOWNLOADING_FROM_TASK'));
    const { door1, door2, cabin } = bus.cameras;
    expect(requests).toMatchObject([
      { camera_ids: [door1, door2, cabin], state: 'asked', total: 3, here: 0 },
    ]);
    const told = await commands();
    expect(told.find(({ kind }) => kind === 'fetch_range')?.range).toEqual({
      camera: 'cabin',
      start_time: new Date(START_MS).toISOString(),
      end_time: new Date(START_MS + 60 * MINUTE_MS).toISOString(),
    });
  });

  it('asks nobody for a time in which no unit sat in the bus', async () => {
    const { db } = server.deps.database;
    const seat = (from: Date | '-infinity') =>
      sql`update units set assigned_from = ${from} where id = ${bus.unitId}`.execute(db);
    await speak();
    await seat(new Date(START_MS + 61 * MINUTE_MS));
    expect((await ask({ cameraId: bus.cameras.cabin })).status).toBe(409);
    await seat('-infinity');
    expect((await ask({ cameraId: bus.cameras.cabin })).status).toBe(200);
  });

  it('joins the requests that run', async () => {
    await announce(server, bus, START_MS + MINUTE_MS, 'kept', { camera: 'cabin' });
    const first = await ask({ cameraId: bus.cameras.cabin });
    const told = await commands();
    const second = await ask({ cameraId: bus.cameras.cabin }, 10, 40);
    expect(second.requests).toEqual(first.requests);
    expect(await commands()).toEqual(told);
    const wider = await ask({ cameraId: bus.cameras.cabin }, 30, 90);
    expect(wider.requests).toHaveLength(2);
  });

  it('leaves alone what is there already, and what the unit has finished stays to be seen', async () => {
    const { fragmentId } = await announce(server, bus, START_MS + MINUTE_MS, 'kept');
    await server.deps.database.db
      .updateTable('segments')
      .set({ status: 'PROCESSED' })
      .where('id', '=', fragmentId)
      .execute();
    const file = { storage_key: 'video/x', size_bytes: 1, sha256: Buffer.alloc(32) };
    await server.deps.database.db
      .insertInto('segment_files')
      .values({ segment_id: fragmentId, variant: 'playable', created_at: new Date(), ...file })
      .execute();
    expect((await ask({ cameraId: bus.cameras.door1 })).items).toMatchObject([
      { status: 'PROCESSED' },
    ]);
    await speak();
    await ask({ cameraId: bus.cameras.cabin });
    const [command] = await commands();
    await server.app.inject({
      method: 'POST',
      url: `/unit/v1/commands/${command?.id}/ack`,
      headers: { authorization: `Bearer ${bus.credential}` },
      body: { result: 'failed', reason: 'the disk is broken' },
    });
    const status = await server.app.inject({
      url: `/api/workplaces/status/${bus.busId}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status.json().requests).toMatchObject([
      { state: 'failed', reason: 'unit_failed', detail: 'the disk is broken' },
    ]);
  });

  it('is refused when the range is too large or empty, or no camera can send', async () => {
    await speak();
    const camera = { cameraId: bus.cameras.door1 };
    expect(await ask(camera, 0, 61)).toMatchObject({ status: 400, message: /too large/ });
    expect(await ask(camera, 5, 5)).toMatchObject({ status: 400, message: /Nothing/ });
    expect((await ask(camera, 0, 60)).status).toBe(200);
    await setCameras('offline', bus.cameras.door1);
    expect(await ask(camera)).toMatchObject({ status: 409, message: /offline/ });
    expect((await ask({ deviceId: bus.unitId })).status).toBe(200);
    server.clock.advance(6 * MINUTE_MS);
    expect((await ask({ deviceId: bus.unitId })).status).toBe(409);
    const { db } = server.deps.database;
    await db
      .updateTable('workplaces')
      .set({ type: 'COUNTER' })
      .where('id', '=', bus.busId)
      .execute();
    expect(await ask({ deviceId: bus.unitId })).toMatchObject({
      status: 409,
      message: /registrar/,
    });
  });

  it('is refused when it lies ahead, by the end that does; a little ahead it is one until now', async () => {
    const camera = { cameraId: bus.cameras.cabin };
    await speak();
    const now = (server.clock.nowMs() - START_MS) / MINUTE_MS;
    const refusal = async (fromMin: number, toMin: number) => {
      const { status, error, field } = await ask(camera, now + fromMin, now + toMin);
      return [status, error, field];
    };
    expect(await refusal(0, 1)).toEqual([400, 'time_ahead', 'startTime']);
    expect(await refusal(1000, 1010)).toEqual([400, 'time_ahead', 'startTime']);
    expect(await refusal(-1, 6)).toEqual([400, 'time_ahead', 'endTime']);
    expect(await commands()).toEqual([]);
    expect(await ask(camera, now - 1, now + 5)).toMatchObject({ status: 200 });
  });

  it('is told to the unit by its own clock', async () => {
    const { fragmentId } = await announce(server, bus, START_MS, 'kept', { camera: 'cabin' });
    await server.deps.database.db
      .updateTable('segments')
      .set({ sent_start: new Date(START_MS - 7000), sent_end: new Date(START_MS + 13_000) })
      .where('id', '=', fragmentId)
      .execute();
    await ask({ cameraId: bus.cameras.cabin }, 10, 20);
    const range = (await commands()).find(({ kind }) => kind === 'fetch_range')?.range;
    expect(range?.start_time).toBe(new Date(START_MS + 10 * MINUTE_MS - 7000).toISOString());
  });
});

describe('asking a bus how its cameras are', () => {
  const status = async (method: 'GET' | 'POST') =>
    (
      await server.app.inject({
        method,
        url: `/api/workplaces/status/${bus.busId}`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).json();

  it('tells the unit once, and shows what it then says', async () => {
    await speak();
    await setCameras('offline', bus.cameras.cabin);
    expect((await status('GET')).update).toBeNull();
    expect((await status('POST')).update).toMatchObject({ state: 'asked' });
    await status('POST');
    const told = await commands();
    expect(told.map(({ kind }) => kind)).toEqual(['report_camera_states']);
    await setCameras('online', bus.cameras.cabin);
    await server.app.inject({
      method: 'POST',
      url: `/unit/v1/commands/${told[0]?.id}/ack`,
      headers: { authorization: `Bearer ${bus.credential}` },
      body: { result: 'done' },
    });
    const now = await status('GET');
    expect(now.update).toMatchObject({ state: 'done' });
    const cabin = now.cameras.find(
      (one: { camera_id: number }) => one.camera_id === bus.cameras.cabin,
    );
    expect(cabin).toMatchObject({ status: 'online', enabled: true });
  });

  it('runs out in sight after a minute, and may then be asked again', async () => {
    await status('POST');
    server.clock.advance(MINUTE_MS);
    expect((await status('GET')).update).toMatchObject({ state: 'timed_out' });
    expect((await status('POST')).update).toMatchObject({ state: 'asked' });
    expect(await commands()).toHaveLength(1);
  });
});
