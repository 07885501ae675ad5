import { randomUUID } from 'node:crypto';
import type {
  ArrivingRecords,
  DayTrafficAnswer,
  PassengerTraffic,
} from '@ridewatch/contract/stats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { passengerRecord } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addStats } from './api.ts';

/** Two hours ahead of UTC in June. */
const ZONE = 'Europe/Berlin';
const NOW_MS = Date.parse('2026-06-20T12:00:00Z');
const MINUTE_MS = 60_000;

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addStats]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, ZONE);
  for (const login of ['first', 'second']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

const newBus = (clientId = fleet.first): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, clientId, randomUUID(), ZONE);

/** Sends somebody who gets on, with what the batch says of older records. */
async function send(bus: TestBus, more: Readonly<Record<string, unknown>>, sentMs = NOW_MS) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: {
      stream: randomUUID(),
      sent_at: new Date(sentMs).toISOString(),
      records: [{ seq: 1, ...passengerRecord(sentMs - MINUTE_MS, 'entered') }],
      ...more,
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

interface Asked {
  readonly bus?: TestBus;
  readonly dateTo?: string;
  readonly login?: string;
}

async function arriving({ bus, dateTo = '2026-06-20', login = 'first' }: Asked) {
  const query = new URLSearchParams({ dateFrom: '2026-06-01', dateTo });
  if (bus !== undefined) query.append('workplaces', String(bus.busId));
  const ask = async <T extends { arriving: ArrivingRecords | null }>(path: string) => {
    const answer = await server.app.inject({
      url: `/api/stat/${path}?${query}`,
      headers: { authorization: `Bearer ${tokens[login]}` },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<T>().arriving;
  };
  const shown = await ask<PassengerTraffic>('passenger-traffic');
  expect(await ask<DayTrafficAnswer>('day-traffic')).toEqual(shown);
  return shown;
}

it('a statistic says from which day on records are still arriving, until the unit has sent them', async () => {
  const bus = await newBus();
  await send(bus, {});
  expect(await arriving({ bus })).toBeNull();
  // 00:30 of the next day in Berlin.
  await send(bus, { backlog_from: '2026-06-02T22:30:00.000Z' });
  expect(await arriving({ bus })).toEqual({ from: '2026-06-03', buses: 1 });
  await send(bus, {});
  expect(await arriving({ bus })).toEqual({ from: '2026-06-03', buses: 1 });
  await send(bus, { backlog_from: null });
  expect(await arriving({ bus })).toBeNull();
});

it('says nothing of days before the arriving ones, nor of the buses of others', async () => {
  const [bus, other] = [await newBus(), await newBus(fleet.second)];
  await send(bus, { backlog_from: '2026-06-10T10:00:00.000Z' });
  await send(other, { backlog_from: '2026-06-05T10:00:00.000Z' });
  expect(await arriving({ bus, dateTo: '2026-06-09' })).toBeNull();
  expect(await arriving({ bus, dateTo: '2026-06-10' })).toEqual({ from: '2026-06-10', buses: 1 });
  expect(await arriving({})).toEqual({ from: '2026-06-10', buses: 1 });
  expect(await arriving({ login: 'second' })).toEqual({ from: '2026-06-05', buses: 1 });
  for (const one of [bus, other]) await send(one, { backlog_from: null });
});

it('says nothing of a unit that has fallen silent', async () => {
  const bus = await newBus();
  await send(bus, { backlog_from: '2026-06-10T10:00:00.000Z' });
  server.clock.set(NOW_MS + 14 * MINUTE_MS);
  expect(await arriving({ bus })).not.toBeNull();
  server.clock.set(NOW_MS + 16 * MINUTE_MS);
  // Tokens do not last so long.
  tokens.later = await server.signIn('first');
  expect(await arriving({ bus, login: 'later' })).toBeNull();
  server.clock.set(NOW_MS);
});

it('corrects the time by the clock of the unit, and ignores one that no record may have', async () => {
  const bus = await newBus();
  const slowMs = NOW_MS - 48 * 60 * MINUTE_MS;
  await send(bus, { backlog_from: '2026-06-10T10:00:00.000Z' }, slowMs);
  expect(await arriving({ bus })).toEqual({ from: '2026-06-12', buses: 1 });
  for (const backlog_from of ['1999-01-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z']) {
    await send(bus, { backlog_from });
    expect(await arriving({ bus })).toBeNull();
  }
});
