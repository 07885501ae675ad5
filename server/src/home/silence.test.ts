// A silent bus that is missed, and one that is off: the figure, the list, the board and the map say the same.
import type { Board, BoardBus } from '@ridewatch/contract/board';
import { LONG_SILENT_MS, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { type BusPlace, HOME_KEPT_MS, type Home } from '@ridewatch/contract/home';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBoard } from '../board/api.ts';
import { lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Half past two at night in Moscow. */
const NIGHT_MS = Date.parse('2026-11-19T23:30:00Z');
let server: TestServer;
let fleet: TestFleet;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addBoard, addHome]);
  server.clock.set(NIGHT_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  for (const login of ['admin', 'first']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.deps.database;
  await sql`delete from attention_causes`.execute(db);
  await db
    .updateTable('units')
    .set({ last_seen_at: null, last_moved_at: null, enabled: true })
    .set({ last_latitude: 55.75, last_longitude: 37.6 })
    .execute();
  server.clock.advance(HOME_KEPT_MS);
});

/** The first bus was last heard so long ago, and drove so long before that, ms. */
async function hear(agoMs: number, droveBeforeMs: number, enabled = true): Promise<void> {
  const seenMs = server.clock.nowMs() - agoMs;
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(seenMs), last_moved_at: new Date(seenMs - droveBeforeMs) })
    .set({ enabled })
    .where('id', '=', fleet.firstBus.unitId)
    .execute();
}

async function ask<Answer>(login: string, url: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${tokens.get(login)}` };
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
}

/** Reads what all screens say of the first bus; they must agree. */
async function stateOf(login = 'first'): Promise<BoardBus['state']> {
  const { buses, attention } = await ask<Home>(login, '/api/home');
  const board = await ask<Board>(login, '/api/bus_list/board');
  const places = await ask<{ items: BusPlace[] }>(login, '/api/gps/all');
  const own = board.items.find(({ id }) => id === fleet.firstBus.busId);
  const onMap = places.items.find(([id]) => id === fleet.firstBus.busId)?.[5];
  expect(onMap).toBe(own?.state);
  const listed = attention.faulty.items.filter(({ details }) => details.kind === 'silent_bus');
  expect(listed).toHaveLength(buses.silent);
  expect(attention.faulty.total).toBe(buses.silent);
  for (const state of ['moving', 'standing', 'silent', 'off'] as const) {
    expect(buses[state]).toBe(board.items.filter((bus) => bus.state === state).length);
  }
  return own?.state ?? 'off';
}

describe('a bus that sends nothing', () => {
  it('is off if it stood before, as in a depot at night, and needs no attention', async () => {
    await hear(SILENT_AFTER_MS - 1000, 10 * MINUTE_MS);
    expect(await stateOf()).toBe('standing');
    await hear(5 * 60 * MINUTE_MS, 10 * MINUTE_MS);
    server.clock.advance(HOME_KEPT_MS);
    await lookForCauses(server);
    expect(await stateOf()).toBe('off');
  });

  it('is off if it was never heard, or if its unit is disabled', async () => {
    expect(await stateOf()).toBe('off');
    await hear(6 * MINUTE_MS, 0, false);
    server.clock.advance(HOME_KEPT_MS);
    expect(await stateOf()).toBe('off');
  });

  it('is silent, with a row, from five minutes on if it drove; the cause opens later', async () => {
    await hear(6 * MINUTE_MS, 0);
    await lookForCauses(server);
    expect(await stateOf()).toBe('silent');
    const { attention } = await ask<Home>('first', '/api/home');
    expect(attention.faulty.items[0]).toMatchObject({
      details: { kind: 'silent_bus', drove: true, place: null },
      since: new Date(server.clock.nowMs() - 6 * MINUTE_MS).toISOString(),
      workplace: { id: fleet.firstBus.busId },
    });
  });

  it('is silent while its cause is open, although it stood, and for its customer alone', async () => {
    await hear(20 * MINUTE_MS, 0);
    await lookForCauses(server);
    await hear(2 * DAY_MS, 10 * MINUTE_MS);
    expect([await stateOf('admin'), await stateOf('first')]).toEqual(['silent', 'silent']);
  });

  it('is silent again after a weekend in the depot: nobody else would miss a dead unit', async () => {
    await hear(LONG_SILENT_MS - 1000, 10 * MINUTE_MS);
    expect(await stateOf()).toBe('off');
    await hear(LONG_SILENT_MS, 10 * MINUTE_MS);
    server.clock.advance(HOME_KEPT_MS);
    expect(await stateOf()).toBe('silent');
  });
});
