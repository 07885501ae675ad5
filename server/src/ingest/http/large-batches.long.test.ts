// A batch that needs half a gigabyte.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestFleet, type TestBus } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

const NOW = '2026-11-20T05:00:00.000Z';
const RECORDS = 6000;
let server: TestServer;
let bus: TestBus;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(Date.parse(NOW));
  bus = (await insertTestFleet(server.deps.database.db)).firstBus;
});
afterAll(() => server.close());

const post = (text: string) =>
  server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: {
      authorization: `Bearer ${bus.credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(text),
  });

it('a batch that takes too much memory is too large, and the next one is stored', async () => {
  const answer = await post(`{"values":[${'{},'.repeat(2_700_000)}{}]}`);
  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toMatchObject({ error: 'too_large' });
  const records = Array.from({ length: RECORDS }, (_, seq) => ({
    type: 'passenger',
    seq,
    time: NOW,
    door: 1,
    direction: 'entered',
    passenger: 'adult',
  }));
  const next = await post(JSON.stringify({ stream: randomUUID(), sent_at: NOW, records }));
  expect([next.statusCode, next.json().acknowledged]).toEqual([200, [[0, RECORDS - 1]]]);
});
