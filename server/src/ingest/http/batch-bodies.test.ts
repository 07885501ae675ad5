import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

const NOW = '2026-11-20T05:00:00.000Z';
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

const post = (credential: string, body: object, encoding?: string) =>
  server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

const passenger = (seq: number) => ({
  type: 'passenger',
  seq,
  time: NOW,
  door: 1,
  direction: 'entered',
  passenger: 'adult',
});
const envelope = (records: unknown[]) => ({ stream: randomUUID(), sent_at: NOW, records });

describe('a body', () => {
  it('with a record of more than 64 levels is refused as a whole, packed or not', async () => {
    const { credential } = await freshBus();
    const deep = `{"stream":"${randomUUID()}","sent_at":"${NOW}","records":[${'['.repeat(99)}${']'.repeat(99)}]}`;
    for (const [body, encoding] of [[Buffer.from(deep)], [gzipSync(deep), 'gzip']] as const) {
      const answer = await post(credential, body, encoding);
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        'The body is JSON of at most 64 levels.',
      ]);
    }
  });

  it("of the stream of zeros is refused: it is the server's own", async () => {
    const { credential } = await freshBus();
    const stream = '00000000-0000-0000-0000-000000000000';
    const answer = await post(credential, { ...envelope([passenger(1)]), stream });
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'stream']);
  });

  it('may be packed', async () => {
    const bus = await freshBus();
    const packed = gzipSync(JSON.stringify(envelope([passenger(1)])));
    const answer = await post(bus.credential, packed, 'gzip');
    expect(answer.json()).toMatchObject({ acknowledged: [[1, 1]] });
  });

  it.each([
    [
      'of more than 8 MiB unpacked',
      gzipSync(Buffer.alloc(9 * 1024 * 1024, 0x20)),
      413,
      'too_large',
    ],
    ['that is damaged gzip', Buffer.from('no gzip at all'), 400, 'invalid_request'],
    ['that is not JSON', gzipSync('{"stream":'), 400, 'invalid_request'],
    [
      'without a stream',
      gzipSync('{"sent_at":"2026-11-20T05:00:00Z","records":[]}'),
      400,
      'invalid_request',
    ],
  ])('%s is refused as a whole', async (_name, body, status, error) => {
    const bus = await freshBus();
    const answer = await post(bus.credential, body, 'gzip');
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error });
  });

  it('of more than 10,000 records is refused as a whole', async () => {
    const bus = await freshBus();
    const records = Array.from({ length: 10_001 }, (_, seq) => passenger(seq));
    const answer = await post(bus.credential, envelope(records));
    expect(answer.statusCode).toBe(413);
    const stored = await server.deps.database.db
      .selectFrom('passenger_events')
      .select('seq')
      .where('unit_id', '=', bus.unitId)
      .execute();
    expect(stored).toEqual([]);
  });

  it('in another encoding is refused', async () => {
    const bus = await freshBus();
    const answer = await post(bus.credential, Buffer.from('x'), 'br');
    expect(answer.statusCode).toBe(415);
  });
});

describe('a credential', () => {
  it.each([
    ['unknown', async () => 'rwu_unknown'],
    [
      'run out',
      async () => {
        const bus = await freshBus();
        await server.deps.database.db
          .updateTable('unit_credentials')
          .set({ expires_at: new Date(server.clock.nowMs() - 1) })
          .where('unit_id', '=', bus.unitId)
          .execute();
        return bus.credential;
      },
    ],
    [
      'revoked',
      async () => {
        const bus = await freshBus();
        await server.deps.database.db
          .updateTable('unit_credentials')
          .set({ revoked_at: new Date() })
          .where('unit_id', '=', bus.unitId)
          .execute();
        return bus.credential;
      },
    ],
  ])('that is %s opens nothing', async (_name, credentialOf) => {
    const answer = await post(await credentialOf(), envelope([passenger(1)]));
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: 'unauthorized' });
  });

  it('ends at its expiry to the millisecond, though it was used just before', async () => {
    const bus = await freshBus();
    const { db } = server.deps.database;
    await db
      .updateTable('unit_credentials')
      .set({ expires_at: new Date(server.clock.nowMs() + 1000) })
      .where('unit_id', '=', bus.unitId)
      .execute();
    server.clock.advance(999);
    expect((await post(bus.credential, envelope([passenger(1)]))).statusCode).toBe(200);
    server.clock.advance(1);
    expect((await post(bus.credential, envelope([passenger(2)]))).statusCode).toBe(401);
    const { refused_at } = await db
      .selectFrom('unit_credentials')
      .select('refused_at')
      .where('unit_id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    expect(refused_at?.getTime()).toBe(server.clock.nowMs());
  });
});
