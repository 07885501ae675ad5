import { randomUUID } from 'node:crypto';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusDay } from './api.ts';

let server: TestServer;
let bus: TestBus;
const DATE = '2026-11-20';
const MORNING_MS = Date.parse(`${DATE}T05:00:00Z`);
const at = (minutes: number): Date => new Date(MORNING_MS + minutes * 60_000);

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay]);
  server.clock.set(Date.parse(`${DATE}T20:00:00Z`));
  const { db } = server.deps.database;
  bus = (await insertTestFleet(db)).firstBus;
  const { id } = await db
    .insertInto('laps')
    .values({
      workplace_id: bus.busId,
      day: DATE,
      number: 1,
      start_time: at(0),
      end_time: at(60),
      legs: '[]',
      open: false,
      entered: 0,
      exited: 0,
      unplaced: 0,
      max_load: 0,
      drift: 0,
      imbalance: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const stops = [
    { name: 'Парк', from: 0 },
    { name: 'Мимо', from: null },
    { name: 'Рынок', from: 10 },
  ];
  await db
    .insertInto('lap_stops')
    .values(
      stops.map(({ name, from }, position) => ({
        lap_id: id,
        position,
        name,
        latitude: 55.7,
        longitude: 37.6,
        arrival: from === null ? null : at(from),
        departure: from === null ? null : at(from + 1),
        confidence: 1,
        entered: 0,
        exited: 0,
        raw_load: 0,
        load: 0,
      })),
    )
    .execute();
});
afterAll(() => server.close());

it('a fragment of the day has the name of the stop at which people passed, or none', async () => {
  const recorded = [0, 5, 10].map((minute, seq) => ({
    seq,
    type: 'segment',
    camera: 'door1',
    time: at(minute + 1).toISOString(),
    start_time: at(minute).toISOString(),
    end_time: at(minute + 1).toISOString(),
    video: 'kept',
  }));
  const sent = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: {
      stream: randomUUID(),
      sent_at: new Date(server.clock.nowMs()).toISOString(),
      records: recorded,
    },
  });
  expect(sent.json<{ refused: unknown[] }>().refused).toEqual([]);
  const answer = await server.app.inject({
    url: `/api/segments/day-segments?workplaceId=${bus.busId}&date=${DATE}`,
    headers: { authorization: `Bearer ${await server.signIn('admin')}` },
  });
  const { segments } = answer.json<DayFragments>();
  expect(segments.map(({ stop }) => stop)).toEqual(['Парк', undefined, 'Рынок']);
});
