// How far a new installation is, and what a unit sends while somebody connects it.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileLocked } from '../test/blocked.ts';
import type { TestFleet } from '../test/fleet.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const NOW_MS = Date.parse('2026-11-20T06:00:00Z');
let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  token = await server.signIn('admin');
});
afterAll(() => server.close());

const read = async (url: string) => (await askJson(server, token, 'GET', url)).body;
const readSteps = () => read('/api/admin/first-steps');
const readArrivals = () => read(`/api/admin/units/${fleet.firstBus.unitId}/arrivals`);
const stream = randomUUID();
async function send(record: object): Promise<void> {
  const time = new Date(server.clock.nowMs()).toISOString();
  const records = [{ time, ...record }];
  const answer = await sendBatch(server, fleet.firstBus.credential, { stream, records });
  expect(answer.json()).toMatchObject({ refused: [] });
}

describe('the first steps', () => {
  it('name the first customer, bus, unit and camera, and wait for what units send', async () => {
    expect(await readSteps()).toMatchObject({
      customer: { id: expect.any(Number) },
      bus: { id: expect.any(Number), name: expect.any(String) },
      unit: { name: expect.any(String) },
      camera: { name: expect.any(String) },
      has_position: false,
      has_count: false,
      closed_ports: [],
      off_protocols: [],
    });
    expect(await readArrivals()).toEqual({
      ...{ last_seen_at: null, position: null, counted_at: null },
      ...{ refused_at: null, unknown_refused_at: null, clock_offset_ms: null },
    });
  });

  it('tell of ports of unit protocols that are closed, and of no others', async () => {
    const { db } = server.deps.database;
    const at = sql<Date>`now()`;
    const rows = [
      { listener: 'egts', port: 20_332, reason: 'taken' },
      // A process of an older version has noted it.
      { listener: 'jt808', port: 20_808, reason: 'JT808_PORT is invalid: listen EADDRINUSE' },
      { listener: 'ftp', port: 2121, reason: 'taken' },
    ];
    await db
      .insertInto('closed_ports')
      .values(rows.map((row) => ({ ...row, since: at, tried_at: at })))
      .execute();
    expect((await readSteps()).closed_ports).toEqual([rows[0], { ...rows[1], reason: 'other' }]);
    await db.deleteFrom('closed_ports').execute();
  });

  it('are done one by one: a position, then a passenger', async () => {
    await send({ type: 'position', seq: 1, latitude: 55.75, longitude: 37.61, speed_kmh: 0 });
    const at = new Date(NOW_MS).toISOString();
    expect(await readArrivals()).toEqual({
      last_seen_at: at,
      position: { at, latitude: 55.75, longitude: 37.61 },
      ...{ counted_at: null, refused_at: null, unknown_refused_at: null, clock_offset_ms: 0 },
    });
    expect(await readSteps()).toMatchObject({ has_position: true, has_count: false });
    await send({ type: 'passenger', seq: 2, door: 1, direction: 'entered', passenger: 'adult' });
    expect(await readArrivals()).toMatchObject({ counted_at: at });
    expect(await readSteps()).toMatchObject({ has_position: true, has_count: true });
  });

  it.each([
    ['behind', 3],
    ['ahead', -5],
  ])(
    'tell that the clock of a unit is hours %s, and when its position came all the same',
    async (_, hours) => {
      const offsetMs = hours * 3_600_000;
      server.clock.advance(60_000);
      const nowMs = server.clock.nowMs();
      const sent_at = new Date(nowMs - offsetMs).toISOString();
      const record = { type: 'position', seq: nowMs / 1000, time: sent_at, speed_kmh: 0 };
      const records = [{ ...record, latitude: 55.76, longitude: 37.62 }];
      const { credential } = fleet.firstBus;
      const answer = await sendBatch(server, credential, { stream, sent_at, records });
      expect(answer.json()).toMatchObject({ refused: [], corrected: [{ reason: 'clock' }] });
      const at = new Date(nowMs).toISOString();
      expect(await readArrivals()).toMatchObject({
        ...{ clock_offset_ms: offsetMs, last_seen_at: at },
        position: { at, latitude: 55.76, longitude: 37.62 },
      });
    },
  );

  it('count nothing of a unit that sits in no bus, and tell that its passengers have come', async () => {
    const { db } = server.deps.database;
    const sit = (workplace_id: number | null) =>
      db
        .updateTable('units')
        .set({ workplace_id })
        .where('id', '=', fleet.firstBus.unitId)
        .execute();
    await sit(null);
    expect(await readArrivals()).toMatchObject({ counted_at: null });
    expect(await readSteps()).toMatchObject({ has_position: false });
    // Every process learns of it within this time.
    server.clock.advance(4000);
    await send({ type: 'passenger', seq: 9, door: 1, direction: 'entered', passenger: 'adult' });
    const at = new Date(server.clock.nowMs()).toISOString();
    expect(await readArrivals()).toMatchObject({ counted_at: at });
    await sit(fleet.firstBus.busId);
    server.clock.advance(4000);
  });

  const refuse = async (secret: string, app = server.app) => {
    const headers = { authorization: `Bearer ${secret}` };
    const { statusCode } = await app.inject({ url: '/unit/v1/me', headers });
    expect(statusCode).toBe(401);
  };
  const tryIt = async (secret: string) => {
    await refuse(secret);
    return readArrivals();
  };

  it('tell that a credential that belongs to no unit was refused, once a second at most, whichever process refused it', async () => {
    const first = new Date(server.clock.nowMs()).toISOString();
    const refused = { refused_at: null, unknown_refused_at: first };
    expect(await tryIt('rwu_unknown')).toMatchObject(refused);
    server.clock.advance(900);
    const many = Array.from({ length: 20 }, (_, index) => tryIt(`rwu_unknown${index}`));
    for (const answer of await Promise.all(many)) expect(answer).toMatchObject(refused);
    await refuse('rwu_unknown', await server.another());
    expect(await readArrivals()).toMatchObject(refused);
    server.clock.advance(100);
    const second = new Date(server.clock.nowMs()).toISOString();
    expect(await tryIt('rwu_unknown')).toMatchObject({ unknown_refused_at: second });
    const { rows } = await sql`select from unknown_credentials`.execute(server.deps.database.db);
    expect(rows).toHaveLength(1);
  });

  it('tell of it, too, after the clock of the server was set back', async () => {
    const nowMs = server.clock.nowMs();
    server.clock.set(nowMs - 600_000);
    const arrivals = await tryIt('rwu_unknown');
    server.clock.set(nowMs);
    const at = new Date(nowMs - 600_000).toISOString();
    expect(arrivals).toMatchObject({ unknown_refused_at: at });
  });

  it('tell of a credential that lacks its beginning: a double click selects it up to a hyphen', async () => {
    server.clock.advance(1000);
    const at = new Date(server.clock.nowMs()).toISOString();
    const { credential } = fleet.firstBus;
    expect(await tryIt(credential.slice(8))).toMatchObject({ unknown_refused_at: at });
  });

  it('tell of a batch with a wrong credential, and have nothing of it', async () => {
    server.clock.advance(1000);
    const before = await readArrivals();
    const at = new Date(server.clock.nowMs()).toISOString();
    const place = { latitude: 59.94, longitude: 30.31, speed_kmh: 0 };
    const records = [{ type: 'position', seq: 1, time: at, ...place }];
    const wrong = `${fleet.firstBus.credential.slice(0, -1)}~`;
    const answer = await sendBatch(server, wrong, { stream: randomUUID(), records });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'unauthorized']);
    expect(await readArrivals()).toEqual({ ...before, unknown_refused_at: at });
  });

  it('let one guess of many wait for its note', async () => {
    server.clock.advance(1000);
    const guesses = Array.from({ length: 20 }, (_, index) => `rwu_guess${index}`);
    await whileLocked(
      server.deps.database.db,
      (tx) => sql`select from unknown_credentials for update`.execute(tx),
      [() => refuse('rwu_unknown')],
      () => Promise.all(guesses.map((guess) => refuse(guess))),
    );
  });

  it('tell of a credential that counts no more, and of a unit that is switched off', async () => {
    const { db } = server.deps.database;
    const { unitId, credential } = fleet.firstBus;
    const { unknown_refused_at } = await readArrivals();
    const revoke = (revoked_at: Date | null) =>
      db
        .updateTable('unit_credentials')
        .set({ revoked_at })
        .where('unit_id', '=', unitId)
        .execute();
    const setEnabled = (enabled: boolean) =>
      db.updateTable('units').set({ enabled }).where('id', '=', unitId).execute();

    await revoke(new Date(NOW_MS));
    server.clock.advance(6_000);
    const first = server.clock.nowMs();
    expect(await tryIt(credential)).toMatchObject({ refused_at: new Date(first).toISOString() });
    server.clock.advance(9_000);
    expect(await tryIt(credential)).toMatchObject({
      ...{ refused_at: new Date(first).toISOString(), unknown_refused_at },
    });
    await revoke(null);
    await setEnabled(false);
    server.clock.advance(6_000);
    const second = new Date(server.clock.nowMs()).toISOString();
    expect(await tryIt(credential)).toMatchObject({ refused_at: second });
    await setEnabled(true);
  });

  it('end with the credentials of the units: without one no unit may send', async () => {
    const { db } = server.deps.database;
    await db
      .updateTable('unit_credentials')
      .set({ revoked_at: new Date(NOW_MS) })
      .execute();
    const { unitId } = fleet.firstBus;
    expect(await readSteps()).toMatchObject({
      unit: null,
      unfinished_unit: { id: unitId, lacks: 'credential' },
    });
    // One of another protocol needs none.
    const speak = (protocol: string | null, protocol_id: string | null) =>
      db.updateTable('units').set({ protocol, protocol_id }).where('id', '=', unitId).execute();
    await speak('egts', '133552');
    expect(await readSteps()).toMatchObject({ unit: { id: unitId }, unfinished_unit: null });
    await speak(null, null);
    await db.updateTable('units').set({ workplace_id: null }).execute();
    expect(await readSteps()).toMatchObject({ unfinished_unit: { id: unitId, lacks: 'bus' } });
  });
});
