// Batches of a unit to which somebody listens are kept in a table, which may be slow while the unit goes on.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FEED_CHANNEL } from '../../fetching/commands.ts';
import { insertTestBus, insertTestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

/** Batches of which the notes are written at the same time. */
const AT_ONCE = 8;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
});
afterAll(() => server.close());

it('few notes are written at a time, and the others are left out, of refused batches too', async () => {
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db);
  const { unitId, credential } = await insertTestBus(db, first, 'Автобус');
  const send = async (body: object): Promise<number> => {
    const { statusCode } = await server.app.inject({
      ...{ method: 'POST', url: '/unit/v1/batches', payload: body },
      headers: { authorization: `Bearer ${credential}` },
    });
    return statusCode;
  };
  const kept = async (): Promise<string[]> => {
    const rows = await db.selectFrom('unit_feed').select('body').orderBy('id').execute();
    return rows.map(({ body }) => body ?? '');
  };
  await db
    .updateTable('units')
    .set({ feed_until: new Date(server.clock.nowMs() + 60_000) })
    .where('id', '=', unitId)
    .execute();
  await sql`select pg_notify(${FEED_CHANNEL}, '')`.execute(db);
  await vi.waitFor(async () => {
    await send({ first: true });
    expect(await kept()).not.toEqual([]);
  });
  await db.transaction().execute(async (tx) => {
    await sql`lock table unit_feed in access exclusive mode`.execute(tx);
    await sql`delete from unit_feed`.execute(tx);
    for (let n = 0; n < 3 * AT_ONCE; n += 1) expect(await send({ n })).toBe(400);
  });
  // Writes begin in the order of their batches: this one is behind those that would still be on their way.
  await vi.waitFor(async () => {
    await send({ last: true });
    expect(await kept()).toContain('{"last":true}');
  });
  const ofLocked = (await kept()).filter((body) => body.startsWith('{"n"'));
  expect(ofLocked.length).toBeLessThanOrEqual(AT_ONCE);
});
