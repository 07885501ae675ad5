// A bus whose unit has moved away has no unit: nobody may say that it was never heard.
import { randomUUID } from 'node:crypto';
import type { Bus, BusInfo, BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf } from '@ridewatch/contract/day';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bumpDays } from '../days/bus-days.ts';
import { deleteTestUnit, insertTestBus, type TestBus, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const NOW_MS = Date.parse('2026-11-29T20:30:00Z');
let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  for (const login of ['admin', 'first']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

let from: TestBus;
let to: TestBus;
beforeEach(async () => {
  [from, to] = [await freshBus(), await freshBus()];
  await deleteTestUnit(server.deps.database.db, to.unitId);
});

const freshBus = () =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`, 'Europe/Moscow');

const ask = (method: 'GET' | 'PUT', url: string, body?: object, login = 'first') =>
  askJson(server, tokens[login], method, url, body);

/** Moves the unit as it is, heard or not. */
async function move(busId: number | null): Promise<void> {
  const moved = await ask('PUT', `/api/admin/units/${from.unitId}`, { bus_id: busId }, 'admin');
  expect([moved.status, moved.body]).toMatchObject([200, { id: from.unitId }]);
}
const hear = () =>
  server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(server.clock.nowMs()) })
    .where('id', '=', from.unitId)
    .execute();

/** A bus in the list and on its page: both say the same. */
async function unitOf(busId: number): Promise<Bus['without_unit'] | undefined> {
  // Past the age of a cached answer.
  server.clock.advance(10_000);
  const list = (await ask('GET', '/api/bus_list')).body as BusList;
  const info = (await ask('GET', `/api/bus/info/${busId}`)).body as BusInfo;
  const listed = list.items.find(({ id }) => id === busId);
  expect(listed?.without_unit).toEqual(info.without_unit);
  return info.without_unit;
}

it('says since when its unit is gone, until another one comes', async () => {
  expect(await unitOf(from.busId)).toBeNull();
  await hear();
  const leftMs = server.clock.nowMs();
  await move(to.busId);
  expect(await unitOf(from.busId)).toEqual({ since: new Date(leftMs).toISOString() });
  expect(await unitOf(to.busId)).toBeNull();
  await move(from.busId);
  expect(await unitOf(from.busId)).toBeNull();
});

it('says only that it has no unit where none has ever recorded anything in it', async () => {
  expect(await unitOf(to.busId)).toEqual({ since: null });
  await move(null);
  expect(await unitOf(from.busId)).toEqual({ since: null });
});

it('says nothing of the unit to a customer from whom the bus has passed', async () => {
  const today = dayOf(NOW_MS, 'Europe/Moscow');
  await bumpDays(server.deps.database.db, from.busId, [addDays(today, -1), today]);
  await hear();
  await move(null);
  const passed = { client_ids: [fleet.second] };
  const answer = await ask('PUT', `/api/admin/buses/${from.busId}`, passed, 'admin');
  expect(answer.status).toBe(200);
  server.clock.advance(10_000);
  const info = await ask('GET', `/api/bus/info/${from.busId}`);
  expect(info.body).toMatchObject({ last_own_day: today, without_unit: null });
});
