// The place of a session is a network address, which only a trusted proxy may name in the place of its own.
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
const PROXY = '10.0.0.1';

let alone: TestServer;
let behindProxy: TestServer;
beforeAll(async () => {
  alone = await createTestServer([addAuth]);
  behindProxy = await createTestServer([addAuth], { TRUST_PROXY: PROXY });
  for (const server of [alone, behindProxy]) await insertTestFleet(server.deps.database.db);
});
afterAll(async () => {
  await alone?.close();
  await behindProxy?.close();
});
beforeEach(() => {
  // Attempts of earlier tests no longer count.
  for (const server of [alone, behindProxy]) server.clock.advance(16 * 60_000);
});

interface Way {
  /** The address that the server sees. */
  readonly from: string;
  /** The addresses that `X-Forwarded-For` names. */
  readonly forwarded?: string;
}

async function askTokens(
  { app }: TestServer,
  form: Record<string, string>,
  { from, forwarded }: Way,
) {
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    remoteAddress: from,
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': FIREFOX,
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
    },
    body: new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const signIn = (server: TestServer, way: Way, password = PASSWORD) =>
  askTokens(server, { grant_type: 'password', username: 'first', password }, way);
const renew = (server: TestServer, refresh_token: string, way: Way) =>
  askTokens(server, { grant_type: 'refresh_token', refresh_token }, way);

/** The session of an access token as the list of its user has it. */
async function listed({ app }: TestServer, access: string) {
  const headers = { authorization: `Bearer ${access}` };
  const { items } = (await app.inject({ url: '/api/auth/sessions', headers })).json();
  return items.find(({ current }: { current: boolean }) => current);
}

async function lastAudited({ deps }: TestServer): Promise<string | null | undefined> {
  const row = await deps.database.db
    .selectFrom('audit_log')
    .select('address')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.address;
}

describe('a session in the list', () => {
  it('has the device that opened it, and the address as its place', async () => {
    const { body } = await signIn(alone, { from: '203.0.113.7' });
    expect(await listed(alone, body.access_token)).toMatchObject({
      user_agent: FIREFOX,
      address: '203.0.113.7',
    });
  });

  it('has the address from which it was renewed last', async () => {
    const { body } = await signIn(alone, { from: '203.0.113.7' });
    const renewed = await renew(alone, body.refresh_token, { from: '198.51.100.4' });
    expect(await listed(alone, renewed.body.access_token)).toMatchObject({
      user_agent: FIREFOX,
      address: '198.51.100.4',
    });
  });
});

interface Case {
  readonly server: () => TestServer;
  readonly from: string;
  /** The header of a try; `spoofed` differs from try to try. */
  readonly forwarded: (spoofed: string) => string;
  readonly address: string;
  /** Another user, who is not slowed down. */
  readonly other: Way;
}

describe.each<[string, Case]>([
  [
    'an address that a trusted proxy names',
    {
      ...{ server: () => behindProxy, from: PROXY, address: '203.0.113.7' },
      forwarded: () => '203.0.113.7',
      other: { from: PROXY, forwarded: '198.51.100.9' },
    },
  ],
  [
    'the last address that a trusted proxy names, for the user may have written those before it',
    {
      ...{ server: () => behindProxy, from: PROXY, address: '203.0.113.8' },
      forwarded: (spoofed) => `${spoofed}, 203.0.113.8`,
      other: { from: PROXY, forwarded: '203.0.113.8, 198.51.100.10' },
    },
  ],
  [
    'the address of a sender who is no trusted proxy',
    {
      ...{ server: () => behindProxy, from: '203.0.113.9', address: '203.0.113.9' },
      forwarded: (spoofed) => spoofed,
      other: { from: '198.51.100.11', forwarded: '203.0.113.9' },
    },
  ],
  [
    'the address of the sender where no proxy is trusted',
    {
      ...{ server: () => alone, from: '203.0.113.10', address: '203.0.113.10' },
      forwarded: (spoofed) => spoofed,
      other: { from: '198.51.100.12', forwarded: '203.0.113.10' },
    },
  ],
])('%s', (_name, { server, from, forwarded, address, other }) => {
  const way = (tried: number): Way => ({ from, forwarded: forwarded(`192.0.2.${tried}`) });

  it('is the place of the session and of its row in the audit log', async () => {
    const { body } = await signIn(server(), way(1));
    expect((await listed(server(), body.access_token)).address).toBe(address);
    expect(await lastAudited(server())).toBe(address);
    const renewed = await renew(server(), body.refresh_token, way(2));
    expect((await listed(server(), renewed.body.access_token)).address).toBe(address);
  });

  it('is slowed down after ten wrong passwords, whatever the header says beside it', async () => {
    for (let tried = 0; tried < 10; tried += 1) {
      expect((await signIn(server(), way(tried), 'wrong')).status).toBe(400);
    }
    expect((await signIn(server(), way(10))).status).toBe(429);
    expect((await signIn(server(), other)).status).toBe(200);
  });
});
