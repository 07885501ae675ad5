// The advanced report is open to some users only, and is about some customers only.
import type { Me } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import {
  insertTestBus,
  insertTestFleet,
  insertTestUser,
  type TestBus,
  type TestFleet,
} from '../test/fleet.ts';
import { passengerRecord, sendRecords } from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addReports } from './api.ts';

const DAY = '2026-03-10';
const START_MS = Date.parse(`${DAY}T09:00:00Z`);
/** The customers of the configuration, unless it names others. */
const TWENTY = 20;
const TWENTY_TWO = 22;

let server: TestServer;
let fleet: TestFleet;
/** The bus of customer 20. */
let open: TestBus;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addReports]);
  const { db } = server.deps.database;
  server.clock.set(START_MS + 3_600_000);
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  await db
    .insertInto('clients')
    .values(
      [TWENTY, TWENTY_TWO].map((id) => ({
        ...{ id, name: `Клиент ${id}`, surname: '', status: 1, created_at: new Date() },
      })),
    )
    .execute();
  open = await insertTestBus(db, TWENTY, 'Автобус 20');
  const { integrator } = fleet;
  await db
    .insertInto('integrator_clients')
    .values({ integrator_id: integrator, client_id: TWENTY })
    .execute();
  await insertTestUser(db, 'twenty', 'CUSTOMER', TWENTY);
  await insertTestUser(db, 'twenty-two', 'CUSTOMER', TWENTY_TWO);
  for (const login of ['admin', 'first', 'twenty', 'twenty-two', 'integrator', 'operator']) {
    tokens[login] = await server.signIn(login);
  }
});
afterAll(() => server.close());

const ask = (url: string, login: string) =>
  server.app.inject({
    url,
    headers: { authorization: `Bearer ${tokens[login]}`, accept: 'text/csv' },
  });

/** The rows of the report below its headings, or how it is refused. */
async function reportOf(login: string, ...routes: readonly TestBus[]): Promise<string[]> {
  const ids = routes.map(({ routeId }) => `&groupIds=${routeId}`).join('');
  const answer = await ask(`/api/stat/advanced-report/export?from=${DAY}&to=${DAY}${ids}`, login);
  if (answer.statusCode === 200) return answer.body.trim().split('\r\n').slice(1);
  const { error, field } = answer.json<{ error: string; field?: string }>();
  return [`${answer.statusCode}`, error, ...(field === undefined ? [] : [field])];
}

async function rightsOf(login: string): Promise<readonly unknown[]> {
  const me = (await ask('/api/auth/me', login)).json<Me>();
  return [me.advanced_report, me.advanced_report_clients];
}

describe('the advanced report', () => {
  it('is open to administrators, and to those who see one of its customers', async () => {
    expect(await rightsOf('admin')).toEqual([true, null]);
    expect(await rightsOf('twenty-two')).toEqual([true, [TWENTY_TWO]]);
    for (const login of ['twenty', 'integrator', 'operator']) {
      expect(await rightsOf(login)).toEqual([true, [TWENTY]]);
      expect(await reportOf(login, open)).toEqual([]);
    }
    expect(await rightsOf('first')).toEqual([false, []]);
    expect(await reportOf('first', fleet.firstBus)).toEqual(['403', 'no_right']);
    expect(await reportOf('first', fleet.secondBus)).toEqual(['404', 'not_found']);
    expect(await reportOf('admin')).toEqual(['400', 'invalid_request', 'groupIds']);
  });

  it('has none of the other routes that its reader sees, except for administrators', async () => {
    const closed = ['403', 'no_right', 'groupIds'];
    for (const login of ['integrator', 'operator']) {
      expect(await reportOf(login, fleet.firstBus)).toEqual(closed);
      expect(await reportOf(login, open, fleet.firstBus)).toEqual(closed);
    }
    expect(await reportOf('admin', open, fleet.firstBus)).toEqual([]);
  });

  it('has nobody of another customer whose bus is on the route', async () => {
    const { firstBus } = fleet;
    const { db } = server.deps.database;
    await db
      .updateTable('workplace_settings')
      .set({ group_id: open.routeId })
      .where('workplace_id', '=', firstBus.busId)
      .execute();
    const nowMs = server.clock.nowMs();
    await sendRecords(server.app, firstBus, [passengerRecord(START_MS, 'entered', 5)], nowMs);
    await sendRecords(server.app, open, [passengerRecord(START_MS, 'entered', 2)], nowMs);
    const route = `Маршрут Автобус 20,${DAY},12:00,0`;
    expect(await reportOf('admin', open)).toEqual([`${route},7,0,,Europe/Moscow`]);
    for (const login of ['twenty', 'integrator', 'operator']) {
      expect(await reportOf(login, open)).toEqual([`${route},2,0,,Europe/Moscow`]);
    }
  });
});
