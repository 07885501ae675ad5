import { HOME_KEPT_MS, type Home } from '@ridewatch/contract/home';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { settleDays } from '../figures/settle.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { passengerRecord, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';

/** Half past two in Moscow. */
const NOW_MS = Date.parse('2026-11-20T11:30:00Z');
const TODAY = '2026-11-20';
const YESTERDAY = '2026-11-19';
const DAY_MS = 86_400_000;
let server: TestServer;
let fleet: TestFleet;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addHome]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  token = await server.signIn('admin');
  // 100 people at 50 roubles, 20 percent for the driver, 100 roubles cashless: 3,900 roubles are due.
  for (const bus of [fleet.firstBus, fleet.secondBus]) {
    const records = [0, 1, 7, 8].map((days) =>
      passengerRecord(NOW_MS - 3_600_000 - days * DAY_MS, 'entered', 100),
    );
    await sendRecords(server.app, bus, records, NOW_MS);
  }
});
afterAll(() => server.close());

async function handIn(
  bus: TestBus,
  day: string,
  handedInKopecks: number | null,
  shiftEnd: string | null = null,
): Promise<void> {
  const values = {
    ...{ fare_kopecks: 5_000, salary_percent: '20.00', cashless_kopecks: 10_000 },
    ...{ handed_in_kopecks: handedInKopecks, shift_end: shiftEnd },
  };
  await server.deps.database.db
    .insertInto('calculations')
    .values({ workplace_id: bus.busId, day, ...values })
    .onConflict((conflict) => conflict.columns(['workplace_id', 'day']).doUpdateSet(values))
    .execute();
}

async function shortDays(): Promise<unknown[]> {
  const { db } = server.deps.database;
  for (const { busId } of [fleet.firstBus, fleet.secondBus]) {
    const days = ['2026-11-12', '2026-11-13', YESTERDAY, TODAY];
    await db.transaction().execute((tx) => settleDays(tx, busId, days, NOW_MS));
  }
  server.clock.advance(HOME_KEPT_MS);
  const answer = await server.app.inject({
    url: '/api/home',
    headers: { authorization: `Bearer ${token}` },
  });
  const { attention }: Home = answer.json();
  return attention.money.items
    .filter(({ details }) => details.kind === 'short_handed_in')
    .map(({ details, workplace }) => [workplace?.name, details]);
}

it('a day on which less was handed in than due needs attention, with both sums', async () => {
  await handIn(fleet.firstBus, YESTERDAY, 389_999);
  await handIn(fleet.secondBus, YESTERDAY, 390_000);
  expect(await shortDays()).toEqual([
    [
      'Автобус 10',
      { kind: 'short_handed_in', day: YESTERDAY, due: '3900.00', handed_in: '3899.99' },
    ],
  ]);
});

it('the present day needs attention only once its shift has ended', async () => {
  await handIn(fleet.firstBus, YESTERDAY, null);
  await handIn(fleet.secondBus, TODAY, 100_000);
  expect(await shortDays()).toEqual([]);
  await handIn(fleet.secondBus, TODAY, 100_000, '2026-11-20T11:00:00Z');
  expect(await shortDays()).toHaveLength(1);
});

it('a day of more than a week ago is left to the calculator', async () => {
  await handIn(fleet.secondBus, TODAY, null);
  await handIn(fleet.firstBus, '2026-11-12', 0);
  expect(await shortDays()).toEqual([]);
  await handIn(fleet.firstBus, '2026-11-13', 0);
  expect(await shortDays()).toHaveLength(1);
});
