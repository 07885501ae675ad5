// A bus passes from one customer to another: each sees the days on which it was its own, whole; the other's days answer
// like days without data.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import {
  FIRST_DAY,
  type Fragments,
  LAST_DAY,
  MIDNIGHT_MS,
  type MovedBus,
  makeMovedBus,
  secrets,
} from '../test/moved-bus.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let world: MovedBus;
let busId: number;
let fragments: Fragments;
beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  world = await makeMovedBus(server);
  busId = world.bus.busId;
  fragments = await world.goOn();
});
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';
async function ask(login: string, url: string, method: Method = 'GET', payload?: object) {
  const headers = { authorization: `Bearer ${world.tokens[login]}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}
const get = async (login: string, url: string) => {
  const answer = await ask(login, url);
  expect(answer, url).toMatchObject({ status: 200 });
  return answer.body;
};

/** The days: who owns each and who may not see it, who got on, and how many of them at the stop. */
const days = [
  [LAST_DAY, 'first', 'second', 4, 1],
  [FIRST_DAY, 'second', 'first', 6, 2],
] as const;

describe.each(days)('the %s', (date, owner, other, entered, atStop) => {
  const ofDay = (path: string) => `${path}?workplaceId=${busId}&date=${date}`;

  it.each([owner, 'admin'])(
    'is whole for %s: people, video, laps, stops, track and money',
    async (login) => {
      const day = await get(login, ofDay('/api/segments/day-segments'));
      expect(day.entered).toMatchObject({ adult: entered });
      expect(day.segments.map(({ id }: { id: number }) => id)).toContain(fragments[owner]);
      expect(day.calculation).toMatchObject({
        driver: secrets[owner].driver,
        fare: secrets[owner].fare,
      });
      const laps = await get(login, ofDay('/api/bus-stop/laps'));
      expect(laps.items[0]).toMatchObject({ group: { name: secrets[owner].route } });
      expect(laps.items[0].busStopDtoList[1].name).toContain(secrets[owner].stop);
      expect(laps.items[0].track.length).toBeGreaterThan(100);
      expect((await get(login, ofDay('/api/bus-stop/day-laps'))).items).toHaveLength(
        laps.items.length,
      );
      expect((await get(login, ofDay('/api/bus-stop/search'))).items.length).toBeGreaterThan(5);
      const track = await get(login, `/api/workplaces/gps/${busId}?date=${date}`);
      expect(track.items.length).toBeGreaterThan(100);
      expect(await get(login, ofDay('/api/workplaces/calculation'))).toMatchObject({
        driver: secrets[owner].driver,
      });
      const fragment = await get(login, `/api/segments/${fragments[owner]}`);
      expect(fragment.id).toBe(fragments[owner]);
      const { cameras } = world.bus;
      const period = `/api/period_list/${cameras.door1}?startdate=${date}&enddate=${date}`;
      expect((await get(login, period)).items.map(({ id }: { id: number }) => id)).toContain(
        fragments[owner],
      );
      expect(await get(login, `/api/bus/info/${busId}?date=${date}`)).toMatchObject({
        group: { name: secrets[owner].route },
      });
    },
  );

  it(`is like a day without data for the ${other} customer`, async () => {
    expect(await get(other, ofDay('/api/segments/day-segments'))).toMatchObject({
      ...{ workplace_id: busId, date, calculation: null, inside: 0 },
      ...{ devices: [], events: [], segments: [], entered: { adult: 0, kids: 0 } },
    });
    for (const path of ['day-laps', 'laps', 'search']) {
      const answer = await get(other, ofDay(`/api/bus-stop/${path}`));
      expect(answer.items, path).toEqual([]);
    }
    expect(await get(other, ofDay('/api/bus-stop/day-laps'))).toMatchObject({
      ...{ pending: false, failure: null },
    });
    const track = await get(other, `/api/workplaces/gps/${busId}?date=${date}`);
    expect(track).toMatchObject({ items: [], halts: [] });
    for (const path of ['', '/history', '/parts']) {
      const answer = await ask(other, ofDay(`/api/workplaces/calculation${path}`));
      expect(answer.status, path).toBe(404);
    }
    expect(await get(other, `/api/bus/info/${busId}?date=${date}`)).toMatchObject({ group: null });
  });

  it(`takes no command of the ${other} customer`, async () => {
    const id = fragments[owner];
    const noFragment: readonly [Method, string, object | undefined][] = [
      ['GET', `/api/segments/${id}`, undefined],
      ['PATCH', `/api/segments/set-downloading/${id}`, undefined],
      ['PUT', `/api/segments/keep/${id}`, { keep: true }],
      ['POST', `/api/segments/reviewed/${id}`, undefined],
      [
        'POST',
        `/api/segments/update-events/${id}`,
        { entered_manual: { adult: 9, kids: null }, exited_manual: { adult: 0, kids: null } },
      ],
      ['PUT', '/api/workplaces/calculation', { workplaceId: busId, date, fare: '1' }],
      ['POST', '/api/workplaces/shift', { workplaceId: busId, date, shift_end: null }],
      ['POST', '/api/workplaces/calculation/recalculate', { workplace_id: busId, date }],
    ];
    for (const [method, url, body] of noFragment) {
      expect(await ask(other, url, method, body), url).toMatchObject({ status: 404 });
    }
    const { start_time, end_time } = await get(owner, `/api/segments/${id}`);
    const refused: readonly [string, object, string][] = [
      [
        '/api/concatenated-medias/merge',
        { deviceId: world.bus.cameras.door1, from: start_time, to: end_time },
        'from',
      ],
      [
        '/api/segments/set-downloading',
        { cameraId: world.bus.cameras.door1, startTime: start_time, endTime: end_time },
        'startTime',
      ],
      [
        `/api/bus-stop/update/${busId}`,
        { dateFrom: LAST_DAY, dateTo: FIRST_DAY, preview: false },
        'dateFrom',
      ],
      [
        `/api/bus-stop/update/${busId}`,
        { dateFrom: date, dateTo: date, preview: true },
        'dateFrom',
      ],
      ['/api/bus-stop/generate', { workplaceId: busId, date, save: false }, 'date'],
    ];
    for (const [url, body, field] of refused) {
      expect(await ask(other, url, 'POST', body), url).toMatchObject({
        status: 400,
        body: { field },
      });
    }
  });

  it('can be worked on by its customer, also after the bus has gone', async () => {
    const id = fragments[owner];
    const counts = {
      entered_manual: { adult: atStop, kids: null },
      exited_manual: { adult: atStop, kids: null },
    };
    const saved = await ask(owner, `/api/segments/update-events/${id}`, 'POST', counts);
    expect(saved.status).toBe(200);
    const body = {
      workplaceId: busId,
      date,
      driver: secrets[owner].driver,
      fare: secrets[owner].fare,
    };
    expect(await ask(owner, '/api/workplaces/calculation', 'PUT', body)).toMatchObject({
      status: 200,
    });
    const range = { dateFrom: date, dateTo: date, preview: true };
    expect(await ask(owner, `/api/bus-stop/update/${busId}`, 'POST', range)).toMatchObject({
      status: 200,
    });
  });
});

describe('a fragment that runs over midnight', () => {
  it('belongs to the customer of its first moment; the people in it to the days on which they passed', async () => {
    const id = fragments.overMidnight;
    const { cameras } = world.bus;
    const listed = async (login: string, date: string) => {
      const day = await get(login, `/api/segments/day-segments?workplaceId=${busId}&date=${date}`);
      const url = `/api/period_list/${cameras.door1}?startdate=${date}&enddate=${date}`;
      const period = await get(login, url);
      return [...day.segments, ...period.items].filter((one: { id: number }) => one.id === id);
    };
    expect(await listed('first', LAST_DAY)).toHaveLength(2);
    expect(await listed('second', FIRST_DAY)).toHaveLength(0);
    expect((await ask('first', `/api/segments/${id}`)).status).toBe(200);
    expect((await ask('second', `/api/segments/${id}`)).status).toBe(404);
    // 3 of the last day and 4 of the first one, beside 1 and 2 at the stops.
    const people = async (login: string, date: string) =>
      (await get(login, `/api/segments/day-segments?workplaceId=${busId}&date=${date}`)).entered
        .adult;
    expect([await people('first', LAST_DAY), await people('second', FIRST_DAY)]).toEqual([4, 6]);
    expect(MIDNIGHT_MS).toBe(Date.parse(`${FIRST_DAY}T00:00:00+03:00`));
  });
});

describe('a bus that has gone', () => {
  it('is in no list, on no map and takes no command, but its page opens at the last own day', async () => {
    const list = await get('first', '/api/bus_list');
    expect(list.items.map(({ id }: { id: number }) => id)).not.toContain(busId);
    const board = await get('first', '/api/bus_list/board');
    expect(board.items.map(({ id }: { id: number }) => id)).not.toContain(busId);
    for (const url of [
      `/api/gps?busId=${busId}`,
      `/api/workplaces/status/${busId}`,
      `/api/live/${world.bus.cameras.cabin}`,
    ]) {
      expect((await ask('first', url)).status, url).toBe(404);
    }
    const info = await get('first', `/api/bus/info/${busId}`);
    expect(info).toMatchObject({
      ...{ id: busId, latest_day: LAST_DAY, last_own_day: LAST_DAY, last_seen_at: null },
    });
    for (const camera of info.cameras) {
      expect(camera).toMatchObject({ liveurl: null, status: 'offline' });
    }
    const now = await get('second', `/api/bus/info/${busId}`);
    expect(now).toMatchObject({ latest_day: FIRST_DAY, last_own_day: null });
  });

  it('is unknown to a customer that never had it', async () => {
    const { db } = server.deps.database;
    const { first, integrator } = world.fleet;
    const giveDays = async (from: number, to: number): Promise<void> => {
      await db
        .updateTable('bus_owners')
        .set({ client_id: to })
        .where('client_id', '=', from)
        .where('workplace_id', '=', busId)
        .execute();
      server.clock.advance(10_000);
    };
    await giveDays(first, integrator);
    expect((await ask('first', `/api/bus/info/${busId}`)).status).toBe(404);
    const url = `/api/segments/day-segments?workplaceId=${busId}&date=${LAST_DAY}`;
    expect((await ask('first', url)).status).toBe(404);
    await giveDays(integrator, first);
  });
});
