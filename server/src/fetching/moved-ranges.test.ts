// Ranges of video over the moment at which another unit came into the bus: each has the recordings of its own part.
import { randomUUID } from 'node:crypto';
import type { RangeRequest } from '@ridewatch/contract/buses';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertTestBus, type TestBus, type TestFleet } from '../test/fleet.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const START_MS = Date.UTC(2026, 10, 20, 6);
const momentAt = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();

let server: TestServer;
let fleet: TestFleet;
let token: string;
/** A bus, and the credential of the unit that has come into it at minute 20 instead of the one before. */
let bus: TestBus;
let later: string;
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(START_MS + 60 * 60_000));
  token = await server.signIn('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`);
  await speak(bus.credential, -5);
  const gone = { bus_id: null, client_id: fleet.first, moved_from: momentAt(20) };
  expect((await ask('PUT', `/api/admin/units/${bus.unitId}`, gone)).status).toBe(200);
  const made = await ask('POST', '/api/admin/units', {
    device_id: randomUUID(),
    bus_id: bus.busId,
  });
  expect(made.status).toBe(200);
  later = made.body.credential;
});

const ask = (method: 'POST' | 'PUT', url: string, body: object) =>
  askJson(server, token, method, url, body);
/** Announces a fragment of half a minute, with the states of the cameras. */
async function speak(credential: string, minute: number): Promise<void> {
  const time = momentAt(minute);
  const online = ['door1', 'cabin'].map((camera, at) => ({
    ...{ type: 'camera_state', seq: at + 1, time, camera, status: 'online' },
  }));
  const fragment = {
    ...{ type: 'segment', seq: 3, time: momentAt(minute + 1), camera: 'door1', video: 'kept' },
    ...{ start_time: time, end_time: momentAt(minute + 0.5) },
  };
  const batch = { stream: randomUUID(), records: [...online, fragment] };
  const answer = await sendBatch(server, credential, batch);
  expect(answer.json()).toMatchObject({ refused: [] });
}
const askForRange = async (cameraId: number, from: number, to: number, as = token) => {
  const range = { cameraId, startTime: momentAt(from), endTime: momentAt(to) };
  const { status, body } = await askJson(
    server,
    as,
    'POST',
    '/api/segments/set-downloading',
    range,
  );
  const parts = body.requests?.map(({ start_time, end_time }: RangeRequest) => [
    start_time,
    end_time,
  ]);
  return { status, message: body.message, parts, unasked: body.unasked };
};
/** Makes a unit, or all, one that is not heard. */
const silence = (unitId?: number) =>
  server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: null })
    .$if(unitId !== undefined, (all) => all.where('id', '=', unitId ?? 0))
    .execute();
/** The periods that a unit is asked to send. */
async function wantedOf(credential: string) {
  const headers = { authorization: `Bearer ${credential}` };
  const answer = await server.app.inject({ url: '/unit/v1/commands?wait=0', headers });
  return answer
    .json<{ commands: UnitCommand[] }>()
    .commands.map(({ segment, range }) => segment ?? range)
    .map((wanted) => [wanted?.start_time, wanted?.end_time]);
}

describe('a range over the moment at which another unit came', () => {
  it('is asked for from both, each its own part', async () => {
    await speak(later, 30);
    const { status, parts } = await askForRange(bus.cameras.cabin, 10, 40);
    const own = [momentAt(10), momentAt(20)];
    const next = [momentAt(20), momentAt(40)];
    expect([status, parts]).toEqual([200, [next, own]]);
    expect(await wantedOf(bus.credential)).toEqual([own]);
    expect(await wantedOf(later)).toEqual([next]);
  });

  it('is told to each by its own clock', async () => {
    await speak(later, 30);
    const { db } = server.deps.database;
    const fast = {
      ...{ sent_start: new Date(momentAt(2)), sent_end: new Date(momentAt(3)) },
      camera_id: bus.cameras.cabin,
    };
    await db.updateTable('segments').set(fast).where('unit_id', '=', bus.unitId).execute();
    await askForRange(bus.cameras.cabin, 10, 40);
    expect(await wantedOf(bus.credential)).toEqual([[momentAt(17), momentAt(27)]]);
    expect(await wantedOf(later)).toEqual([[momentAt(20), momentAt(40)]]);
  });

  it('has the announced fragments of both', async () => {
    await speak(later, 30);
    expect((await askForRange(bus.cameras.door1, -10, 40)).status).toBe(200);
    expect(await wantedOf(bus.credential)).toEqual([[momentAt(-5), momentAt(-4.5)]]);
    expect(await wantedOf(later)).toEqual([[momentAt(30), momentAt(30.5)]]);
  });

  it('is asked for from the one that is heard, and says which part that is', async () => {
    // The unit that came has not been heard yet.
    const own = [momentAt(10), momentAt(20)];
    expect(await askForRange(bus.cameras.cabin, 10, 40)).toMatchObject({
      status: 200,
      parts: [own],
    });
    expect(await wantedOf(later)).toEqual([]);
  });

  it('names the part of the unit that has gone and is silent', async () => {
    await speak(later, 30);
    await silence(bus.unitId);
    const gone = { start_time: momentAt(10), end_time: momentAt(20), reason: 'silent' };
    expect(await askForRange(bus.cameras.cabin, 10, 40)).toMatchObject({
      ...{ status: 200, parts: [[momentAt(20), momentAt(40)]] },
      unasked: [{ ...gone, device_id: `unit-${bus.busId}` }],
    });
    // Only administrators see the numbers of units.
    const asOwner = await askForRange(bus.cameras.cabin, 10, 40, await server.signIn('first'));
    expect(asOwner.unasked).toEqual([{ ...gone, device_id: null }]);
  });

  it('names the part of a camera that is offline', async () => {
    await speak(later, 30);
    await server.deps.database.db
      .updateTable('cameras')
      .set({ status: 'offline' })
      .where('id', '=', bus.cameras.cabin)
      .execute();
    const { unasked } = await askForRange(bus.cameras.cabin, 10, 40);
    expect(unasked).toMatchObject([{ start_time: momentAt(20), reason: 'offline' }]);
  });

  it('names no part when all are asked for', async () => {
    await speak(later, 30);
    expect((await askForRange(bus.cameras.cabin, 10, 40)).unasked).toEqual([]);
  });

  it('waits for the unit that has gone, whatever the one that came sends', async () => {
    await speak(later, 30);
    await askForRange(bus.cameras.cabin, 10, 40);
    server.clock.advance(90_000);
    await speak(later, 31);
    const { body } = await askJson(server, token, 'GET', `/api/workplaces/status/${bus.busId}`);
    const waits = body.requests.map(({ start_time, waits_for }: RangeRequest) => [
      start_time,
      waits_for,
    ]);
    expect(waits).toEqual([
      [momentAt(20), 'unit'],
      [momentAt(10), 'gone_unit'],
    ]);
  });

  it('is refused when none of them is heard', async () => {
    await silence();
    expect(await askForRange(bus.cameras.cabin, 10, 40)).toMatchObject({
      ...{ status: 409, message: 'The camera is offline.' },
    });
  });
});
