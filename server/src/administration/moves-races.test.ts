// Units that move, or send what they recorded in another bus, while somebody changes the same bus.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { lockAudit, whileLocked } from '../test/blocked.ts';
import { deleteTestUnit, insertTestBus, type TestBus, type TestFleet } from '../test/fleet.ts';
import { recountHours } from '../test/recount.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const DAY = '2026-11-20';
/** 12:00 in Moscow. */
const NOW_MS = Date.parse(`${DAY}T09:00:00Z`);

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
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
  await deleteTestUnit(server.deps.database.db, to.unitId);
  for (const bus of [from, other]) expect(await send(bus, [passenger(-60)])).toBe(200);
});

const nameOf = new Map<number, string>();
async function freshBus(): Promise<TestBus> {
  const name = `Автобус ${randomUUID()}`;
  const bus = await insertTestBus(server.deps.database.db, fleet.first, name, 'Europe/Moscow');
  nameOf.set(bus.busId, name);
  return bus;
}
const momentAt = (minute: number): string => new Date(NOW_MS + minute * 60_000).toISOString();
const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  askJson(server, token, method, url, body);
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
  return (await sendBatch(server, credential, { stream, records })).statusCode;
}
/** Lets a change go as far as its audit row, does something else, and lets all end. */
const meanwhile = <Answer>(...starts: readonly (() => Promise<Answer>)[]) =>
  whileLocked(server.deps.database.db, lockAudit, starts);

describe('while a unit leaves a bus', () => {
  it('another one that comes from an earlier moment on is refused', async () => {
    const [left, came] = await meanwhile(
      () => move(from, to.busId),
      () => move(other, from.busId, momentAt(-30)),
    );
    expect([left?.status, came?.status, came?.body.field]).toEqual([200, 409, 'moved_from']);
    expect((await move(other, from.busId)).status).toBe(200);
  });

  it('a new one begins when that one has gone', async () => {
    const unit = { device_id: `new-${from.busId}`, bus_id: from.busId };
    const [left, made] = await meanwhile(
      () => move(from, null, momentAt(-10)),
      () => ask('POST', '/api/admin/units', unit),
    );
    expect([left?.status, made?.status]).toEqual([200, 200]);
    expect(made?.body.unit.assigned_from).toBe(momentAt(-10));
  });

  it('two others that come for it take turns', async () => {
    const third = await freshBus();
    const [left, ...came] = await meanwhile(
      () => move(from, to.busId),
      () => move(other, from.busId),
      () => move(third, from.busId),
    );
    expect(left?.status).toBe(200);
    expect(came.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('while a unit comes to a bus and leaves it again', () => {
  const several = (change: object, preview = false) =>
    ask('POST', '/api/admin/buses/several', { ids: [to.busId], change, preview });
  const toOther = () => ({ client_ids: [fleet.second] });
  const offRoute = { group_id: null, valid_from: DAY };
  it.each([
    ['several buses go to another customer', () => several(toOther())],
    ['it is previewed that several buses go to another customer', () => several(toOther(), true)],
    ['several buses change their route', () => several(offRoute)],
    ['it is previewed that several buses change their route', () => several(offRoute, true)],
    ['several buses leave the fleet', () => several({ retired: true })],
    ['it goes to another customer', () => ask('PUT', `/api/admin/buses/${to.busId}`, toOther())],
    ['it changes its route', () => ask('PUT', `/api/admin/buses/${to.busId}/settings`, offRoute)],
    [
      'a table takes it to another time zone',
      () =>
        ask('POST', '/api/admin/import', {
          ...{ kind: 'buses', file: 'парк.xlsx', heading: 1, columns: ['name', 'timezone'] },
          rows: [[nameOf.get(to.busId), 'Asia/Omsk']],
        }),
    ],
  ])('%s, and no call meets another head-on', async (_, change) => {
    const lockBus = (tx: Tx) =>
      sql`select from workplaces where id = ${to.busId} for no key update`.execute(tx);
    const answers = await whileLocked(server.deps.database.db, lockBus, [
      () => move(from, to.busId),
      change,
      () => ask('PUT', `/api/admin/units/${from.unitId}`, { bus_id: null, client_id: fleet.first }),
    ]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
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
    const statuses = await meanwhile(
      async () => (await ask('PUT', settings, byVideo)).status,
      () => send(from, [passenger(-20)]),
    );
    expect(statuses).toEqual([200, 200]);
    expect(await hoursOf(from)).toEqual([]);
    expect(await recountHours(server.deps.database.db, from.busId)).toEqual([]);
  });

  // The latest of a hundred units that have left a bus wait; others meet the change at the day.
  it('counts by the change that it met at the day', async () => {
    const { db } = server.deps.database;
    const settings = {
      ...{ group_id: from.routeId, terminal_stop_id: null, timezone: 'Europe/Moscow' },
      count_source: 'video' as const,
    };
    const [late] = await whileLocked(
      db,
      (tx) => changeBusSettings(tx, [{ busId: from.busId, day: DAY, settings }]),
      [() => send(from, [passenger(-20)])],
    );
    expect(late).toBe(200);
    expect(await hoursOf(from)).toEqual([]);
  });
});
