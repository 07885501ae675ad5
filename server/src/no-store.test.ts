import { CLIENT_ID } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from './features.ts';
import { insertTestFleet, type TestFleet } from './test/fleet.ts';
import { insertTestMerge } from './test/merge.ts';
import { insertStoredFragment } from './test/stored-fragment.ts';
import { createTestServer, PASSWORD, type TestServer } from './test/test-deps.ts';

const START_MS = Date.parse('2026-11-20T05:00:00Z');
let server: TestServer;
let fleet: TestFleet;
let fragmentId: number;
let authorization: string;

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  const fragment = { startMs: START_MS, lengthMs: 20_000, video: Buffer.from('no video') };
  fragmentId = await insertStoredFragment(server, fleet.firstBus, fragment);
  const merge = await insertTestMerge(db, fleet.firstBus, fleet.first, { status: 'COMPLETE' });
  await db
    .updateTable('merge_requests')
    .set({ storage_key: 'merged/1', size_bytes: 1, sha256: Buffer.alloc(32) })
    .where('id', '=', merge)
    .execute();
  authorization = `Bearer ${await server.signIn('first')}`;
});
afterAll(() => server.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url, headers: { authorization, ...headers } });
const signedBy: Readonly<Record<string, () => string>> = {
  "a bus's day": () =>
    `/api/segments/day-segments?workplaceId=${fleet.firstBus.busId}&date=2026-11-20`,
  "a camera's fragments": () =>
    `/api/period_list/${fleet.firstBus.cameras.door1}?startdate=2026-11-20&enddate=2026-11-20`,
  'a fragment': () => `/api/segments/${fragmentId}`,
  'merged files': () => '/api/concatenated-medias',
};

describe('an answer', () => {
  it.each(Object.entries(signedBy))(
    'with signed addresses is written to no disk: %s',
    async (_name, urlOf) => {
      const answer = await get(urlOf());
      expect(answer.body).toContain('hash=');
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it('that is kept in memory is still told from a newer one', async () => {
    const url = signedBy["a bus's day"]?.() ?? '';
    const { etag } = (await get(url)).headers;
    const again = await get(url, { 'if-none-match': `${etag}` });
    expect([again.statusCode, again.headers['cache-control']]).toEqual([304, 'no-store']);
  });

  it('with tokens or a credential is written to no disk, a refusal neither', async () => {
    const askTokens = (password: string) =>
      server.app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          grant_type: 'password',
          username: 'first',
          password,
        }).toString(),
      });
    const fleetPlan = await server.app.inject({
      method: 'POST',
      url: '/api/fleet',
      headers: { authorization: `Bearer ${await server.signIn('admin')}` },
      payload: {
        customers: [
          { name: 'Третий', buses: [{ name: 'Автобус 3', units: [{ device_id: 'unit-three' }] }] },
        ],
      },
    });
    const answers = [
      await askTokens(PASSWORD),
      await askTokens('wrong'),
      fleetPlan,
      await get('/api/x'),
    ];
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
    expect(answers[0]?.body).toContain('access_token');
  });

  it('without such a thing may be kept, as it says', async () => {
    expect((await get('/api/bus_list')).headers['cache-control']).toBe('private, no-cache');
  });
});
