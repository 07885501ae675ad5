// The limits of one call on a day: a call beyond them is refused and delays nobody.
import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@ridewatch/contract/errors';
import type { Fragment } from '@ridewatch/contract/fragments';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { listEffectiveEvents } from '../counts/day-events.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addLaps } from '../laps/api.ts';
import { addRoutesFromLaps } from '../routes/from-laps/from-laps-api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusDay } from './api.ts';

const DAY = '2026-11-19';
const START_MS = Date.parse(`${DAY}T00:00:00+03:00`);
let server: TestServer;
let fleet: TestFleet;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addLaps, addRoutesFromLaps]);
  server.clock.set(START_MS + 40 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('operator');
});
afterAll(() => server.close());

const newBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`, 'Europe/Moscow');

async function send(bus: TestBus, ...records: readonly Record<string, unknown>[]): Promise<void> {
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

const time = (ms: number): string => new Date(START_MS + ms).toISOString();
const fragment = (startMs: number) => ({
  type: 'segment',
  time: time(startMs + 500),
  camera: 'door1',
  start_time: time(startMs),
  end_time: time(startMs + 500),
  video: 'kept',
});

/** A bus with a number of fragments of one camera on one day, half a second each. */
async function busWithFragments(count: number): Promise<TestBus> {
  const bus = await newBus();
  await send(bus, fragment(0));
  await sql`
    insert into segments (camera_id, unit_id, stream_id, seq, sent_start, sent_end, start_time,
      end_time, status, status_at, created_at)
    select camera_id, unit_id, stream_id, n, sent_start + later, sent_end + later,
      start_time + later, end_time + later, status, status_at, created_at
    from segments, lateral (select n, n * interval '600 milliseconds' as later
      from generate_series(1, ${count - 1}::int) as n) as others
    where camera_id = ${bus.cameras.door1}`.execute(server.deps.database.db);
  return bus;
}

const get = (url: string) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
const dayOf = ({ busId }: TestBus, date = DAY) =>
  get(`/api/segments/day-segments?workplaceId=${busId}&date=${date}`);
const periodOf = ({ cameras }: TestBus, startdate: string, enddate: string) =>
  get(`/api/period_list/${cameras.door1}?startdate=${startdate}&enddate=${enddate}`);
const refusal = (answer: { statusCode: number; json: () => ErrorBody }) => {
  const { error, field } = answer.json();
  return [answer.statusCode, error, field];
};

describe('a camera that made 130,000 fragments on a day', () => {
  let bus: TestBus;
  beforeAll(async () => {
    bus = await busWithFragments(130_000);
  });

  it('has its day refused as too large, and a range of days that holds it', async () => {
    expect(refusal(await dayOf(bus))).toEqual([413, 'too_large', 'date']);
    expect(refusal(await periodOf(bus, '2026-11-10', '2026-11-20'))).toEqual([
      413,
      'too_large',
      'enddate',
    ]);
  });

  it('is shown on its other days', async () => {
    await send(bus, fragment(26 * 3_600_000));
    expect((await dayOf(bus, '2026-11-20')).json<{ segments: Fragment[] }>().segments).toHaveLength(
      1,
    );
    expect((await periodOf(bus, '2026-11-20', '2026-11-20')).json()).toMatchObject({ total: 1 });
  });

  it('has its effective counts', async () => {
    const { db } = server.deps.database;
    await sql`
      insert into manual_counts (segment_id, entered, updated_by, updated_at)
      select min(segments.id), 7, min(users.id), now() from segments, users
      where camera_id = ${bus.cameras.door1}`.execute(db);
    const end = START_MS + 24 * 3_600_000;
    expect(await listEffectiveEvents(db, bus.busId, START_MS, end)).toEqual([
      {
        ...{ unitId: bus.unitId, timeMs: START_MS, direction: 'entered' },
        ...{ adult: 7, kids: 0, isManual: true },
      },
    ]);
  });
});

it('a camera’s 20,000 fragments are listed', async () => {
  const bus = await busWithFragments(20_000);
  expect((await periodOf(bus, DAY, DAY)).json()).toMatchObject({ total: 20_000 });
});

describe('a day with more than 100,000 passenger events', () => {
  it('is refused as too large, as is a range of days of one of its cameras', async () => {
    const bus = await busWithFragments(2);
    await send(bus, {
      type: 'passenger',
      time: time(3_600_000),
      door: 1,
      direction: 'entered',
      passenger: 'adult',
    });
    await sql`
      insert into passenger_events (unit_id, stream_id, seq, sent_time, time, workplace_id, door,
        direction, passenger, count)
      select unit_id, stream_id, n, sent_time, time, workplace_id, door, direction, passenger, count
      from passenger_events, generate_series(1, 100000) as n
      where workplace_id = ${bus.busId}`.execute(server.deps.database.db);
    expect(refusal(await dayOf(bus))).toEqual([413, 'too_large', 'date']);
    await send(bus, fragment(2 * 3_600_000));
    expect(refusal(await periodOf(bus, DAY, DAY))).toEqual([413, 'too_large', 'enddate']);
    expect((await periodOf(bus, '2026-11-20', '2026-11-20')).json()).toMatchObject({ total: 0 });
  });
});

describe('a day with more than 250,000 positions', () => {
  it('is refused as too large by what draws its way or makes stops of it', async () => {
    const bus = await newBus();
    await send(bus, { type: 'position', time: time(60_000), latitude: 55.75, longitude: 37.6 });
    const track = () => get(`/api/workplaces/gps/${bus.busId}?date=${DAY}`);
    const generate = () =>
      server.app.inject({
        method: 'POST',
        url: '/api/bus-stop/generate',
        headers: { authorization: `Bearer ${token}` },
        body: { workplaceId: bus.busId, date: DAY, save: false },
      });
    const { db } = server.deps.database;
    await db
      .updateTable('position_blocks')
      .set({ point_count: 250_001 })
      .where('unit_id', '=', bus.unitId)
      .execute();
    expect(refusal(await track())).toEqual([413, 'too_large', 'date']);
    expect(refusal(await generate())).toEqual([413, 'too_large', 'date']);
    const nextDay = `/api/workplaces/gps/${bus.busId}?date=2026-11-20`;
    expect((await get(nextDay)).statusCode).toBe(200);
  });
});
