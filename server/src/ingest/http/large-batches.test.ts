// Batches of a unit that was away for long, beside those of units that drive.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listBlocked } from '../../test/blocked.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';
import { createLargeBatches } from './large-batches.ts';
import { LargeBody } from './read-body.ts';

const NOW = '2026-11-20T05:00:00.000Z';
const RECORDS = 6000;
let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(Date.parse(NOW));
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`);

const post = (credential: string, body: object, isPacked = true) => {
  const text = JSON.stringify(body);
  return server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isPacked ? gzipSync(text) : text,
  });
};

const passenger = (seq: number) => ({
  type: 'passenger',
  seq,
  time: new Date(Date.parse(NOW) - (RECORDS - seq) * 1000).toISOString(),
  door: 1,
  direction: 'entered',
  passenger: 'adult',
  // Numbers that gzip cannot shorten much.
  note: randomUUID(),
});
const passengers = (count: number) => Array.from({ length: count }, (_, seq) => passenger(seq));
const envelope = (records: unknown[], stream = randomUUID()) => ({
  stream,
  sent_at: NOW,
  records,
});

const countStored = async ({ unitId }: TestBus): Promise<number> => {
  const rows = await server.deps.database.db
    .selectFrom('passenger_events')
    .select('seq')
    .where('unit_id', '=', unitId)
    .execute();
  return rows.length;
};

async function recordsCounted(outcome: string): Promise<number> {
  const { values } = await server.deps.metrics.records.get();
  return values
    .filter(({ labels }) => labels.outcome === outcome)
    .reduce((sum, { value }) => sum + value, 0);
}

describe('a large batch', () => {
  it.each([
    ['packed', true],
    ['not packed', false],
  ])('%s is stored, and acknowledged again when it is repeated', async (_name, isPacked) => {
    const bus = await freshBus();
    const batch = envelope(passengers(RECORDS));
    const before = [await recordsCounted('stored'), await recordsCounted('repeated')];
    for (const _again of [1, 2]) {
      const answer = await post(bus.credential, batch, isPacked);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json()).toEqual({
        server_time: NOW,
        acknowledged: [[0, RECORDS - 1]],
        refused: [],
      });
    }
    expect(await countStored(bus)).toBe(RECORDS);
    expect([await recordsCounted('stored'), await recordsCounted('repeated')]).toEqual(
      before.map((count) => count + RECORDS),
    );
  });

  it('takes turns with other work of backlogs, a small one does not', async () => {
    const bus = await freshBus();
    const run = vi.spyOn(server.deps.backlogWork, 'run');
    expect((await post(bus.credential, envelope(passengers(5)))).statusCode).toBe(200);
    expect(run).not.toHaveBeenCalled();
    expect((await post(bus.credential, envelope(passengers(RECORDS)))).statusCode).toBe(200);
    expect(run).toHaveBeenCalledOnce();
    run.mockRestore();
  });

  it('rests after the one before while units drive, and only then', async () => {
    const { firstBus, secondBus } = fleet;
    const rests: number[] = [];
    const large = createLargeBatches(server.deps, async (ms) => void rests.push(ms));
    const take = async ({ unitId, busId }: TestBus) => {
      const bytes = Buffer.from(JSON.stringify(envelope(passengers(RECORDS))));
      const never = { assignedFromMs: Number.NEGATIVE_INFINITY, pastAssignments: [] };
      const unit = { unitId, busId, deviceId: 'unit', ...never };
      await large.take(unit, new LargeBody(bytes, false), Date.parse(NOW));
    };
    const sendSmall = (agoMs: number) =>
      large.noteSmall(envelope([{ time: new Date(Date.parse(NOW) - agoMs).toISOString() }]));
    await take(firstBus);
    sendSmall(3_600_000);
    await take(secondBus);
    sendSmall(1000);
    await take(firstBus);
    await large.close();
    expect(rests.map((ms) => ms > 0)).toEqual([false, false, true]);
  });

  it('names the records that it refuses, and stores the others', async () => {
    const bus = await freshBus();
    const records = passengers(RECORDS).map((one, index) =>
      index === 4000 ? { ...one, door: 99 } : one,
    );
    const { acknowledged, refused } = (await post(bus.credential, envelope(records))).json();
    expect(acknowledged).toEqual([
      [0, 3999],
      [4001, RECORDS - 1],
    ]);
    expect(refused).toMatchObject([{ index: 4000, seq: 4000, reason: 'malformed', field: 'door' }]);
  });

  it('follows small ones of its stream, and small ones follow it', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const all = passengers(RECORDS);
    for (const records of [all.slice(0, 5), all.slice(5, -5), all.slice(-5)]) {
      const { refused } = (await post(bus.credential, envelope(records, stream))).json();
      expect(refused).toEqual([]);
    }
    expect(await countStored(bus)).toBe(RECORDS);
  });

  it.each([
    ['that is not JSON', `{"records":["${'x'.repeat(400_000)}"`, 'is not JSON'],
    ['without a stream', JSON.stringify({ sent_at: NOW, records: passengers(4000) }), 'stream'],
    ['that nests too deep', `${'['.repeat(99)}"${'x'.repeat(400_000)}"${']'.repeat(99)}`, '64'],
  ])('%s is refused as a whole', async (_name, text, reason) => {
    const bus = await freshBus();
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${bus.credential}`, 'content-type': 'application/json' },
      body: text,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request' });
    expect(answer.body).toContain(reason);
  });
});

it('small batches of other units are stored while a large one is held up', async () => {
  const [away, driving, late] = [await freshBus(), await freshBus(), await freshBus()];
  const { db } = server.deps.database;
  const answered: string[] = [];
  const send = async (name: string, bus: TestBus, count: number): Promise<void> => {
    const { statusCode } = await post(bus.credential, envelope(passengers(count)));
    answered.push(`${name} ${statusCode}`);
  };
  let large: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await sql`select from units where id = ${away.unitId} for update`.execute(tx);
    const held = send('away', away, RECORDS);
    await expect.poll(async () => (await listBlocked(tx)).length).toBe(1);
    large = Promise.all([held, send('late', late, RECORDS)]);
    await send('driving', driving, 5);
    expect(answered).toEqual(['driving 200']);
  });
  await large;
  expect(answered).toEqual(['driving 200', 'away 200', 'late 200']);
});

it('a large batch is unavailable while the database is, and the next one is stored', async () => {
  const bus = await freshBus();
  const batch = envelope(passengers(RECORDS));
  const { db } = server.deps.database;
  await db.transaction().execute(async (tx) => {
    await sql`select from units where id = ${bus.unitId} for update`.execute(tx);
    const held = post(bus.credential, batch);
    await expect.poll(async () => (await listBlocked(tx)).length).toBe(1);
    const [pid] = await listBlocked(tx);
    await sql`select pg_terminate_backend(${pid})`.execute(tx);
    const answer = await held;
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
  });
  expect((await post(bus.credential, batch)).statusCode).toBe(200);
  expect(await countStored(bus)).toBe(RECORDS);
});
