// Files that are refused once they have come: when they are asked for again, and what users see meanwhile.
import type { RangeRequest } from '@ridewatch/contract/buses';
import type { Fragment } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addBusStatus } from '../buses/status-api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { makeClip } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { type Announced, announce, sha256Of, stateOf, upload, verify } from '../test/video.ts';
import { addVideo } from '../video/api.ts';
import { addPreload } from '../video/preload-api.ts';
import { addUploads } from '../video/uploads/uploads.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);
const MINUTE_MS = 60_000;
let server: TestServer;
let client: number;
let bus: TestBus;
let token: string;
let buses = 0;

beforeAll(async () => {
  const features = [addAuth, addIngest, addBusDay, addBusStatus, addUploads, addVideo, addPreload];
  server = await createTestServer(features);
  server.clock.set(START_MS + 3_600_000);
  client = (await insertTestFleet(server.deps.database.db)).first;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  token = await server.signIn('first');
});
afterAll(() => server.close());
beforeEach(async () => {
  buses += 1;
  const { db } = server.deps.database;
  bus = await insertTestBus(db, client, `Автобус ${600 + buses}`);
  const { busId, unitId } = bus;
  const online = db.updateTable('cameras').set({ status: 'online' });
  await online.where('workplace_id', '=', busId).execute();
  const heard = { last_seen_at: new Date(server.clock.nowMs()) };
  await db.updateTable('units').set(heard).where('id', '=', unitId).execute();
});

async function call<T>(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, ...(body && { body }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<T>();
}

/** A file that came for a fragment, and was looked at. */
const send = async (announced: Announced, bytes: Buffer, sha256?: string): Promise<void> =>
  verify(server, await upload(server, bus, announced, bytes, sha256));
const shown = ({ fragmentId }: Announced) => call<Fragment>('GET', `/api/segments/${fragmentId}`);
const unreadable = (n: number): Buffer => Buffer.from(`no video ${n}`);

describe('an unreadable file', () => {
  it('is not asked for again when its checksum is right: the unit has nothing better', async () => {
    const announced = await announce(server, bus, START_MS);
    await send(announced, unreadable(1), sha256Of(unreadable(1)));
    expect(await stateOf(server, announced)).toEqual({
      ...{ status: 'DOWNLOAD_FAIL', fail_reason: 'not_a_video' },
    });
  });

  it('is not asked for a third time when the same bytes came twice', async () => {
    const announced = await announce(server, bus, START_MS);
    await send(announced, unreadable(1));
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
    await send(announced, unreadable(1));
    const failed = { status: 'DOWNLOAD_FAIL', fail_reason: 'not_a_video' };
    expect(await stateOf(server, announced)).toEqual(failed);
    await call('PATCH', `/api/segments/set-downloading/${announced.fragmentId}`);
    await send(announced, unreadable(1));
    expect(await stateOf(server, announced)).toEqual(failed);
  });

  it('is asked for again while other bytes come, and forgotten once the video is here', async () => {
    const announced = await announce(server, bus, START_MS);
    for (const n of [1, 2, 1]) await send(announced, unreadable(n));
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
    const noted = async (): Promise<unknown> => {
      const { db } = server.deps.database;
      const infos = db.selectFrom('segments').select('info');
      return (await infos.where('id', '=', announced.fragmentId).executeTakeFirstOrThrow()).info;
    };
    expect(await noted()).toEqual({
      refused: { size_bytes: 10, sha256: sha256Of(unreadable(1)) },
    });
    // It is a note of the server alone.
    expect((await shown(announced)).info).toEqual({});
    await send(announced, makeClip());
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
    expect(await noted()).toEqual({});
  });

  it('whose checksum is wrong twice in the same way is given up, too', async () => {
    const announced = await announce(server, bus, START_MS);
    for (const _ of [1, 2]) await send(announced, unreadable(1), sha256Of(unreadable(2)));
    expect(await stateOf(server, announced)).toEqual({
      ...{ status: 'DOWNLOAD_FAIL', fail_reason: 'damaged' },
    });
  });

  it('is named in its row and in its request, with the moment of the next try', async () => {
    const announced = await announce(server, bus, START_MS, 'kept', { lengthMs: MINUTE_MS });
    await call('POST', '/api/segments/set-downloading', {
      ...{ cameraId: bus.cameras.door1, startTime: new Date(START_MS).toISOString() },
      endTime: new Date(START_MS + MINUTE_MS).toISOString(),
    });
    const request = async (): Promise<RangeRequest | undefined> =>
      (await call<{ requests: RangeRequest[] }>('GET', `/api/workplaces/status/${bus.busId}`))
        .requests[0];
    expect(await request()).toMatchObject({ failed_try: null });
    await send(announced, unreadable(1));
    const why = { reason: 'not_a_video', detail: null };
    // The first time at once.
    expect(await request()).toMatchObject({ reason: null, failed_try: { ...why, next_at: null } });
    expect(await shown(announced)).toMatchObject({ fail_reason: 'not_a_video', next_try_at: null });
    await send(announced, unreadable(2));
    const next_at = new Date(server.clock.nowMs() + MINUTE_MS).toISOString();
    expect(await request()).toMatchObject({ failed_try: { ...why, next_at } });
    expect(await shown(announced)).toMatchObject({ next_try_at: next_at });
    await send(announced, unreadable(2));
    expect(await request()).toMatchObject({ state: 'failed', ...why, failed_try: null });
    expect(await shown(announced)).toMatchObject({ status: 'DOWNLOAD_FAIL', next_try_at: null });
  });
});
