// The feed of units of other protocols: each message as it came, with its fate.
import { MOST_FEED_BODY, MOST_FEED_ROWS, type UnitFeed } from '@ridewatch/contract/admin-feed';
import type { EgtsSubrecord } from '@ridewatch/unit/src/egts/packet.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import type { Tx } from '../core/db/db.ts';
import type { ToldRecord } from '../ingest/by-id/store-told.ts';
import { createTakeTold, type TakeTold } from '../ingest/by-id/take-told.ts';
import type { Told } from '../ingest/by-id/told.ts';
import { createUnitFinder } from '../ingest/by-id/units.ts';
import { createRecordStore } from '../ingest/store/record-store.ts';
import { whileLocked } from '../test/blocked.ts';
import {
  adoptEgts,
  at,
  EGTS_DAY_MS,
  people,
  record,
  sendRecords,
  startTestEgts,
  type TestEgts,
} from '../test/egts.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

/** Within this a process knows that somebody listens, ms. */
const KNOWN_MS = 3000;
const OBJECT = 4711;
let server: TestServer;
let egts: TestEgts;
let token: string;
let unitId: number;

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration], { HOST: '127.0.0.1' });
  server.clock.set(EGTS_DAY_MS + 3_600_000);
  const fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  ({ unitId } = fleet.firstBus);
  await adoptEgts(server.deps.database.db, unitId, OBJECT);
  token = await server.signIn('integrator');
  egts = await startTestEgts(server.deps);
});
afterAll(async () => {
  await egts.stop();
  await server.close();
});

const ask = (method: 'GET' | 'POST') =>
  askJson(server, token, method, `/api/admin/units/${unitId}/feed`);
const items = async (): Promise<UnitFeed['items']> => (await ask('GET')).body.items;
const fates = async () => (await items()).map(({ fate }) => fate);
const listen = async () => {
  await ask('POST');
  server.clock.advance(KNOWN_MS);
};

describe('the feed of a unit of EGTS', () => {
  it('has its messages while somebody listens, in hexadecimal digits, each with its fate', async () => {
    const link = await egts.open();
    await sendRecords(link, [record(OBJECT, [at(0)])]);
    await listen();
    const sent = record(OBJECT, [at(10)]);
    const [ahead, lost] = [at(9000), at(20, { isValid: false })].map((one) =>
      record(OBJECT, [one]),
    );
    const other = record(OBJECT, [at(0, { longitude: 38.5 })]);
    await sendRecords(link, [sent, other, ...[ahead, lost].flatMap((one) => one ?? [])]);
    await expect.poll(fates).toEqual(['no_fix', 'kept_aside', 'other_content', 'stored']);
    const stored = (await items()).at(-1);
    expect(stored).toMatchObject({
      ...{ status: null, answer: null, received_at: new Date(server.clock.nowMs()).toISOString() },
      body: expect.stringMatching(/^([0-9a-f]{2})+$/),
    });
    expect(stored?.bytes).toBe((stored?.body?.length ?? 0) / 2);
    // Its time is that of the position, seconds since 2010.
    const seconds = Buffer.alloc(4);
    seconds.writeUInt32LE((EGTS_DAY_MS - Date.UTC(2010, 0)) / 1000 + 10);
    expect(stored?.body).toContain(seconds.toString('hex'));
  });

  it('says which messages have counts in a form that nobody can read', async () => {
    await listen();
    const link = await egts.open();
    // RDF = 1.
    const raw: EgtsSubrecord = { type: 28, data: Buffer.from([1, 0, 0, 1, 0, 7, 7, 7]) };
    const sent = [[raw], [at(40), raw], [at(50), people({ 1: [1, 0] })]];
    const records = sent.map((subrecords) => record(OBJECT, subrecords));
    expect((await sendRecords(link, records)).records).toEqual([0, 0, 0]);
    await expect.poll(fates).toEqual(['stored', 'vendor_form', 'vendor_form']);
  });

  it('has nothing more once nobody listens', async () => {
    await listen();
    server.clock.advance(16 * 60_000);
    token = await server.signIn('integrator');
    const link = await egts.open();
    await sendRecords(link, [record(OBJECT, [at(20)])]);
    expect(await items()).toEqual([]);
  });
});

const endFeed = (tx: Tx) =>
  tx.updateTable('units').set({ feed_until: null }).where('id', '=', unitId).execute();

describe('the feed of any protocol', () => {
  const takeTold = (store = createRecordStore(server.deps)): TakeTold<object, string> => {
    const { metrics, log } = server.deps;
    return createTakeTold<object, string>({
      ...{ metrics, log, store, knocks: { note: () => undefined }, standard: {}, waitMs: 5000 },
      findUnits: createUnitFinder(server.deps, 'egts', () => ({})),
    });
  };
  const told = (more: Partial<Told<object, string>>): Told<object, string> => ({
    ...{ ids: [`${OBJECT}`], read: () => [], raw: () => 'id=7&lat=55.7', ...more },
  });
  const take = (take: TakeTold<object, string>, ...messages: Told<object, string>[]) =>
    take(messages, '10.0.0.7', server.clock.nowMs());

  it('has texts as they came, cut, what has nothing to record, and what cannot be read', async () => {
    await listen();
    const long = `id=7&note=ы\0${'x'.repeat(MOST_FEED_BODY)}`;
    await take(takeTold(), told({}), told({ read: () => 'no_time', raw: () => long }));
    await expect.poll(fates).toEqual(['unread', 'nothing']);
    const [unread, nothing] = await items();
    expect(nothing).toMatchObject({ body: 'id=7&lat=55.7', bytes: 13 });
    expect(unread?.bytes).toBe(Buffer.byteLength(long));
    expect(unread?.body).toMatch(/^id=7&note=ы\\0x+$/);
    expect(unread?.body?.length).toBeLessThanOrEqual(MOST_FEED_BODY + 1);
  });

  it('says what could not be stored now, and has the latest messages of many', async () => {
    await listen();
    const store = createRecordStore(server.deps);
    const full = { ...store, inTurn: () => Promise.reject(new Error('no room')) };
    // A message without records has nothing that could be lost.
    const position: ToldRecord = {
      ...{ type: 'position', seq: 1, sentMs: server.clock.nowMs(), speedKmh: null },
      ...{ place: { latitude: 55.7, longitude: 37.6 }, course: null, satellites: null, hdop: null },
    };
    await take(takeTold(full), told({ read: () => [position] }));
    await expect.poll(fates).toEqual(['not_now']);
    const many = Array.from({ length: MOST_FEED_ROWS + 20 }, (_, at) =>
      told({ raw: () => `id=7&n=${at}` }),
    );
    await take(takeTold(), ...many);
    await expect.poll(async () => (await items())[0]?.body).toBe(`id=7&n=${MOST_FEED_ROWS + 19}`);
    expect(await items()).toHaveLength(MOST_FEED_ROWS);
  });

  it('stores what came although the note of it fails', async () => {
    await listen();
    const store = createRecordStore(server.deps);
    const failing = { ...store, noteFor: () => Promise.reject(new Error('no note')) };
    expect(await take(takeTold(failing), told({}))).toEqual(['stored']);
    expect(await items()).toEqual([]);
  });

  it('has nothing that a process takes for the bus of before, and nothing once the unit has moved', async () => {
    await listen();
    const { busId } = await server.deps.database.db
      .selectFrom('units')
      .select('workplace_id as busId')
      .where('id', '=', unitId)
      .executeTakeFirstOrThrow();
    const { noteFor } = createRecordStore(server.deps);
    const note = (ofBus: number | null, body: string) =>
      noteFor({ unitId, busId: ofBus }, [
        { receivedAtMs: server.clock.nowMs(), outcome: 'stored', bytes: 1, body },
      ]);
    await note(null, 'of no bus');
    await note(busId, 'of its bus');
    expect((await items()).map(({ body }) => body)).toEqual(['of its bus']);
    // Until the move is done, nobody knows whose the message is.
    await whileLocked(server.deps.database.db, endFeed, [() => note(busId, 'during the move')]);
    expect(await items()).toHaveLength(1);
    await listen();
    const admin = await server.signIn('admin');
    const url = `/api/admin/units/${unitId}`;
    expect((await askJson(server, admin, 'PUT', url, { bus_id: null })).status).toBe(200);
    for (const ofBus of [busId, null]) await note(ofBus, 'after the move');
    const { body: feed } = await askJson(server, admin, 'GET', `${url}/feed`);
    expect(feed).toEqual({ listening_until: null, items: [] });
  });
});
