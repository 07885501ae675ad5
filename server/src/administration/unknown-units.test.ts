// Ids of EGTS that no unit has: administrators see them, make units of them, or say that they are none of theirs.
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { createKnocks } from '../ingest/by-id/knocks.ts';
import { readPositionColumns } from '../positions/read.ts';
import { at, EGTS_DAY_MS, record, sendRecords, startTestEgts } from '../test/egts.ts';
import { deleteTestUnit, insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { listPositions } from '../test/positions.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

/** Within this a process knows of an adopted unit, ms. */
const KNOWN_MS = 3000;

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration], { HOST: '127.0.0.1' });
  server.clock.set(EGTS_DAY_MS + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  for (const login of ['admin', 'integrator']) tokens[login] = await server.signIn(login);
});
beforeEach(async () => {
  await server.deps.database.db.deleteFrom('knocks').execute();
});
afterAll(() => server.close());

const ask = (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
  login: 'admin' | 'integrator' = 'admin',
) => askJson(server, tokens[login], method, `/api/admin${url === '' ? '' : `/${url}`}`, body);

/** Sends records in a connection, and closes the port: what was heard is noted then. */
async function knock(...sent: Parameters<typeof record>[]): Promise<number[]> {
  const egts = await startTestEgts(server.deps);
  const link = await egts.open();
  const { records } = await sendRecords(
    link,
    sent.map((one) => record(...one)),
  );
  await egts.stop();
  return records;
}

describe('an id that knocks', () => {
  it('is listed with what it sent last, and nothing of it is stored', async () => {
    expect(await knock([70_001, [at(0)]], [70_001, [at(10)]], [70_002, []])).toEqual([
      153, 153, 153,
    ]);
    server.clock.advance(60_000);
    const identity = identitySubrecord({ number: 0, imei: '866104029690008', isSimple: true });
    await knock([undefined, [identity], { service: 1 }], [70_001, [at(20, { isValid: false })]]);
    const { body } = await ask('GET', 'unknown-units?sortBy=protocol_id&sortType=ASC');
    const now = new Date(server.clock.nowMs()).toISOString();
    expect(body.items).toMatchObject([
      {
        ...{ protocol: 'egts', protocol_id: '70001', address: '127.0.0.1', records: 3 },
        ...{ sent_time: '2026-11-20T08:00:10.000Z', latitude: 55.7001, longitude: 37.6 },
        last_at: now,
      },
      { protocol_id: '70002', records: 1, sent_time: null, latitude: null, longitude: null },
      { protocol_id: '866104029690008', records: 0, first_at: now },
    ]);
    expect((await ask('GET', '')).body.sections).toContainEqual({
      ...{ section: 'unknown_units', count: 3 },
    });
  });

  it('becomes a spare unit by one call; then its records are stored, and go to a bus', async () => {
    await knock([70_010, [at(0)]]);
    const [{ id }] = (await ask('GET', 'unknown-units')).body.items;
    const adopted = await ask('POST', `unknown-units/${id}/adopt`);
    expect(adopted).toMatchObject({
      status: 200,
      body: {
        device_id: 'egts-70010',
        protocol: 'egts',
        protocol_id: '70010',
        bus: null,
        credentials: 0,
      },
    });
    expect((await ask('GET', 'unknown-units')).body.items).toEqual([]);
    const again = await ask('POST', `unknown-units/${id}/adopt`);
    expect(again).toMatchObject({
      status: 409,
      body: {
        field: 'protocol_id',
        current: { id: adopted.body.id, device_id: 'egts-70010' },
      },
    });
    server.clock.advance(KNOWN_MS);
    expect(await knock([70_010, [at(0)]], [70_010, [at(5)]])).toEqual([0, 0]);
    const unitId = adopted.body.id;
    const { db } = server.deps.database;
    const positions = await listPositions(db, unitId, 0, Date.UTC(2100));
    expect(positions).toHaveLength(2);
    const bus = await insertTestBus(db, fleet.first, 'Автобус 70010', 'Europe/Moscow');
    await deleteTestUnit(db, bus.unitId);
    expect((await ask('PUT', `units/${unitId}`, { bus_id: bus.busId })).status).toBe(200);
    const { timeMs } = await readPositionColumns(db, bus.busId, 0, Date.UTC(2100));
    expect([...timeMs].sort()).toEqual([EGTS_DAY_MS, EGTS_DAY_MS + 5000]);
    const { rows } = await sql`select after from audit_log
      where action = 'create_unit' and object_id = ${String(unitId)}`.execute(
      server.deps.database.db,
    );
    expect(rows).toMatchObject([{ after: { protocol: 'egts', protocol_id: '70010' } }]);
  });

  it('is unknown no more once a unit has it, in whatever way it got it, and again when it knocks after that', async () => {
    const { db } = server.deps.database;
    await knock([70_050, [at(0)]]);
    const [{ id }] = (await ask('GET', 'unknown-units')).body.items;
    const bus = await insertTestBus(db, fleet.first, 'Автобус 70050', 'Europe/Moscow');
    await ask('PUT', `units/${bus.unitId}`, { protocol: 'egts', protocol_id: '70050' });
    const seen = async () => [
      (await ask('GET', 'unknown-units')).body.total,
      (await ask('GET', '')).body.sections.find(
        ({ section }: { section: string }) => section === 'unknown_units',
      ).count,
      (await ask('GET', `unknown-units/${id}`)).status,
      (await ask('PUT', `unknown-units/${id}`, { ignored: true })).status,
    ];
    expect(await seen()).toEqual([0, 0, 404, 404]);
    await ask('PUT', `units/${bus.unitId}`, { protocol_id: '70051' });
    expect(await seen()).toEqual([0, 0, 404, 404]);
    await knock([70_050, [at(0)]]);
    expect((await ask('GET', 'unknown-units')).body.items).toMatchObject([
      { protocol_id: '70050', records: 1 },
    ]);
    await ask('PUT', `units/${bus.unitId}`, { protocol_id: '70050' });
    await deleteTestUnit(db, bus.unitId);
    expect((await ask('GET', 'unknown-units')).body.total).toBe(0);
  });

  it('that knocked while it was adopted is not listed afterwards', async () => {
    const { db } = server.deps.database;
    await knock([70_060, [at(0)]]);
    const bus = await insertTestBus(db, fleet.first, 'Автобус 70060', 'Europe/Moscow');
    const knocks = createKnocks(server.deps, 'egts');
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('units')
        .set({ protocol: 'egts', protocol_id: '70060' })
        .where('id', '=', bus.unitId)
        .execute();
      // The process writes what it heard before the change is there for others.
      knocks.note('70060', '127.0.0.1', 1);
      await knocks.close();
    });
    expect((await ask('GET', 'unknown-units')).body.total).toBe(0);
  });

  it('that is none of ours is left out of what needs attention until somebody wants it', async () => {
    await knock([70_020, []]);
    const [{ id }] = (await ask('GET', 'unknown-units?state=new')).body.items;
    const ignored = await ask('PUT', `unknown-units/${id}`, { ignored: true });
    expect(ignored).toMatchObject({ status: 200, body: { ignored: true } });
    await knock([70_020, []]);
    expect((await ask('GET', 'unknown-units?state=new')).body.total).toBe(0);
    expect((await ask('GET', 'unknown-units?state=ignored')).body.items).toMatchObject([
      { protocol_id: '70020', records: 2 },
    ]);
  });

  it('that is none of ours is put aside with others at once, and one that is gone is passed over', async () => {
    await knock([70_021, []], [70_022, []], [70_023, []]);
    const { items } = (await ask('GET', 'unknown-units')).body;
    const ids: number[] = items.map(({ id }: { id: number }) => id);
    await ask('PUT', `unknown-units/${ids[0]}`, { ignored: true });
    await ask('POST', `unknown-units/${ids[1]}/adopt`);
    const several = { ids, change: { ignored: true } };
    const changed = { changed: 1, changed_ids: [ids[2]] };
    const preview = await ask('POST', 'unknown-units/several', { ...several, preview: true });
    expect(preview.body).toMatchObject(changed);
    expect((await ask('GET', 'unknown-units?state=new')).body.total).toBe(1);
    expect((await ask('POST', 'unknown-units/several', several)).body).toMatchObject(changed);
    expect((await ask('GET', 'unknown-units?state=new')).body.total).toBe(0);
    const { rows } = await sql`select object_id, after from audit_log
      where action = 'ignore_unknown_unit' order by id desc limit 1`.execute(
      server.deps.database.db,
    );
    expect(rows).toMatchObject([{ object_id: `${ids[2]}`, after: { ignored: true } }]);
  });

  it('of a unit that is switched off is no news', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, 'Автобус 70030', 'Europe/Moscow');
    await ask('PUT', `units/${bus.unitId}`, { protocol: 'egts', protocol_id: '70030' });
    await ask('PUT', `units/${bus.unitId}`, { enabled: false });
    expect(await knock([70_030, [at(0)]])).toEqual([153]);
    expect((await ask('GET', 'unknown-units')).body.total).toBe(0);
  });

  it('is one of at most 500, those that were heard last', async () => {
    const { db } = server.deps.database;
    await sql`insert into knocks (protocol, protocol_id, address, first_at, last_at, records)
      select 'egts', n::text, '', now, now, 1 from generate_series(80001, 80600) as n,
        lateral (select ${new Date(EGTS_DAY_MS)}::timestamptz + n * interval '1 ms' as now) as t`.execute(
      db,
    );
    await knock([70_040, []]);
    const { body } = await ask('GET', 'unknown-units?perPage=1');
    expect([body.total, body.items[0].protocol_id]).toEqual([500, '70040']);
  });

  it('is kept although another address names thousands, which replaces its own first', async () => {
    const { db } = server.deps.database;
    const known = (ids: string, address: string, atMs: number) =>
      sql`insert into knocks (protocol, protocol_id, address, first_at, last_at, records)
        select 'egts', n::text, ${address}, now, now, 1 from ${sql.raw(ids)} as n,
          lateral (select ${new Date(atMs)}::timestamptz + n * interval '1 ms' as now) as t`.execute(
        db,
      );
    await known('generate_series(1, 3)', '10.0.0.1', EGTS_DAY_MS);
    await known('generate_series(81001, 81600)', '10.0.0.2', EGTS_DAY_MS + 60_000);
    const knocks = createKnocks(server.deps, 'egts');
    for (let id = 82_001; id <= 82_400; id += 1) knocks.note(`${id}`, '10.0.0.2', 1);
    knocks.note('4', '10.0.0.3', 1);
    await knocks.close();
    const { body } = await ask('GET', 'unknown-units?sortBy=protocol_id&sortType=ASC&perPage=100');
    expect(body.total).toBe(500);
    const few = await ask('GET', 'unknown-units?search=10.0.0.1');
    expect(few.body.items.map((one: { protocol_id: string }) => one.protocol_id).sort()).toEqual([
      ...['1', '2', '3'],
    ]);
    expect((await ask('GET', 'unknown-units?search=10.0.0.3')).body.total).toBe(1);
    // Those of the other address that were heard last.
    expect((await ask('GET', 'unknown-units?search=82001')).body.total).toBe(0);
    expect((await ask('GET', 'unknown-units?search=82199')).body.total).toBe(1);
  });

  it('is kept although another network has an address for each of its ids', async () => {
    const { db } = server.deps.database;
    const last = new Date(server.clock.nowMs() + 60_000);
    await sql`insert into knocks (protocol, protocol_id, address, first_at, last_at, records)
      select 'egts', n::text, '2001:db8:0:1::' || to_hex(n), ${last}, ${last}, 1
      from generate_series(1, 600) as n`.execute(db);
    const knocks = createKnocks(server.deps, 'egts');
    for (let id = 1001; id <= 1400; id += 1) knocks.note(`${id}`, `2001:db8:0:1:a::${id}`, 1);
    knocks.note('5', '2001:db8:0:2::1', 1);
    knocks.note('6', 'no address', 1);
    for (const id of ['7', '8']) knocks.note(id, `::ffff:10.0.0.${id}`, 1);
    await knocks.close();
    expect((await ask('GET', 'unknown-units?search=2001:db8:0:2::1')).body.total).toBe(1);
    expect((await ask('GET', 'unknown-units?search=no+address')).body.total).toBe(1);
    expect((await ask('GET', 'unknown-units?search=10.0.0.')).body.total).toBe(2);
    expect((await ask('GET', 'unknown-units')).body.total).toBe(500);
  });
});

describe('the protocol of a unit', () => {
  const unit = async () => {
    const name = `Автобус ${Math.random()}`;
    return insertTestBus(server.deps.database.db, fleet.first, name, 'Europe/Moscow');
  };

  it('is given, changed and taken away by an administrator', async () => {
    const { unitId } = await unit();
    const change = (body: object) => ask('PUT', `units/${unitId}`, body);
    const given = await change({ protocol: 'egts', protocol_id: '90001' });
    expect(given.body).toMatchObject({
      ...{ protocol: 'egts', protocol_id: '90001', egts_counts: 'delta' },
      ...{ egts_raw_flag: 'low', egts_module_bytes: 'little' },
    });
    const seen = { egts_counts: 'delta', egts_module_bytes: 'little' };
    const set = { egts_counts: 'cumulative', egts_module_bytes: 'big' };
    expect((await change({ ...set, seen })).body).toMatchObject({ ...set, egts_raw_flag: 'low' });
    expect((await change({ egts_raw_flag: 'high', seen: { egts_raw_flag: 'high' } })).status).toBe(
      409,
    );
    expect((await change({ protocol: null })).body).toMatchObject({
      ...{ protocol: null, protocol_id: null, egts_counts: 'cumulative' },
    });
  });

  it('needs an id, which no other unit has', async () => {
    const [one, other] = [await unit(), await unit()];
    const change = async ({ unitId }: { unitId: number }, body: object) => {
      const answer = await ask('PUT', `units/${unitId}`, body);
      return [answer.status, answer.body.field];
    };
    expect(await change(one, { protocol: 'egts' })).toEqual([400, 'protocol_id']);
    expect(await change(one, { protocol_id: '90010' })).toEqual([400, 'protocol']);
    expect(await change(one, { protocol: 'egts', protocol_id: 'bus 1' })).toEqual([
      400,
      'protocol_id',
    ]);
    const body = { protocol: 'egts', protocol_id: '90010' };
    expect((await change(one, body))[0]).toBe(200);
    expect(await change(other, body)).toEqual([409, 'protocol_id']);
  });

  it('is not given by an integrator: an id is no secret', async () => {
    const { unitId } = await unit();
    const body = { protocol: 'egts', protocol_id: '90020' };
    const answer = await ask('PUT', `units/${unitId}`, body, 'integrator');
    expect([answer.status, answer.body.field]).toEqual([403, 'protocol']);
  });
});

it('a port that cannot be opened is told to administrators, as long as it is tried', async () => {
  const { db } = server.deps.database;
  const closed = { listener: 'egts', port: 20_332, reason: 'taken' };
  const tried = sql<Date>`now()`;
  await db
    .insertInto('closed_ports')
    .values({ ...closed, since: tried, tried_at: tried })
    .execute();
  // The process that asks may have another clock than the one that tries.
  server.clock.advance(180_000);
  expect((await ask('GET', '')).body.closed_ports).toEqual([closed]);
  expect((await ask('GET', '', undefined, 'integrator')).body.closed_ports).toEqual([]);
  const tried_at = sql<Date>`now() - interval '3 min'`;
  await db.updateTable('closed_ports').set({ tried_at }).execute();
  expect((await ask('GET', '')).body.closed_ports).toEqual([]);
});
