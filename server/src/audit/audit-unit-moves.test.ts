// A unit that moves is the history of three objects: its own, that of the bus which it left, and that of its new one.
import type { AuditAction } from '@ridewatch/contract/action-words';
import type { AuditRow } from '@ridewatch/contract/admin-audit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertAudit } from '../core/audit.ts';
import { readCsv } from '../test/csv-rows.ts';
import { deleteTestUnit, insertTestBus, type TestBus } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

let server: TestServer;
let admin: string;
/** A bus that has a unit, and one that has none. */
let from: TestBus;
let to: TestBus;
beforeAll(async () => {
  const whole = await createWholeServer(Date.parse('2026-11-20T09:00:00Z'));
  server = whole.server;
  admin = await server.signIn('admin');
  const { db } = server.deps.database;
  from = await insertTestBus(db, whole.fleet.first, 'О 203 РМ', 'Europe/Moscow');
  to = await insertTestBus(db, whole.fleet.first, 'Т 514 КХ', 'Europe/Moscow');
  await deleteTestUnit(db, to.unitId);
});
afterAll(() => server.close());
beforeEach(async () => {
  await sql`delete from audit_log`.execute(server.deps.database.db);
});

const get = (path: string) =>
  server.app.inject({ url: path, headers: { authorization: `Bearer ${admin}` } });

/** Lists what is found as the command and the type of its object, the latest first. */
const found = async (query: string): Promise<readonly string[]> => {
  const { items } = (await get(`/api/admin/audit?${query}`)).json<{ items: AuditRow[] }>();
  return items.map(({ action, object_type }) => `${action} ${object_type}`);
};
const ofBus = (busId: number, more = '') => found(`objectType=workplace&objectId=${busId}${more}`);
const called = (name: string, more = '') => found(`search=${encodeURIComponent(name)}${more}`);

async function move(busId: number | null): Promise<void> {
  const { status } = await askJson(server, admin, 'PUT', `/api/admin/units/${from.unitId}`, {
    bus_id: busId,
  });
  expect(status).toBe(200);
}

/** Writes an entry about a unit that is no longer there. */
const log = (action: AuditAction, entry: { before?: object; after?: object }) =>
  insertAudit(
    server.deps.database.db,
    { atMs: server.clock.nowMs() },
    { ...{ action, objectType: 'unit', objectId: 999 }, ...entry },
  );

describe('the move of a unit', () => {
  beforeEach(async () => {
    await move(to.busId);
    await move(from.busId);
  });

  it('is in the log of the bus that it left and of the bus to which it came', async () => {
    for (const { busId } of [from, to]) {
      expect(await ofBus(busId)).toEqual(['move_unit unit', 'move_unit unit']);
    }
    expect(await ofBus(777_000)).toEqual([]);
  });

  it('is found by the name of either bus', async () => {
    for (const name of ['О 203 РМ', 'т514кх']) {
      expect(await called(name)).toEqual(['move_unit unit', 'move_unit unit']);
    }
  });

  it('is still narrowed by the other filters, and by a search in the log of the bus', async () => {
    const { busId } = from;
    expect(await ofBus(busId, '&action=set_unit')).toEqual([]);
    expect(await ofBus(busId, '&to=2020-01-01')).toEqual([]);
    expect(await ofBus(busId, `&search=unit-${busId}`)).toHaveLength(2);
    expect(await ofBus(busId, '&search=nothing')).toEqual([]);
    expect(await called('О 203 РМ', '&objectType=camera')).toEqual([]);
  });
});

describe('the log of a bus', () => {
  it('has its own entries and those of units that came, left, were created or deleted in it, each once', async () => {
    const { busId } = from;
    const bus = { id: busId, name: 'О 203 РМ' };
    await log('create_unit', { after: { device_id: 'A', bus } });
    await log('set_unit', { before: { device_id: 'A' }, after: { device_id: 'B' } });
    await log('move_unit', { before: { bus }, after: { bus: null } });
    await log('move_unit', { before: { bus: null }, after: { bus } });
    await log('delete_unit', { before: { device_id: 'C', bus } });
    const own = { action: 'set_bus', objectType: 'workplace', objectId: busId } as const;
    await insertAudit(server.deps.database.db, { atMs: server.clock.nowMs() }, own);
    const rows = [
      ...['set_bus workplace', 'delete_unit unit', 'move_unit unit', 'move_unit unit'],
      'create_unit unit',
    ];
    expect(await ofBus(busId)).toEqual(rows);
    expect(await found(`objectType=workplace&objectId=${busId}&perPage=2`)).toHaveLength(2);
  });

  it('has the same rows as a file', async () => {
    const { busId } = from;
    await log('move_unit', { before: { bus: { id: busId } }, after: { bus: null } });
    const query = `objectType=workplace&objectId=${busId}&format=csv&language=en_US`;
    const { body } = await get(`/api/admin/audit/export?${query}`);
    const rows = readCsv(body.replace('\ufeff', ''), ',').map(({ row }) => row[3]);
    expect(rows.slice(1)).toEqual(['move_unit']);
  });

  it('has what concerns a bus, not other objects with the same number', async () => {
    const { busId } = from;
    const other = { action: 'set_camera', objectType: 'camera', objectId: busId } as const;
    await insertAudit(server.deps.database.db, { atMs: server.clock.nowMs() }, other);
    expect(await ofBus(busId)).toEqual([]);
  });
});
