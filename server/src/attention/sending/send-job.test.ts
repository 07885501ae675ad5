import { createHmac } from 'node:crypto';
import type { AttentionSettings } from '@ridewatch/contract/attention';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { attentionSettings, lookForCauses } from '../../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { startMailServer, startWebhook } from '../../test/receivers.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addAttention } from '../api.ts';
import { lockCauses } from '../lock.ts';
import { sendAttentionJob } from './send-job.ts';

const MINUTE_MS = 60_000;
let server: TestServer;
let fleet: TestFleet;
let mailbox: Awaited<ReturnType<typeof startMailServer>>;
let isMailboxFull = false;
let token: string;
/** 12:00 in Moscow. */
const noonMs = Date.parse('2026-11-18T09:00:00Z');
/** When settings are stored and read: within the week that their counts reach back. */
const signedInMs = noonMs + 12 * 60 * MINUTE_MS;

beforeAll(async () => {
  mailbox = await startMailServer(() => isMailboxFull);
  server = await createTestServer([addAuth, addAttention], {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'alerts@ridewatch.example',
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'allowed',
  });
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  server.clock.set(signedInMs);
  token = await server.signIn('admin');
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});

const open: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  const { db } = server.deps.database;
  await sql`delete from attention_causes`.execute(db);
  await sql`delete from attention_settings`.execute(db);
  await sql`update cameras set status = 'online', offline_since = null`.execute(db);
  await sql`update units set last_seen_at = null, last_moved_at = null`.execute(db);
  mailbox.mails.length = 0;
  isMailboxFull = false;
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function webhook(statusOf: (call: number) => number | 'never' = () => 204) {
  const receiver = await startWebhook(statusOf);
  open.push(receiver);
  return receiver;
}

/** Stores settings. @returns the answer, with the key of the signatures */
async function set(
  clientId: number | null,
  more: Parameters<typeof attentionSettings>[0],
): Promise<AttentionSettings & { webhook_secret: string | null }> {
  server.clock.set(signedInMs);
  const answer = await server.app.inject({
    method: 'PUT',
    url: `/api/attention/settings${clientId === null ? '' : `?clientId=${clientId}`}`,
    headers: { authorization: `Bearer ${token}` },
    payload: attentionSettings(more),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** The bus has driven until fifteen minutes before a moment, and is silent since; causes are looked for then. */
async function silence(bus: 'firstBus' | 'secondBus', nowMs: number): Promise<void> {
  const last = new Date(nowMs - 15 * MINUTE_MS);
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: last, last_moved_at: last })
    .where('id', '=', fleet[bus].unitId)
    .execute();
  await look(nowMs);
}
async function hear(bus: 'firstBus' | 'secondBus', nowMs: number): Promise<void> {
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(nowMs) })
    .where('id', '=', fleet[bus].unitId)
    .execute();
  await look(nowMs);
}
async function look(nowMs: number): Promise<void> {
  server.clock.set(nowMs);
  await lookForCauses(server);
}
async function send(nowMs: number): Promise<void> {
  server.clock.set(nowMs);
  const { signal } = new AbortController();
  await sendAttentionJob(server.deps).run({}, { signal } as never);
}

describe('a webhook', () => {
  it('gets a cause once, signed with its key', async () => {
    const receiver = await webhook();
    const { webhook_secret } = await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    await send(noonMs);
    await send(noonMs + MINUTE_MS);
    expect(receiver.calls).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.calls;
    expect(JSON.parse(body)).toMatchObject({
      delivery: headers['ridewatch-delivery'],
      client_id: fleet.first,
      causes: [
        {
          details: { kind: 'silent_bus', drove: true, place: null },
          since: new Date(noonMs - 15 * MINUTE_MS).toISOString(),
          workplace: { id: fleet.firstBus.busId, name: 'Автобус 10' },
        },
      ],
    });
    expect(headers['ridewatch-time']).toBe(String(noonMs / 1000));
    const expected = createHmac('sha256', webhook_secret ?? '')
      .update(`${headers['ridewatch-time']}.${body}`)
      .digest('hex');
    expect(headers['ridewatch-signature']).toBe(`v1=${expected}`);
  });

  it('that fails is called again at growing intervals for a day, and then has failed visibly', async () => {
    const receiver = await webhook(() => 500);
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    const due = [0, 1, 3, 7, 15, 30, 60, 120, 240, 480, 720, 960, 1200, 1440];
    const calledAt: number[] = [];
    for (const minute of [...due.flatMap((each) => [each - 0.5, each]), 2000, 4000].slice(1)) {
      const before = receiver.calls.length;
      await send(noonMs + minute * MINUTE_MS);
      if (receiver.calls.length > before) calledAt.push(minute);
    }
    expect(calledAt).toEqual(due);
    const { webhook: state } = await set(fleet.first, { webhook_url: receiver.url });
    expect(state).toMatchObject({ waiting: 0, failed: 1, last_error: 'the answer was 500' });
  });

  it('that is away is in the log once, and again when it takes messages', async () => {
    let status = 500;
    const receiver = await webhook(() => status);
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    const warn = vi.spyOn(server.deps.log, 'warn');
    const job = sendAttentionJob(server.deps);
    for (const minute of [0, 1, 3, 7]) {
      if (minute === 7) status = 200;
      server.clock.set(noonMs + minute * MINUTE_MS);
      await job.run({}, { signal: new AbortController().signal } as never);
    }
    const lines = warn.mock.calls.map(([, line]) => line);
    warn.mockRestore();
    expect(receiver.calls).toHaveLength(4);
    expect(lines).toEqual(['a message was not taken', 'messages are taken again']);
  });

  it('that redirects is not followed', async () => {
    const receiver = await webhook(() => 302);
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    await send(noonMs);
    expect(receiver.calls).toHaveLength(1);
    const { webhook: state } = await set(fleet.first, { webhook_url: receiver.url });
    expect(state).toMatchObject({ waiting: 1, last_error: 'the answer was 302' });
  });

  it('that never answers delays nobody else, and is given up', async () => {
    const dead = await webhook(() => 'never');
    const quick = await webhook();
    await set(fleet.first, { webhook_url: dead.url });
    await set(fleet.second, { webhook_url: quick.url });
    await silence('firstBus', noonMs);
    await silence('secondBus', noonMs);
    const sending = send(noonMs);
    await expect.poll(() => [quick.calls.length, dead.calls.length]).toEqual([1, 1]);
    await dead.close();
    await sending;
    const { webhook: state } = await set(fleet.first, { webhook_url: dead.url });
    expect(state).toMatchObject({ waiting: 1, last_error: 'socket hang up' });
  });

  it('in a private network is not called unless the installation allows it', async () => {
    const receiver = await webhook();
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    const config = { ...server.deps.config, mayCallPrivateAddresses: false };
    const { signal } = new AbortController();
    await sendAttentionJob({ ...server.deps, config }).run({}, { signal } as never);
    expect(receiver.calls).toEqual([]);
    const { webhook: state } = await set(fleet.first, { webhook_url: receiver.url });
    expect(state.last_error).toBe('127.0.0.1 is an address of a private network');
  });

  it('shows its key once and keeps it until a new one is asked for', async () => {
    const first = await set(fleet.first, { webhook_url: 'https://example.com/hook' });
    expect(first.webhook_secret).toMatch(/^[\w-]{43}$/);
    const same = await set(fleet.first, { webhook_url: 'https://example.com/other' });
    expect(same.webhook_secret).toBeNull();
    const renewed = await set(fleet.first, {
      webhook_url: 'https://example.com',
      new_secret: true,
    });
    expect(renewed.webhook_secret).not.toBe(first.webhook_secret);
    const { rows } = await sql<{
      text: string;
    }>`select coalesce(before::text, '') || after::text as text
      from audit_log where action = 'set_attention_settings'`.execute(server.deps.database.db);
    expect(rows.some(({ text }) => text.includes(first.webhook_secret ?? '-'))).toBe(false);
  });
});

describe('mail', () => {
  const to = ['chief@first.example', 'duty@first.example'];

  it('tells several causes of a minute in one message', async () => {
    await set(fleet.first, { mail_to: to });
    await sql`update cameras set status = 'offline', offline_since = ${new Date(noonMs - 90 * MINUTE_MS)}
      where workplace_id = ${fleet.firstBus.busId} and not live`.execute(server.deps.database.db);
    await hear('firstBus', noonMs);
    await send(noonMs);
    expect(mailbox.mails).toHaveLength(1);
    const [mail] = mailbox.mails;
    expect(mail).toMatchObject({ from: 'alerts@ridewatch.example', to });
    expect(textOf(mail?.text ?? '')).toBe(
      [
        'Автобус 10 (маршрут Маршрут Автобус 10) · Дверь 2 · камера не в сети, с 18.11.2026 10:30 (UTC+3)',
        'Автобус 10 (маршрут Маршрут Автобус 10) · Дверь 1 · камера не в сети, с 18.11.2026 10:30 (UTC+3)',
      ].join('\n'),
    );
  });

  it('in quiet hours waits until they end, and is sent only if the cause still is open', async () => {
    const nightMs = noonMs + 11 * 60 * MINUTE_MS;
    const quiet = { quiet_hours: { from: '22:00', to: '06:30' } };
    await set(fleet.first, { mail_to: to, ...quiet, language: 'en_US' });
    await set(fleet.second, { mail_to: ['second@second.example'], ...quiet });
    await silence('firstBus', nightMs);
    await silence('secondBus', nightMs);
    await send(nightMs);
    await hear('secondBus', nightMs + 60 * MINUTE_MS);
    const morningMs = nightMs + 7.5 * 60 * MINUTE_MS;
    await send(morningMs - MINUTE_MS);
    expect(mailbox.mails).toEqual([]);
    await send(morningMs);
    expect(mailbox.mails.map((mail) => mail.to)).toEqual([to]);
    expect(mailbox.mails[0]?.text).toContain('sends_nothing?=');
  });

  it('that the mail server refuses is tried again', async () => {
    await set(fleet.first, { mail_to: to });
    isMailboxFull = true;
    await silence('firstBus', noonMs);
    await send(noonMs);
    const { mail: state } = await set(fleet.first, { mail_to: to });
    expect(state).toMatchObject({
      waiting: 1,
      last_error: expect.stringMatching(/Mailbox is full/),
    });
    isMailboxFull = false;
    await send(noonMs + MINUTE_MS);
    expect(mailbox.mails).toHaveLength(1);
  });

  it('is not sent about kinds that the customer left out, nor to another customer', async () => {
    await set(fleet.first, { mail_to: to, sent_kinds: ['imbalance'] });
    await set(fleet.second, { mail_to: ['second@second.example'] });
    await silence('firstBus', noonMs);
    await send(noonMs);
    expect(mailbox.mails).toEqual([]);
  });
});

describe('a cause that ends and returns', () => {
  const to = ['chief@first.example'];

  it('in quiet hours is sent when they end, once', async () => {
    const nightMs = noonMs + 11 * 60 * MINUTE_MS;
    const morningMs = nightMs + 7.5 * 60 * MINUTE_MS;
    await set(fleet.first, { mail_to: to, quiet_hours: { from: '22:00', to: '06:30' } });
    await silence('firstBus', nightMs);
    await send(nightMs);
    await hear('firstBus', nightMs + 60 * MINUTE_MS);
    await send(nightMs + 60 * MINUTE_MS);
    await silence('firstBus', nightMs + 80 * MINUTE_MS);
    await send(nightMs + 80 * MINUTE_MS);
    await send(morningMs - MINUTE_MS);
    expect(mailbox.mails).toEqual([]);
    await send(morningMs);
    await blink(morningMs + MINUTE_MS);
    expect(mailbox.mails).toHaveLength(1);
  });

  it('is sent at once by the channel that failed before, and not again by the one that sent it', async () => {
    const receiver = await webhook((call) => (call < 3 ? 500 : 204));
    await set(fleet.first, { webhook_url: receiver.url, mail_to: to });
    await silence('firstBus', noonMs);
    for (const minute of [0, 1, 3]) await send(noonMs + minute * MINUTE_MS);
    expect([receiver.calls.length, mailbox.mails.length]).toEqual([3, 1]);
    await blink(noonMs + 4 * MINUTE_MS);
    expect([receiver.calls.length, mailbox.mails.length]).toEqual([4, 1]);
    await blink(noonMs + 30 * MINUTE_MS);
    expect([receiver.calls.length, mailbox.mails.length]).toEqual([4, 1]);
    const { webhook: state } = await set(fleet.first, { webhook_url: receiver.url });
    expect(state).toMatchObject({ waiting: 0, sent: 1, failed: 0, last_error: null });
  });

  it('has all attempts again', async () => {
    const receiver = await webhook(() => 500);
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    for (const minute of [0, 1, 3, 7]) await send(noonMs + minute * MINUTE_MS);
    await blink(noonMs + 8 * MINUTE_MS);
    expect(receiver.calls).toHaveLength(5);
    await send(noonMs + 29 * MINUTE_MS);
    expect(receiver.calls).toHaveLength(6);
  });

  it('is sent to an address that was set after it had opened', async () => {
    await silence('firstBus', noonMs);
    await send(noonMs);
    await set(fleet.first, { mail_to: to });
    await blink(noonMs + MINUTE_MS);
    expect(mailbox.mails).toHaveLength(1);
    await blink(noonMs + 30 * MINUTE_MS);
    expect(mailbox.mails).toHaveLength(1);
  });

  it('is not sent if the customer has left out its kind meanwhile', async () => {
    const quiet_hours = { from: '11:00', to: '12:15' };
    await set(fleet.first, { mail_to: to, quiet_hours });
    await silence('firstBus', noonMs);
    await send(noonMs);
    await set(fleet.first, { mail_to: to, sent_kinds: ['imbalance'] });
    await blink(noonMs + MINUTE_MS);
    expect(mailbox.mails).toEqual([]);
  });

  it('just while messages are dropped is sent', async () => {
    const { db } = server.deps.database;
    const receiver = await webhook();
    await set(fleet.first, { webhook_url: receiver.url });
    await silence('firstBus', noonMs);
    await hear('firstBus', noonMs + MINUTE_MS);
    const sending = await db.transaction().execute(async (tx) => {
      await lockCauses(tx);
      const started = send(noonMs + 2 * MINUTE_MS);
      await expect.poll(() => countWaitingForLock()).toBe(1);
      await sql`update attention_causes set ended_at = null`.execute(tx);
      return [started];
    });
    await Promise.all(sending);
    expect(receiver.calls).toHaveLength(1);
  });

  /** The bus is heard, its message is dropped, and twenty minutes later the bus is silent and messages are sent. */
  async function blink(nowMs: number): Promise<void> {
    await hear('firstBus', nowMs);
    await send(nowMs);
    await silence('firstBus', nowMs + 20 * MINUTE_MS);
    await send(nowMs + 20 * MINUTE_MS);
  }

  async function countWaitingForLock(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
      server.deps.database.db,
    );
    return rows[0]?.count ?? 0;
  }
});

/** The text of a mail, whose body is in quoted-printable or base64. */
function textOf(mail: string): string {
  const [head = '', body = ''] = mail.split('\r\n\r\n', 2);
  if (/base64/.test(head)) return Buffer.from(body, 'base64').toString().trimEnd();
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n').trimEnd();
}
