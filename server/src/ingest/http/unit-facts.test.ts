import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

async function send(aheadMs: number, more: object = {}): Promise<void> {
  const sentAt = new Date(server.clock.nowMs() - aheadMs).toISOString();
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${fleet.firstBus.credential}` },
    body: { stream: randomUUID(), sent_at: sentAt, records: [], ...more },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
const stored = () =>
  server.deps.database.db
    .selectFrom('units')
    .select(['firmware', 'clock_offset_ms as offsetMs'])
    .where('id', '=', fleet.firstBus.unitId)
    .executeTakeFirst();

it('keeps the firmware of a unit and the offset of its clock, as its last batches say', async () => {
  await send(800, { firmware: '4.12.3' });
  expect(await stored()).toEqual({ firmware: '4.12.3', offsetMs: 800 });
  await send(900);
  expect(await stored()).toEqual({ firmware: '4.12.3', offsetMs: 800 });
  await send(61_000);
  expect(await stored()).toEqual({ firmware: '4.12.3', offsetMs: 61_000 });
  await send(61_000, { firmware: `5${'0'.repeat(100)}` });
  expect((await stored())?.firmware).toBe(`5${'0'.repeat(63)}`);
  await send(61_000, { firmware: '' });
  expect((await stored())?.firmware).toMatch(/^50/);
});
