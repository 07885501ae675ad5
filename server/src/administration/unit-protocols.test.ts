// The protocols of units in the administration: each with an id of its own form and settings of its own, told as weak.
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { noteRefused } from '../core/refused-senders.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, ofAnotherProcess, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const RANDOM_ID = /^[0-9a-f]{32}$/;
let server: TestServer;
let fleet: TestFleet;
let admin: string;
let integrator: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration], {
    JT1078_PORT: '0',
    PUBLIC_URL: 'https://bus.example',
    EGTS_FROM: '10.0.0.0/8',
    JT808_FROM: '10.0.0.0/8',
    JT808_PORT: '0',
  });
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  admin = await server.signIn('admin');
  integrator = await server.signIn('integrator');
});
afterAll(() => server.close());

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  askJson(server, admin, method, `/api/admin/${url}`, body);

let units = 0;
async function freshUnit() {
  units += 1;
  const { db } = server.deps.database;
  const { unitId } = await insertTestBus(db, fleet.first, `Борт ${units}`, 'Europe/Moscow');
  const change = (body: object) => ask('PUT', `units/${unitId}`, body);
  return { unitId, change };
}

describe('a unit of another protocol', () => {
  const keysOf = async (unitId: number) => {
    const { body } = await ask('GET', `units/${unitId}`);
    return [body.credentials, body.credential_issued_at];
  };

  it('gets no credential, which it does not need, until it speaks the unit interface', async () => {
    const egts = { device_id: 'no-key', protocol: 'egts', protocol_id: '4100' };
    const { status, body } = await ask('POST', 'units', egts);
    expect([status, body.credential]).toEqual([200, null]);
    const { id } = body.unit;
    expect(await keysOf(id)).toEqual([0, null]);
    expect((await ask('PUT', `units/${id}`, { protocol: null })).status).toBe(200);
    expect(await keysOf(id)).toEqual([0, null]);
    const issued = await ask('POST', `units/${id}/credential`);
    expect(issued.body.credential).toMatch(/^rwu_/);
  });
});

describe('the settings of a protocol', () => {
  it('are changed by administrators only, and the refusal says so', async () => {
    const { unitId } = await freshUnit();
    const url = `/api/admin/units/${unitId}`;
    const { status, body } = await askJson(server, integrator, 'PUT', url, { jt808_door: 2 });
    expect([status, body.field, body.message]).toEqual([
      ...[403, 'jt808_door', "Only administrators may change a unit's protocol."],
    ]);
  });

  it('are those of its standard until somebody changes one, and stay with the unit', async () => {
    const { unitId, change } = await freshUnit();
    const { body } = await change({ protocol: 'jt808', protocol_id: '13912345678' });
    expect(body).toMatchObject({ jt808_clock_hours: 8, jt808_door: 1, osmand_speed: 'knots' });
    const seen = { jt808_clock_hours: 8, jt808_door: 1, jt808_uploads: 'any' };
    const set = { jt808_clock_hours: 3, jt808_door: 2, jt808_uploads: 'wifi' };
    expect((await change({ ...set, seen })).body).toMatchObject(set);
    expect((await change({ osmand_speed: 'kmh' })).body).toMatchObject({
      ...{ ...set, osmand_speed: 'kmh', egts_counts: 'delta' },
    });
    const { rows } = await sql`select protocol_settings from units where id = ${unitId}`.execute(
      server.deps.database.db,
    );
    // Each decoder reads its own of them.
    const stored = { clock_hours: 3, door: 2, uploads: 'wifi', speed: 'kmh' };
    expect(rows).toEqual([{ protocol_settings: stored }]);
  });

  it.each([
    ['jt808_clock_hours', 15],
    ['jt808_clock_hours', 3.5],
    ['jt808_door', 0],
    ['jt808_door', 9],
    ['jt808_uploads', 'lan'],
    ['osmand_speed', 'mph'],
    ['egts_counts', 'both'],
  ])('%s cannot be %s', async (field, value) => {
    const { change } = await freshUnit();
    const { status, body } = await change({ [field]: value });
    expect([status, body.field]).toEqual([400, field]);
  });
});

describe('the id of a unit', () => {
  it.each([
    ['egts', 'bus-1', 'from 1 to 4294967295, or an IMEI of 14 or 15 digits'],
    ['egts', '4294967296', 'from 1 to 4294967295, or an IMEI of 14 or 15 digits'],
    ['jt808', '013912345678', 'the number of the terminal without zeros before it'],
    ['jt808', 'phone', 'the number of the terminal without zeros before it'],
    ['jt808', '4EB6FB4AFD9E', 'the number of the terminal without zeros before it'],
    ['osmand', 'мой', 'Latin letters, digits and . : @ _ -'],
  ])('of %s cannot be %s, and the answer says why', async (protocol, protocol_id, why) => {
    const { change } = await freshUnit();
    const { status, body } = await change({ protocol, protocol_id });
    expect([status, body.field]).toEqual([400, 'protocol_id']);
    expect(body.message).toContain(why);
  });

  it('stays in a form that was taken before, until somebody writes another', async () => {
    const { unitId, change } = await freshUnit();
    await sql`update units set protocol = 'egts', protocol_id = '4294967296' where id = ${unitId}`.execute(
      server.deps.database.db,
    );
    const kept = await change({ egts_counts: 'cumulative', protocol_id: '4294967296' });
    expect(kept).toMatchObject({ status: 200, body: { protocol_id: '4294967296' } });
    expect((await change({ protocol_id: '4294967297' })).status).toBe(400);
  });

  it.each([
    ['egts', '012345678901234'],
    ['egts', '133552'],
    ['jt808', '13912345000'],
    ['jt808', '4eb6fb4afd9e'],
    ['osmand', 'phone-7'],
  ])('of %s can be %s', async (protocol, protocol_id) => {
    const { change } = await freshUnit();
    expect((await change({ protocol, protocol_id })).body).toMatchObject({ protocol, protocol_id });
  });

  it('is of its protocol: two protocols may have the same number', async () => {
    const [one, other] = [await freshUnit(), await freshUnit()];
    expect((await one.change({ protocol: 'egts', protocol_id: '500' })).status).toBe(200);
    expect((await other.change({ protocol: 'jt808', protocol_id: '500' })).status).toBe(200);
    const taken = await other.change({ protocol: 'egts', protocol_id: '500' });
    expect([taken.status, taken.body.field]).toEqual([409, 'protocol_id']);
  });

  it('is checked again when the unit gets another protocol, and finds the unit', async () => {
    const { unitId, change } = await freshUnit();
    await change({ protocol: 'osmand', protocol_id: 'van-5150' });
    const changed = await change({ protocol: 'jt808' });
    expect([changed.status, changed.body.field]).toEqual([400, 'protocol_id']);
    await change({ protocol: 'jt808', protocol_id: '51505150' });
    const found = await ask('GET', 'units?search=51505');
    expect(found.body.items).toMatchObject([{ id: unitId, protocol: 'jt808' }]);
  });
});

describe('a new unit', () => {
  const create = (body: object, token = admin) =>
    askJson(server, token, 'POST', '/api/admin/units', { client_id: fleet.first, ...body });

  it('is created with its protocol, its id and its settings', async () => {
    const spoken = { protocol: 'jt808', protocol_id: '6001', jt808_door: 2 };
    const { body } = await create({ device_id: 'new-1', ...spoken });
    expect(body.unit).toMatchObject({ ...spoken, jt808_clock_hours: 8 });
    const phone = await create({ device_id: 'new-2', protocol: 'osmand', protocol_id: null });
    expect(phone.body.unit.protocol_id).toMatch(RANDOM_ID);
    const { rows } = await sql`select after from audit_log
      where action = 'create_unit' and object_id = ${String(body.unit.id)}`.execute(
      server.deps.database.db,
    );
    expect(rows).toMatchObject([{ after: spoken }]);
  });

  it.each([
    [{ protocol: 'egts' }, 400, 'protocol_id'],
    [{ protocol: 'egts', protocol_id: 'A7' }, 400, 'protocol_id'],
    [{ protocol_id: '6003' }, 400, 'protocol'],
    [{ protocol: 'jt808', protocol_id: '6001' }, 409, 'protocol_id'],
  ])('is not created with %j', async (spoken, status, field) => {
    const answer = await create({ device_id: 'new-3', ...spoken });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  it('of an integrator has no other protocol', async () => {
    const { status, body } = await create({ device_id: 'new-4', protocol: 'osmand' }, integrator);
    expect([status, body.field]).toEqual([403, 'protocol']);
    const own = await create({ device_id: 'new-4', protocol: null }, integrator);
    expect([own.status, own.body.unit.protocol]).toEqual([200, null]);
  });
});

describe('the id of a phone', () => {
  it('is 128 random bits that the server makes when nobody gives one', async () => {
    const [one, other] = [await freshUnit(), await freshUnit()];
    const made = (await one.change({ protocol: 'osmand' })).body;
    const second = (await other.change({ protocol: 'osmand', protocol_id: null })).body;
    expect([made.protocol_id, second.protocol_id]).toEqual([
      expect.stringMatching(RANDOM_ID),
      expect.stringMatching(RANDOM_ID),
    ]);
    expect(made.protocol_id).not.toBe(second.protocol_id);
    const { rows } = await sql`select after from audit_log
      where action = 'set_unit' and object_id = ${String(one.unitId)}`.execute(
      server.deps.database.db,
    );
    expect(rows).toEqual([{ after: { protocol: 'osmand', has_new_id: true } }]);
  });

  it('is in no row of the audit log: anybody who learns it can send for the bus', async () => {
    const { unitId, change } = await freshUnit();
    const ids = ['phone-audit-1', 'phone-audit-2'];
    await change({ protocol: 'osmand', protocol_id: ids[0] });
    await change({ protocol_id: ids[1] });
    await change({ protocol: 'jt808', protocol_id: '6100' });
    const { body } = await ask('POST', 'units', {
      ...{ device_id: 'audited-phone', client_id: fleet.first, protocol: 'osmand' },
    });
    const { db } = server.deps.database;
    const { rows } = await sql`select before, after from audit_log
      where object_type = 'unit' and object_id = ${String(unitId)} order by id`.execute(db);
    expect(rows).toEqual([
      {
        before: { protocol: null, protocol_id: null },
        after: { protocol: 'osmand', has_new_id: true },
      },
      { before: {}, after: { has_new_id: true } },
      { before: { protocol: 'osmand' }, after: { protocol: 'jt808', protocol_id: '6100' } },
    ]);
    for (const id of [...ids, body.unit.protocol_id]) {
      const found = await sql`select from audit_log
        where concat(before, after) like ${`%${id}%`}`.execute(db);
      expect(found.rows).toEqual([]);
    }
  });

  it('takes the place of the number of another protocol', async () => {
    const { change } = await freshUnit();
    await change({ protocol: 'egts', protocol_id: '777' });
    const { body } = await change({ protocol: 'osmand' });
    expect(body.protocol_id).toMatch(RANDOM_ID);
  });

  it('is made anew for one that got known, and stays otherwise', async () => {
    const { change } = await freshUnit();
    const { protocol_id: first } = (await change({ protocol: 'osmand' })).body;
    expect((await change({ protocol: 'osmand', osmand_speed: 'ms' })).body.protocol_id).toBe(first);
    const anew = (await change({ protocol_id: null, seen: { protocol_id: first } })).body;
    expect(anew.protocol_id).toMatch(RANDOM_ID);
    expect(anew.protocol_id).not.toBe(first);
    // The same request once more has seen an older one.
    expect((await change({ protocol_id: null, seen: { protocol_id: first } })).status).toBe(409);
  });
});

it('units that are known by an id alone can be listed', async () => {
  const { change, unitId } = await freshUnit();
  const listed = async (): Promise<AdminUnit[]> =>
    (await ask('GET', 'units?state=weak_identity&perPage=100')).body.items;
  const before = await listed();
  expect(before.every(({ protocol }) => protocol !== null)).toBe(true);
  await change({ protocol: 'osmand' });
  expect((await listed()).map(({ id }) => id)).toContain(unitId);
  await change({ protocol: null });
  expect(await listed()).toHaveLength(before.length);
});

describe('where units of other protocols send', () => {
  const none = { is_limited: false, closed: null, last_refused: null };

  it('is told to administrators and integrators, with which ports are open and limited', async () => {
    const at = sql<Date>`now()`;
    const closed = { port: 20_332, reason: 'taken', since: at, tried_at: at };
    const listeners = ['egts', 'ftp'].map((listener) => ({ ...closed, listener }));
    await server.deps.database.db.insertInto('closed_ports').values(listeners).execute();
    const { status, body } = await ask('GET', 'unit-ports');
    expect([status, body]).toEqual([
      200,
      {
        public_url: 'https://bus.example',
        protocols: [
          { ...none, protocol: 'egts', port: 20_332, is_limited: true, closed: 'taken' },
          { ...none, protocol: 'jt808', port: null, is_limited: true },
          { ...none, protocol: 'osmand', port: null },
        ],
        closed_video_ports: [{ listener: 'ftp', port: 20_332, reason: 'taken' }],
        off_video_ports: ['jt1078'],
      },
    ]);
    const other = await askJson(server, integrator, 'GET', '/api/admin/unit-ports');
    expect(other.body).toEqual(body);
    const first = await server.signIn('first');
    expect((await askJson(server, first, 'GET', '/api/admin/unit-ports')).status).toBe(403);
  });

  it('is told to administrators with the address that was refused last', async () => {
    // Another process has the ports.
    const ofIngest = { ...server.deps, ...ofAnotherProcess(server) };
    noteRefused(ofIngest, 'egts', '192.0.2.1');
    server.clock.advance(5000);
    noteRefused(ofIngest, 'egts', '203.0.113.9');
    noteRefused(ofIngest, 'egts', '192.0.2.2');
    // It is not limited any more.
    noteRefused(ofIngest, 'osmand', '192.0.2.3');
    noteRefused(ofIngest, 'jt808', '192.0.2.4');
    server.clock.advance(1000);
    noteRefused(ofIngest, 'ftp', '203.0.113.10');
    const refusedOf = async (token: string) => {
      const { body } = await askJson(server, token, 'GET', '/api/admin/unit-ports');
      return body.protocols.map(({ last_refused }: { last_refused: unknown }) => last_refused);
    };
    const at = expect.stringMatching(/Z$/);
    const told = [{ address: '203.0.113.9', at }, { address: '203.0.113.10', at }, null];
    await vi.waitFor(async () => expect(await refusedOf(admin)).toEqual(told));
    expect(await refusedOf(integrator)).toEqual([null, null, null]);
    const refused_at = new Date(server.clock.nowMs() - 3_600_000);
    await server.deps.database.db.updateTable('refused_senders').set({ refused_at }).execute();
    expect(await refusedOf(admin)).toEqual([null, null, null]);
  });
});

describe('an unknown id', () => {
  const knock = async (protocol: string, protocol_id: string) => {
    const { rows } = await sql<{ id: number }>`insert into unknown_units
      (protocol, protocol_id, address, first_at, last_at, records, sent_time, latitude, longitude)
      values (${protocol}, ${protocol_id}, '10.0.0.7', now(), now(), 3, now(), 55.7, 37.6)
      returning id`.execute(server.deps.database.db);
    return rows[0]?.id ?? 0;
  };

  it.each([
    ['egts', '733552', 'egts-733552'],
    ['jt808', '73912345678', 'jt808-73912345678'],
  ])(
    'of %s becomes a unit of this name by one call: %s',
    async (protocol, protocol_id, device_id) => {
      const id = await knock(protocol, protocol_id);
      expect(await ask('POST', `unknown-units/${id}/adopt`)).toMatchObject({
        ...{ status: 200, body: { protocol, protocol_id, device_id, bus: null } },
      });
    },
  );

  it.each(['driver@example.com', 'a'.repeat(64)])(
    'of a phone is neither the name of its unit nor in the audit log: %s',
    async (protocol_id) => {
      const id = await knock('osmand', protocol_id);
      await ask('PUT', `unknown-units/${id}`, { ignored: true });
      expect(await ask('POST', `unknown-units/${id}/adopt`)).toMatchObject({
        ...{ status: 200, body: { protocol_id, device_id: `osmand-${id}`, bus: null } },
      });
      const { rows } = await sql`select from audit_log
      where concat(before, after) like ${`%${protocol_id}%`}`.execute(server.deps.database.db);
      expect(rows).toEqual([]);
    },
  );

  it.each([
    ['egts', 'A7'],
    ['jt808', '007'],
    ['osmand', 'мой телефон'],
  ])('of %s that has no right form stays where it is: %s', async (protocol, protocol_id) => {
    const id = await knock(protocol, protocol_id);
    const { status, body } = await ask('POST', `unknown-units/${id}/adopt`);
    expect([status, body.field]).toEqual([409, 'protocol_id']);
    expect((await ask('GET', `unknown-units/${id}`)).body).toMatchObject({ protocol_id });
  });
});
