import { gunzipSync } from 'node:zlib';
import type { Bus, BusInfo, BusList } from '@ridewatch/contract/buses';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBuses } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens = new Map<string, string>();
beforeAll(async () => {
  server = await createTestServer([addAuth, addBuses]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens.set(login, await server.signIn(login));
  }
});
afterAll(() => server.close());
// Makes the cached lists of the previous test stale.
beforeEach(() => server.clock.advance(10_000));

const ask = (login: string, url: string, headers: Record<string, string> = {}) =>
  server.app.inject({
    url,
    headers: { authorization: `Bearer ${tokens.get(login)}`, ...headers },
  });

const listOf = async (login: string): Promise<BusList> =>
  (await ask(login, '/api/bus_list')).json<BusList>();

const setUnit = (busId: number, lastSeenMs: number | null) =>
  server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: lastSeenMs === null ? null : new Date(lastSeenMs) })
    .where('workplace_id', '=', busId)
    .execute();

const setCamera = (id: number, set: { status?: 'online' | 'offline' | null; enabled?: boolean }) =>
  server.deps.database.db.updateTable('cameras').set(set).where('id', '=', id).execute();

const camerasOf = (bus: Bus | undefined) =>
  bus?.cameras.map(({ stream_id, enabled, status }) => [stream_id, enabled, status]);

describe('the bus list', () => {
  it('shows an administrator every bus by name as people sort, with device ids and customers', async () => {
    const list = await listOf('admin');
    expect(list.items.map((bus) => bus.name)).toEqual(['Автобус 2', 'Автобус 10']);
    expect([list.number, list.total]).toEqual([0, 2]);
    expect(list.items.map((bus) => bus.group_device_id)).toEqual([
      `unit-${fleet.secondBus.busId}`,
      `unit-${fleet.firstBus.busId}`,
    ]);
    expect(list.customers.map(({ name, surname }) => [name, surname]).sort()).toEqual([
      ['Второй', 'Второй-фамилия'],
      ['Интегратор', 'Интегратор-фамилия'],
      ['Первый', 'Первый-фамилия'],
    ]);
  });

  it('shows an administrator a customer before its first bus; others see nothing of it', async () => {
    const { db } = server.deps.database;
    const client = { name: 'Без автобусов', created_at: new Date(0) };
    const { id } = await db
      .insertInto('clients')
      .values(client)
      .returning('id')
      .executeTakeFirstOrThrow();
    try {
      const { customers, items } = await listOf('admin');
      expect(customers).toContainEqual({
        ...{ id, name: 'Без автобусов', patronymic: null, surname: null },
        ...{ status: 1, enabled: true },
      });
      expect(items.some(({ clients }) => clients.includes(id))).toBe(false);
      for (const login of ['first', 'integrator', 'operator']) {
        expect((await listOf(login)).customers.map((customer) => customer.id)).not.toContain(id);
      }
    } finally {
      await db.deleteFrom('clients').where('id', '=', id).execute();
    }
  });

  it('shows a customer its own buses, no device id and no customer name', async () => {
    const list = await listOf('first');
    expect(list.items.map((bus) => [bus.name, bus.group_device_id, bus.clients])).toEqual([
      ['Автобус 10', null, [fleet.first]],
    ]);
    expect(list.customers).toEqual([]);
    expect(list.items[0]?.group).toMatchObject({
      id: fleet.firstBus.routeId,
      client_id: fleet.first,
      type_calculation: 'FIXED',
    });
  });

  it('shows an integrator and its operator the buses of its clients with headings', async () => {
    for (const login of ['integrator', 'operator']) {
      const list = await listOf(login);
      expect(list.items.map((bus) => [bus.name, bus.group_device_id])).toEqual([
        ['Автобус 10', null],
      ]);
      expect(list.customers.map(({ id }) => id)).toEqual([fleet.first]);
    }
  });

  it('hides from a customer who else the bus belongs to', async () => {
    const { db } = server.deps.database;
    const shared = { workplace_id: fleet.firstBus.busId, client_id: fleet.second };
    await db.insertInto('workplace_clients').values(shared).execute();
    try {
      const list = await listOf('second');
      expect(list.items.map((bus) => [bus.name, bus.clients])).toEqual([
        ['Автобус 2', [fleet.second]],
        ['Автобус 10', [fleet.second]],
      ]);
      const admin = (await listOf('admin')).items.find((bus) => bus.id === fleet.firstBus.busId);
      expect(admin?.clients).toEqual([fleet.first, fleet.second]);
    } finally {
      await db
        .deleteFrom('workplace_clients')
        .where('workplace_id', '=', shared.workplace_id)
        .where('client_id', '=', shared.client_id)
        .execute();
    }
  });

  it('needs a sign-in', async () => {
    expect((await server.app.inject('/api/bus_list')).statusCode).toBe(401);
  });
});

describe('the cameras of a bus', () => {
  it('are as the unit says while it speaks: lost ones are not in use, unknown ones offline but in use', async () => {
    const { busId, cameras } = fleet.firstBus;
    await setUnit(busId, server.clock.nowMs() - 4 * 60_000);
    await setCamera(cameras.door1, { status: 'online' });
    await setCamera(cameras.door2, { status: 'offline' });
    await setCamera(cameras.cabin, { status: null });
    expect(camerasOf((await listOf('first')).items[0])).toEqual([
      ['cabin', true, 'offline'],
      ['door1', true, 'online'],
      ['door2', false, 'offline'],
    ]);
  });

  it('are not in use when they are switched off, whatever the unit says', async () => {
    const { busId, cameras } = fleet.firstBus;
    await setUnit(busId, server.clock.nowMs());
    await setCamera(cameras.door1, { status: 'online', enabled: false });
    const info = (await ask('first', `/api/bus/info/${busId}`)).json<BusInfo>();
    expect(camerasOf(info)?.[1]).toEqual(['door1', false, 'online']);
    await setCamera(cameras.door1, { enabled: true });
  });

  it('are all offline and not in use after five minutes of silence, and before the first word', async () => {
    const { busId, cameras } = fleet.firstBus;
    await setCamera(cameras.door1, { status: 'online' });
    for (const lastSeenMs of [server.clock.nowMs() - 5 * 60_000, null]) {
      server.clock.advance(10_000);
      await setUnit(busId, lastSeenMs);
      const [bus] = (await listOf('first')).items;
      expect(camerasOf(bus)?.map(([, ...state]) => state)).toEqual(
        Array.from({ length: 3 }, () => [false, 'offline']),
      );
      expect(bus?.last_seen_at).toBe(
        lastSeenMs === null ? null : new Date(lastSeenMs).toISOString(),
      );
    }
  });
});

describe('the cached bus list', () => {
  const rename = (name: string) =>
    server.deps.database.db
      .updateTable('workplaces')
      .set({ name })
      .where('id', '=', fleet.firstBus.busId)
      .execute();

  it('is packed for who takes gzip and plain for who does not', async () => {
    const packed = await ask('first', '/api/bus_list', { 'accept-encoding': 'br, gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.vary).toContain('accept-encoding');
    for (const coding of ['identity', 'gzip;q=0', 'br']) {
      const plain = await ask('first', '/api/bus_list', { 'accept-encoding': coding });
      expect([coding, plain.headers['content-encoding']]).toEqual([coding, undefined]);
      expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload);
    }
  });

  it('answers 304 without a body to who has it, also under a weak tag', async () => {
    const { etag } = (await ask('first', '/api/bus_list')).headers;
    for (const tag of [`${etag}`, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask('first', '/api/bus_list', { 'if-none-match': tag });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    const other = await ask('second', '/api/bus_list', { 'if-none-match': `${etag}` });
    expect(other.statusCode).toBe(200);
  });

  it('costs one statement to build and none while it is kept, for everybody of one scope', async () => {
    for (const login of ['integrator', 'operator']) await ask(login, '/api/auth/me');
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    try {
      await ask('integrator', '/api/bus_list');
      expect(statements).toHaveBeenCalledTimes(1);
      await Promise.all([listOf('integrator'), listOf('operator'), listOf('operator')]);
      expect(statements).toHaveBeenCalledTimes(1);
    } finally {
      statements.mockRestore();
    }
  });

  it('is built once when many ask at once', async () => {
    await ask('first', '/api/auth/me');
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    try {
      await Promise.all(Array.from({ length: 20 }, () => listOf('first')));
      expect(statements).toHaveBeenCalledTimes(1);
    } finally {
      statements.mockRestore();
    }
  });

  it('is never older than five seconds', async () => {
    expect((await listOf('first')).items[0]?.name).toBe('Автобус 10');
    await rename('Автобус 11');
    expect((await listOf('first')).items[0]?.name).toBe('Автобус 10');
    server.clock.advance(5000);
    expect((await listOf('first')).items[0]?.name).toBe('Автобус 11');
    await rename('Автобус 10');
  });

  it('is built anew after it could not be built', async () => {
    await ask('first', '/api/auth/me');
    const broken = vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(() => {
      throw new Error('gone');
    });
    expect((await ask('first', '/api/bus_list')).statusCode).toBe(500);
    broken.mockRestore();
    expect((await ask('first', '/api/bus_list')).statusCode).toBe(200);
  });
});

describe('one bus', () => {
  it('comes with what was valid on the asked day, and the bounds of that day in its zones', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.second, 'Автобус 3', 'Asia/Yekaterinburg');
    await db
      .insertInto('workplace_settings')
      .values({
        workplace_id: bus.busId,
        valid_from: '2026-03-02',
        group_id: fleet.secondBus.routeId,
        timezone: 'Europe/Moscow',
      })
      .execute();
    const tracks = [
      { valid_from: '2026-01-01', track: [{ latitude: 1, longitude: 2 }] },
      { valid_from: '2026-03-01', track: [{ latitude: 3, longitude: 4 }] },
      { valid_from: '2026-03-05', track: [{ latitude: 5, longitude: 6 }] },
    ];
    for (const { valid_from, track } of tracks) {
      await db
        .insertInto('route_tracks')
        .values({ group_id: bus.routeId, valid_from, track: JSON.stringify(track) })
        .execute();
    }
    const url = `/api/bus/info/${bus.busId}`;
    const before = (await ask('second', `${url}?date=2026-03-01`)).json<BusInfo>();
    expect(before).toMatchObject({
      timezone: 'Asia/Yekaterinburg',
      group: { id: bus.routeId, track: [{ latitude: 3, longitude: 4 }] },
      group_device_id: null,
      date: '2026-03-01',
      day_start: '2026-02-28T19:00:00.000Z',
      day_end: '2026-03-01T19:00:00.000Z',
    });
    const after = (await ask('second', `${url}?date=2026-03-02`)).json<BusInfo>();
    expect(after).toMatchObject({
      timezone: 'Europe/Moscow',
      group: { id: fleet.secondBus.routeId, track: [] },
      // The day before ended in the zone that the bus had then.
      day_start: '2026-03-01T19:00:00.000Z',
      day_end: '2026-03-02T21:00:00.000Z',
    });
  });

  it('has the route and the terminal of its first settings on the days before them', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.second, 'Автобус 5');
    const stop = await db
      .insertInto('route_stops')
      .values({ group_id: bus.routeId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('workplace_settings')
      .set({ terminal_stop_id: stop.id })
      .where('workplace_id', '=', bus.busId)
      .execute();
    for (const date of ['2009-12-31', '2026-03-02']) {
      const answer = await ask('second', `/api/bus/info/${bus.busId}?date=${date}`);
      expect(answer.json<BusInfo>()).toMatchObject({
        group: { id: bus.routeId },
        terminal_bus_stop_id: stop.id,
      });
    }
  });

  it('shows its own today when no day is named', async () => {
    const bus = await insertTestBus(
      server.deps.database.db,
      fleet.second,
      'Автобус 4',
      'Asia/Yekaterinburg',
    );
    server.clock.set(Date.parse('2026-03-10T20:00:00Z'));
    const token = await server.signIn('second');
    const answer = await server.app.inject({
      url: `/api/bus/info/${bus.busId}`,
      headers: { authorization: `Bearer ${token}` },
    });
    server.clock.set(Date.now());
    expect(answer.json<BusInfo>().date).toBe('2026-03-11');
  });

  it('shows an administrator the device id', async () => {
    const answer = await ask('admin', `/api/bus/info/${fleet.firstBus.busId}`);
    expect(answer.json<BusInfo>().group_device_id).toBe(`unit-${fleet.firstBus.busId}`);
  });

  it("answers for another customer's bus exactly as for none", async () => {
    const foreign = await ask('first', `/api/bus/info/${fleet.secondBus.busId}`);
    const missing = await ask('first', '/api/bus/info/999999999999');
    const without = (answer: typeof foreign) => ({
      ...answer.json<Record<string, unknown>>(),
      requestId: '',
    });
    expect([foreign.statusCode, missing.statusCode]).toEqual([404, 404]);
    expect(without(foreign)).toEqual(without(missing));
  });

  it.each([
    '2026-13-45',
    '2026-02-29',
    'today',
    '0000-01-01',
    '9999-12-31',
    '2026-03-01T00:00:00Z',
    '',
  ])('refuses the date "%s" with 400 and names the field', async (date) => {
    const { busId } = fleet.firstBus;
    const answer = await ask('first', `/api/bus/info/${busId}?date=${encodeURIComponent(date)}`);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, 'date']);
  });

  it.each([
    '..%2F..%2Fetc%2Fpasswd',
    '%2e%2e%2fconfig',
    '0',
    '-1',
    '1.5',
    '1e3',
    '1;drop',
    '99999999999999999999',
    '%00',
  ])('refuses the bus id %s with 400 and names the field', async (id) => {
    const answer = await ask('first', `/api/bus/info/${id}`);
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, 'busId']);
  });

  it('knows the largest id that the contract lets through', async () => {
    expect((await ask('admin', '/api/bus/info/9007199254740991')).statusCode).toBe(404);
  });
});
