import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import type { AttentionChannel } from '@ridewatch/contract/attention';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { attentionSettings } from '../../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { startMailServer, startWebhook } from '../../test/receivers.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addAttention } from '../api.ts';
import { reasonOf } from './reason.ts';

let server: TestServer;
let fleet: TestFleet;
let mailbox: Awaited<ReturnType<typeof startMailServer>>;
let receiver: Awaited<ReturnType<typeof startWebhook>>;
let status = 204;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  mailbox = await startMailServer(() => false);
  receiver = await startWebhook(() => status);
  server = await createTestServer([addAuth, addAttention], {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'alerts@ridewatch.example',
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'allowed',
  });
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'first']) tokens[role] = await server.signIn(role);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  await mailbox.close();
});

async function ask(method: 'PUT' | 'POST', path: string, payload: object, role = 'admin') {
  const url = `/api/attention/settings${path}?clientId=${fleet.first}`;
  const headers = { authorization: `Bearer ${tokens[role]}` };
  const answer = await server.app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const set = async (more: Parameters<typeof attentionSettings>[0]): Promise<string> =>
  (await ask('PUT', '', attentionSettings(more))).body.webhook_secret;
const test = async (channel: AttentionChannel) => {
  server.clock.advance(10_000);
  return (await ask('POST', '/test', { channel })).body.error;
};

describe('a test message', () => {
  it('goes to the stored webhook, signed like any other, and says that it is a test', async () => {
    const secret = await set({ webhook_url: receiver.url });
    expect(await test('webhook')).toBeNull();
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.calls;
    expect(JSON.parse(body)).toMatchObject({ test: true, causes: [], client_id: fleet.first });
    const signed = `${headers['ridewatch-time']}.${body}`;
    const expected = createHmac('sha256', secret).update(signed).digest('hex');
    expect(headers['ridewatch-signature']).toBe(`v1=${expected}`);
  });

  it('that is not taken says why', async () => {
    status = 503;
    expect(await test('webhook')).toBe('the answer was 503');
  });

  it.each([
    [
      'that leaves HTTP',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'the answer was 101',
    ],
    ['that breaks off', '', 'socket hang up'],
  ])('that gets an answer %s is over at once', async (_, answer, said) => {
    const odd = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (answer === '' ? socket.destroy() : socket.write(answer)));
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const { port } = odd.address() as AddressInfo;
    await set({ webhook_url: `http://127.0.0.1:${port}/` });
    expect(await test('webhook')).toBe(said);
    await new Promise((resolve) => odd.close(resolve));
  });

  it('says what can be stored of any answer', () => {
    expect(reasonOf(new Error('550 no\0 \ud83d'))).toBe('550 no ');
    expect(reasonOf(new Error('x'.repeat(1000)))).toHaveLength(300);
  });

  it('goes to the mail addresses in their language', async () => {
    await set({ mail_to: ['owner@example.org'], language: 'en_US' });
    expect(await test('mail')).toBeNull();
    expect(mailbox.mails).toHaveLength(1);
    expect(JSON.stringify(mailbox.mails[0])).toContain('Ridewatch: test');
  });

  it('without an address is not sent', async () => {
    await set({});
    expect(await test('webhook')).toBe('there is no webhook');
    expect(await test('mail')).toBe('there is no mail address');
  });

  it('is sent once in ten seconds by a channel, however many ask at once', async () => {
    await set({ mail_to: ['owner@example.org'] });
    server.clock.advance(10_000);
    const before = mailbox.mails.length;
    const many = await Promise.all(
      Array.from({ length: 30 }, () => ask('POST', '/test', { channel: 'mail' })),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(29);
    expect(refused[0]?.body).toMatchObject({ error: 'too_many_attempts' });
    expect(mailbox.mails.length - before).toBe(1);
    server.clock.advance(9_999);
    expect((await ask('POST', '/test', { channel: 'mail' })).status).toBe(429);
    expect(await test('mail')).toBeNull();
  });

  it('is for those with the edit right, and leaves a row in the audit log', async () => {
    expect((await ask('POST', '/test', { channel: 'mail' }, 'first')).status).toBe(403);
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .select(['object_id', 'after'])
      .where('action', '=', 'test_attention_channel')
      .execute();
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.at(-1)).toEqual({
      object_id: String(fleet.first),
      after: { channel: 'mail', error: null },
    });
  });
});

describe('the address of the webhook', () => {
  it('is for those with the edit right; others read that there is one', async () => {
    await set({ webhook_url: receiver.url });
    const read = async (role: string) => {
      const url = `/api/attention/settings?clientId=${fleet.first}`;
      const headers = { authorization: `Bearer ${tokens[role]}` };
      return (await server.app.inject({ url, headers })).json();
    };
    expect(await read('admin')).toMatchObject({ webhook_url: receiver.url, has_webhook: true });
    expect(await read('first')).toMatchObject({ webhook_url: null, has_webhook: true });
    await set({});
    expect(await read('first')).toMatchObject({ has_webhook: false });
  });
});

describe('settings that two users store', () => {
  it('are merged field by field, and refused where the second has not seen the last value', async () => {
    const read = async () => {
      const url = `/api/attention/settings?clientId=${fleet.first}`;
      const headers = { authorization: `Bearer ${tokens.admin}` };
      return (await server.app.inject({ url, headers })).json();
    };
    const before = await read();
    const seen = { silent_minutes: before.silent_minutes };
    expect((await ask('PUT', '', { silent_minutes: 15, seen })).status).toBe(200);
    const other = { camera_minutes: 90, seen: { camera_minutes: before.camera_minutes } };
    expect((await ask('PUT', '', other)).body).toMatchObject({
      ...{ silent_minutes: 15, camera_minutes: 90 },
    });
    expect(await ask('PUT', '', { silent_minutes: 99, seen })).toMatchObject({
      status: 409,
      body: { error: 'conflict', field: 'seen.silent_minutes', current: { silent_minutes: 15 } },
    });
    expect(await read()).toMatchObject({ silent_minutes: 15, camera_minutes: 90 });
  });

  it('for the first time and at once have one key for the signatures', async () => {
    const url = `/api/attention/settings?clientId=${fleet.second}`;
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const payload = attentionSettings({ webhook_url: receiver.url });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => server.app.inject({ method: 'PUT', url, headers, payload })),
    );
    const keys = answers.map((answer) => answer.json().webhook_secret).filter(Boolean);
    expect(keys).toHaveLength(1);
  });
});
