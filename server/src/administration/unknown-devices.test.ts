// Devices that knock by several ids, or whose unit has another id by now, and several people who deal with them at once.
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { whileLocked } from '../test/blocked.ts';
import { at, EGTS_DAY_MS, record, sendRecords, startTestEgts } from '../test/egts.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration], { HOST: '127.0.0.1' });
  server.clock.set(EGTS_DAY_MS + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  token = await server.signIn('admin');
});
beforeEach(async () => {
  await server.deps.database.db.deleteFrom('knocks').execute();
});
afterAll(() => server.close());

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  askJson(server, token, method, `/api/admin/${url}`, body);

/** Sends records in a connection, and closes the port: what was heard is noted then. */
async function knock(...sent: Parameters<typeof record>[]): Promise<void> {
  const egts = await startTestEgts(server.deps);
  const link = await egts.open();
  await sendRecords(
    link,
    sent.map((one) => record(...one)),
  );
  await egts.stop();
}

it('a device whose unit is switched off is no news by whatever id it knocks', async () => {
  const [number, imei] = [71_010, '866104029690071'];
  const bus = await insertTestBus(
    server.deps.database.db,
    fleet.first,
    'Автобус 71010',
    'Europe/Moscow',
  );
  const change = { protocol: 'egts', protocol_id: imei, enabled: false };
  expect((await ask('PUT', `units/${bus.unitId}`, change)).status).toBe(200);
  const identity = identitySubrecord({ number, imei, isSimple: true });
  await knock([undefined, [identity], { service: 1 }], [undefined, [at(0)]]);
  expect((await ask('GET', 'unknown-units')).body.items).toEqual([]);
  await ask('PUT', `units/${bus.unitId}`, { protocol: null });
  await knock([undefined, [identity], { service: 1 }], [undefined, [at(0)]]);
  expect((await ask('GET', 'unknown-units')).body.items).toMatchObject([
    { protocol_id: `${number}`, records: 1 },
  ]);
});

it('an id is adopted although the unit that it once was has another id by now', async () => {
  const adopt = async () => {
    await knock([71_001, [at(0)]]);
    const [{ id }] = (await ask('GET', 'unknown-units')).body.items;
    return ask('POST', `unknown-units/${id}/adopt`);
  };
  const names: string[] = [];
  for (const other of ['71901', '71902', '71903']) {
    const { status, body } = await adopt();
    expect([status, body.protocol_id]).toEqual([200, '71001']);
    names.push(body.device_id);
    expect((await ask('PUT', `units/${body.id}`, { protocol_id: other })).status).toBe(200);
  }
  expect(names).toEqual(['egts-71001', 'egts-71001-2', 'egts-71001-3']);
});

it('ids that somebody puts aside are locked in the order in which a process notes them', async () => {
  const { db } = server.deps.database;
  // The later one comes first in the order of their texts.
  for (const object of [71_022, 71_021]) await knock([object, [at(0)]]);
  const { items } = (await ask('GET', 'unknown-units')).body;
  const ids: number[] = items.map(({ id }: { id: number }) => id);
  const lock = (id: string) =>
    db.selectFrom('knocks').select('protocol_id').where('protocol_id', '=', id).forUpdate();
  const several = () => ask('POST', 'unknown-units/several', { ids, change: { ignored: true } });
  const [answer] = await whileLocked(
    db,
    (tx) => tx.executeQuery(lock('71021').compile()),
    [several],
    async () => expect(await lock('71022').skipLocked().execute()).toHaveLength(1),
  );
  expect(answer).toMatchObject({ status: 200, body: { changed: 2 } });
});
