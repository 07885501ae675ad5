// A channel is sent to by one process at a time.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { claimChannel } from './outbox.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([]);
});
afterAll(() => server.close());

it('a claim lasts as the clock of the database says, whatever the clocks of processes say', async () => {
  const { db } = server.deps.database;
  const nowMs = server.clock.nowMs();
  const now = new Date(nowMs);
  await sql`insert into attention_settings (sent_kinds, webhook_url, webhook_secret)
    values ('{disk_full}', 'https://hook.example', 'key')`.execute(db);
  await sql`
    with cause as (
      insert into attention_causes (kind, since, opened_at, details)
      values ('disk_full', ${now}, ${now}, '{"kind": "disk_full"}') returning id
    )
    insert into attention_deliveries (cause_id, channel, created_at, due_at)
    select id, 'webhook', ${now}, ${now} from cause`.execute(db);
  const claimed = { channel: 'webhook', webhookUrl: 'https://hook.example' };
  expect(await claimChannel(db, nowMs)).toMatchObject(claimed);
  expect(await claimChannel(db, nowMs + 3_600_000)).toBeUndefined();
  await sql`update attention_deliveries set claimed_until = now()`.execute(db);
  expect(await claimChannel(db, nowMs)).toMatchObject(claimed);
});
