// What happens when a unit moves, or sends what it recorded in another bus, while somebody changes the same bus.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeBusSettings } from '../counts/settings.ts';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { listBlocked } from '../test/blocked.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { recountHours } from '../test/recount.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

const DAY = '2026-11-20';
/** 12:00 in Moscow. */
const NOW_MS = Date.parse(`${DAY}T09:00:00Z`);

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
});
afterAll(() => server.close());

/** A bus with a unit that has sent something, one without, and another unit that has sent something. */
let from: TestBus;
let to: TestBus;
let other: TestBus;
beforeEach(async () => {
  server.clock.set(NOW_MS);
  token = await server.signIn('admin');
  [from, to, other] = [await freshBus(), await freshBus(), await freshBus()];
  const { db } = server.deps.database;
  await db.deleteFrom('unit_credentials').where('unit_id', '=', to.unitId).execute();
  await db.deleteFrom('units').where('id', '=', to.unitId).execute();
  for (const bus of [from, other]) expect(await send(bus, [passenger(-60)])).toBe(200);
});

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`, 'Europe/Moscow');
const momentAt = (minute: number): string => new Date(NOW_MS + minute * 60_000).toISOString();
async function ask(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({
    ...{ method, url, headers },
    ...(payload !== undefined && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const move = ({ unitId }: TestBus, busId: number | null, moved_from?: string) =>
  ask('PUT', `/api/admin/units/${unitId}`, { bus_id: busId, ...(moved_from && { moved_from }) });

let seq = 0;
const passenger = (minute: number) => ({
  ...{ type: 'passenger', seq: ++seq, time: momentAt(minute), door: 1 },
  ...{ direction: 'entered', passenger: 'adult' },
});
const streams = new Map<number, string>();
async function send({ unitId, credential }: TestBus, records: readonly object[]): Promise<number> {
  const stream = streams.get(unitId) ?? randomUUID();
  streams.set(unitId, stream);
  const { statusCode } = await server.app.inject({
    ...{ method: 'POST', url: '/unit/v1/batches' },
    headers: { authorization: `Bearer ${credential}` },
    body: { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records },
  });
  return statusCode;
}

/** Lets a change go as far as its audit row, does something else, and lets both end. */
async function meanwhile<One, Other>(
  change: () => Promise<One>,
  then: () => Promise<Other>,
  waiting = 2,
): Promise<[One, Other]> {
  const { db } = server.deps.database;
  const [one, two] = await db.transaction().execute(async (tx) => {
    await sql`lock table audit_log in share mode`.execute(tx);
    const first = change();
    await blocked(1);
    const second = then();
    await blocked(waiting);
    return [first, second] as const;
  });
  return [await one, await two];
}
const blocked = (count: number) =>
  vi.waitFor(async () => expect(await listBlocked(server.deps.database.db)).toHaveLength(count));

describe('while a unit leaves a bus', () => {
  it('another one that comes from an earlier moment on is refused', async () => {
    const [left, came] = await meanwhile(
      () => move(from, to.busId),
      () => move(other, from.busId, momentAt(-30)),
    );
    expect([left.status, came.status, came.body.field]).toEqual([200, 409, 'moved_from']);
    expect((await move(other, from.busId)).status).toBe(200);
  });

  it('a new one begins when that one has gone', async () => {
    const unit = { device_id: `new-${from.busId}`, bus_id: from.busId };
    const [left, made] = await meanwhile(
      () => move(from, null, momentAt(-10)),
      () => ask('POST', '/api/admin/units', unit),
    );
    expect([left.status, made.status]).toEqual([200, 200]);
    expect(made.body.unit.assigned_from).toBe(momentAt(-10));
  });

  it('two others that come for it take turns', async () => {
    const third = await freshBus();
    const [left, came] = await meanwhile(
      () => move(from, to.busId),
      () => Promise.all([move(other, from.busId), move(third, from.busId)]),
      3,
    );
    expect(left.status).toBe(200);
    expect(came.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('what a moved unit sends late while its old bus gets another counter', () => {
  const byVideo = { valid_from: DAY, count_source: 'video' };
  const hoursOf = async ({ busId }: TestBus): Promise<unknown[]> =>
    (
      await server.deps.database.pool.query(
        'select from hourly_traffic where workplace_id = $1 and entered_adults > 0',
        [busId],
      )
    ).rows;
  beforeEach(async () => {
    expect((await move(from, to.busId, momentAt(-10))).status).toBe(200);
    // Every process learns of it within this time.
    server.clock.advance(4000);
    expect(await hoursOf(from)).toHaveLength(1);
  });

  it('waits for the change and counts by it', async () => {
    const settings = `/api/admin/buses/${from.busId}/settings`;
    const [changed, sent] = await meanwhile(
      () => ask('PUT', settings, byVideo),
      () => send(from, [passenger(-20)]),
    );
    expect([changed.status, sent]).toEqual([200, 200]);
    expect(await hoursOf(from)).toEqual([]);
    expect(await recountHours(server.deps.database.db, from.busId)).toEqual([]);
  });

  // Of a bus that a hundred units have left, the latest wait; others meet the change at the day.
  it('counts by the change that it met at the day', async () => {
    const { db } = server.deps.database;
    const { late } = await db.transaction().execute(async (tx) => {
      const settings = {
        ...{ group_id: from.routeId, terminal_stop_id: null, timezone: 'Europe/Moscow' },
        count_source: 'video' as const,
      };
      await changeBusSettings(tx, [{ busId: from.busId, day: DAY, settings }]);
      const sent = send(from, [passenger(-20)]);
      await blocked(1);
      return { late: sent };
    });
    expect(await late).toBe(200);
    expect(await hoursOf(from)).toEqual([]);
  });
});
