// Records that were kept because an upstream did not know their buses make nothing late, and hide nothing that is.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { askAgain } from '../retranslation/unregistered.ts';
import { waitingOf } from '../retranslation/waiting.ts';
import { causesOf, lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAttention } from './api.ts';

const nowMs = Date.UTC(2026, 10, 18, 9);
const inMinutes = (minutes: number) => new Date(nowMs + minutes * 60_000);

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAttention]);
  server.clock.set(nowMs);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

it('an upstream is not late by a kept record of a bus that it is asked about, unless it is away since then', async () => {
  const { db } = server.deps.database;
  const holder = randomUUID();
  const { id } = await db
    .insertInto('upstreams')
    .values({
      name: 'Край',
      host: 'egts.example',
      port: 20_332,
      created_at: inMinutes(-6000),
      holder,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const kept = { id: 1, upstream_id: id, unit_id: 1, workplace_id: fleet.firstBus.busId };
  await db
    .insertInto('upstream_unregistered')
    .values({ ...kept, records: 1, stored_at: inMinutes(-2880) })
    .execute();
  await askAgain(db, { upstreamId: id, holder }, nowMs);
  const seen = async (minutes: number) => {
    server.clock.set(nowMs + minutes * 60_000);
    await lookForCauses(server);
    const token = await server.signIn('admin');
    return (await causesOf(server, token)).items.filter(
      (one: { details: { kind: string } }) => one.details.kind === 'upstream_late',
    );
  };
  expect(await seen(9)).toEqual([]);
  expect(await seen(10)).toMatchObject([{ since: inMinutes(0).toISOString() }]);
});

it('an upstream is as late as its oldest record, however many older ones came back into its queue', async () => {
  const { db } = server.deps.database;
  const back = { back_at: inMinutes(0), due_at: inMinutes(0), stored_at: inMinutes(-2880) };
  const waiting = { stored_at: inMinutes(-30), due_at: inMinutes(-30), back_at: null };
  await db
    .insertInto('upstream_queue')
    .values(
      [back, back, back, waiting].map((times) => ({
        ...{ upstream_id: 77, unit_id: 1, workplace_id: 1, records: 1, ...times },
      })),
    )
    .execute();
  const sinceOf = async (mostRows: number) => {
    const { rows } = await sql<{ since: Date; records: number; more: boolean }>`
      select * from ${waitingOf(sql`77::bigint`, mostRows)} as waiting`.execute(db);
    return rows[0];
  };
  expect(await sinceOf(2)).toEqual({ since: inMinutes(-30), records: 2, more: true });
  expect(await sinceOf(3)).toMatchObject({ records: 3, more: true });
  expect(await sinceOf(4)).toEqual({ since: inMinutes(-30), records: 4, more: false });
});
