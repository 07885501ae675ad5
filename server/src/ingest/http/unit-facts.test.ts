import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
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

function post(aheadMs: number, more: object = {}) {
  const sentAt = new Date(server.clock.nowMs() - aheadMs).toISOString();
  return server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${fleet.firstBus.credential}` },
    body: { stream: randomUUID(), sent_at: sentAt, records: [], ...more },
  });
}
async function send(aheadMs: number, more: object = {}): Promise<void> {
  const answer = await post(aheadMs, more);
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

it('takes them of a large batch, too', async () => {
  const time = new Date(server.clock.nowMs()).toISOString();
  const record = {
    ...{ type: 'passenger', seq: 1, time, door: 1, direction: 'entered', passenger: 'adult' },
    note: 'x'.repeat(400_000),
  };
  await send(90_000, { firmware: '6.0', records: [record] });
  expect(await stored()).toEqual({ firmware: '6.0', offsetMs: 90_000 });
});

it('stores them with the next batch when it could not with the first', async () => {
  const { db } = server.deps.database;
  await sql`create function fail() returns trigger language plpgsql
    as $$ begin raise exception 'no' using errcode = 'query_canceled'; end $$`.execute(db);
  await sql`create trigger fail before update of clock_offset_ms on units
    for each row execute function fail()`.execute(db);
  expect((await post(120_000, { firmware: '7.0' })).statusCode).toBe(503);
  await sql`drop trigger fail on units`.execute(db);
  expect(await stored()).toMatchObject({ offsetMs: 90_000 });
  await send(120_000, { firmware: '7.0' });
  expect(await stored()).toEqual({ firmware: '7.0', offsetMs: 120_000 });
});
