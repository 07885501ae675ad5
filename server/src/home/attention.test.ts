import { FULL_SHARE, HOME_KEPT_MS, type Home, STANDS_LONG_MS } from '@ridewatch/contract/home';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import type { Viewer } from '../core/viewer.ts';
import { addIngest } from '../ingest/http/api.ts';
import { lookForCauses } from '../test/attention.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';
import { buildAttention, type KnownFigures } from './attention.ts';

const NOW_MS = Date.parse('2026-11-20T11:30:00Z');
const DAY = '2026-11-20';
let server: TestServer;
let fleet: TestFleet;
let third: TestBus;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addHome]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  third = await insertTestBus(db, fleet.second, 'Автобус 3', 'Europe/Moscow');
  for (const login of ['admin', 'first', 'second', 'integrator']) {
    tokens.set(login, await server.signIn(login));
  }
});
afterAll(() => server.close());

type Lap = NonNullable<KnownFigures['board'][number]['lap']>;
const lap = (more: Partial<Lap> = {}): Lap => ({
  ...{ number: 3, ended: false, percent: 40, turn_percent: 50 },
  ...{ stop: 'Рынок', next: 'Вокзал', as_of: new Date(NOW_MS).toISOString() },
  ...more,
});
const bus = (
  { busId }: TestBus,
  more: Partial<KnownFigures['board'][number]> = {},
): KnownFigures['board'][number] => ({
  id: busId,
  ...{ state: 'moving', speed_kmh: 30, moved_at: new Date(NOW_MS).toISOString() },
  ...{
    entered: 10,
    hours: [],
    revenue: '0.00',
    inside: 5,
    places: 50,
    lap: lap(),
    imbalance_percent: null,
  },
  ...{ no_price: 0, waiting: 0, offline_cameras: [] },
  ...more,
});
const sum = ({ busId }: TestBus, kopecks: number, entered = 10) => ({
  ...{ busId, entered, exited: 0, kopecks },
});

const nothing = {
  ...{ board: [], days: [], now: [], before: [] },
  ...{ zones: new Map(), incomplete: new Set<number>() },
};

/** Lists what needs attention by these figures, as kinds and buses. */
async function rowsOf(known: Partial<KnownFigures>): Promise<Home['attention']> {
  const { db } = server.deps.database;
  const viewer: Viewer = {
    userId: 1,
    sessionId: '',
    login: 'admin',
    role: 'ADMIN',
    clientId: null,
    clientIds: 'all',
    canEdit: true,
    viewedBy: null,
  };
  return buildAttention(db, viewer, { ...nothing, ...known }, NOW_MS);
}
const kinds = ({ items }: Home['attention']['line']) =>
  items.map(({ details, workplace }) => [details.kind, workplace?.name]);

describe('on the line', () => {
  it('a bus needs attention from nine tenths of its places on, with the stop that it drives to', async () => {
    const [full, nearly] = [50 * FULL_SHARE, 50 * FULL_SHARE - 1];
    const { line } = await rowsOf({
      board: [bus(fleet.firstBus, { inside: nearly }), bus(third, { inside: full })],
    });
    expect(line).toMatchObject({
      total: 1,
      items: [
        {
          details: { kind: 'full', inside: full, places: 50, stop: 'Вокзал' },
          workplace: { id: third.busId, name: 'Автобус 3', route: 'Маршрут Автобус 3' },
        },
      ],
    });
  });

  it('a bus whose lap is over, that is silent, or whose places nobody knows is not full', async () => {
    const { line } = await rowsOf({
      board: [
        bus(fleet.firstBus, { inside: 50, lap: lap({ ended: true }) }),
        bus(fleet.secondBus, { inside: 50, state: 'silent' }),
        bus(third, { inside: 50, places: null }),
      ],
    });
    expect(line).toEqual({ total: 0, items: [] });
  });

  it('a bus that stands long inside a lap needs attention, at a terminal it does not', async () => {
    const since = (ms: number) => new Date(NOW_MS - ms).toISOString();
    const stands = { state: 'standing', moved_at: since(STANDS_LONG_MS) } as const;
    const { line } = await rowsOf({
      board: [
        bus(fleet.firstBus, { ...stands, lap: lap({ percent: 51 }) }),
        bus(fleet.secondBus, { ...stands, moved_at: since(STANDS_LONG_MS - 1000) }),
        bus(third, stands),
      ],
    });
    expect(kinds(line)).toEqual([['standing', 'Автобус 3']]);
    expect(line.items[0]).toMatchObject({ since: stands.moved_at, details: { stop: 'Рынок' } });
  });
});

describe('in money', () => {
  it('revenue that is three tenths lower than a week before needs attention, the greatest loss first', async () => {
    const { money } = await rowsOf({
      now: [sum(fleet.firstBus, 70_000), sum(fleet.secondBus, 75_000), sum(third, 100_000)],
      before: [sum(fleet.firstBus, 100_000), sum(fleet.secondBus, 100_000), sum(third, 300_000)],
    });
    expect(kinds(money)).toEqual([
      ['low_revenue', 'Автобус 3'],
      ['low_revenue', 'Автобус 10'],
    ]);
    expect(money.items[0]?.details).toEqual({
      ...{ kind: 'low_revenue', percent: 67, now: '1000.00', before: '3000.00' },
    });
  });

  it('a bus that rests, earned little before, or has figures on their way has no low revenue', async () => {
    const { money } = await rowsOf({
      incomplete: new Set([third.busId]),
      now: [sum(fleet.firstBus, 0, 0), sum(fleet.secondBus, 0), sum(third, 0)],
      before: [sum(fleet.firstBus, 300_000), sum(fleet.secondBus, 99_999), sum(third, 300_000)],
    });
    expect(money).toEqual({ total: 0, items: [] });
  });

  it('passengers without a price need attention', async () => {
    const { money } = await rowsOf({ board: [bus(third, { no_price: 3 })] });
    expect(money.items[0]?.details).toEqual({ kind: 'no_price', passengers: 3 });
  });

  it('a salary of 0 % needs attention where the day before had one', async () => {
    const { db } = server.deps.database;
    const record = (own: TestBus, day: string, salary_percent: string) => ({
      ...{ workplace_id: own.busId, day, salary_percent },
    });
    await db
      .insertInto('calculations')
      .values([
        record(third, '2026-11-18', '18.00'),
        record(third, DAY, '0'),
        record(fleet.firstBus, '2026-11-18', '0'),
        record(fleet.firstBus, DAY, '0'),
        record(fleet.secondBus, '2026-11-18', '18.00'),
      ])
      .execute();
    const days = [fleet.firstBus, fleet.secondBus, third].map(({ busId }) => ({
      ...{ busId, day: DAY, startMs: NOW_MS - 1000, endMs: NOW_MS },
    }));
    const { money } = await rowsOf({ days });
    expect(kinds(money)).toEqual([['no_salary', 'Автобус 3']]);
    expect(money.items[0]?.details).toEqual({ kind: 'no_salary', was: '18.00' });
  });
});

describe('the home page', () => {
  const homeOf = async (login: string, query = '') => {
    server.clock.advance(HOME_KEPT_MS);
    const headers = { authorization: `Bearer ${tokens.get(login)}` };
    return server.app.inject({ url: `/api/home${query}`, headers });
  };

  it('has open causes of the buses that the user may see', async () => {
    const { db } = server.deps.database;
    const silent = new Date(NOW_MS - 20 * 60_000);
    await db
      .updateTable('units')
      .set({ last_seen_at: silent, last_moved_at: silent })
      .where('id', '=', third.unitId)
      .execute();
    await lookForCauses(server);
    const { attention }: Home = (await homeOf('second')).json();
    expect(attention.faulty).toMatchObject({
      total: 1,
      items: [{ details: { kind: 'silent_bus' }, workplace: { name: 'Автобус 3' } }],
    });
    expect((await homeOf('first')).json().attention.faulty).toEqual({ total: 0, items: [] });
  });

  it('tells administrators, and nobody else, of records that wait for another system', async () => {
    const { db } = server.deps.database;
    const stored_at = new Date(server.clock.nowMs() - 20 * 60_000);
    const { id: upstream_id } = await db
      .insertInto('upstreams')
      .values({ name: 'Регион', host: 'far', port: 1, created_at: stored_at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('upstream_queue')
      .values({
        ...{ upstream_id, unit_id: third.unitId, workplace_id: third.busId, records: 1 },
        ...{ stored_at, due_at: stored_at },
      })
      .execute();
    const refused = { upstream_id, code: 154, records: 1, last_at: stored_at };
    await db
      .insertInto('upstream_refusals')
      .values({ ...refused, workplace_id: third.busId })
      .execute();
    await lookForCauses(server);
    const own = { name: 'Регион', upstream_id };
    const refuses = { details: { kind: 'upstream_refuses', ...own, code: 154, number: 1 } };
    const late = { details: { kind: 'upstream_late', ...own } };
    const faulty = async (login: string) => (await homeOf(login)).json().attention.faulty.items;
    for (const one of [late, refuses]) {
      expect(await faulty('admin')).toContainEqual(expect.objectContaining(one));
    }
    for (const login of ['first', 'second', 'integrator']) {
      expect(await faulty(login), login).not.toContainEqual(expect.objectContaining(late));
    }
    await db.deleteFrom('upstream_queue').execute();
    await lookForCauses(server);
    expect(await faulty('admin')).not.toContainEqual(expect.objectContaining(late));
  });

  it('offers customers to who sees several, and shows the buses of the chosen one alone', async () => {
    const { customers, bus_ids }: Home = (await homeOf('admin')).json();
    expect(customers.map(({ name, buses }) => [name, buses])).toEqual([
      ['Второй', 2],
      ['Первый', 1],
    ]);
    expect(bus_ids).toBeNull();
    const chosen: Home = (await homeOf('admin', `?clientId=${fleet.first}`)).json();
    expect(chosen.bus_ids).toEqual([fleet.firstBus.busId]);
    expect(chosen.attention.faulty.total).toBe(0);
    expect(chosen.customers).toEqual(customers);
    expect((await homeOf('second')).json().customers).toEqual([]);
  });

  it('answers 404 for a foreign customer', async () => {
    expect((await homeOf('first', `?clientId=${fleet.second}`)).statusCode).toBe(404);
    expect((await homeOf('integrator', `?clientId=${fleet.first}`)).statusCode).toBe(200);
  });
});
