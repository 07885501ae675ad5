import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { causesOf, lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { makeCertificate } from '../test/self-signed.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAttention } from './api.ts';
import { watchAttentionJob } from './watch-job.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GB = 1e9;

let server: TestServer;
let fleet: TestFleet;
let proxy: Server | undefined;
const open = async (environment: Record<string, string> = {}) => {
  server = await createTestServer([addAuth, addAttention], environment);
  fleet = await insertTestFleet(server.deps.database.db);
};
beforeEach(() => {
  proxy = undefined;
});
afterEach(async () => {
  await server.close();
  proxy?.close();
});

const seenBy = async (role: string) =>
  (await causesOf(server, await server.signIn(role))).items.map(
    ({ details }: { details: object }) => details,
  );

describe('a disk', () => {
  const look = async (usedGb: number) => {
    server.disk.set({ totalBytes: 1000 * GB, freeBytes: (1000 - usedGb) * GB });
    await watchAttentionJob(server.deps).run({}, {} as never);
  };
  beforeEach(() => open());

  it('that fills needs attention a week before it is crowded, at its pace', async () => {
    await look(600);
    server.clock.advance(2 * DAY_MS);
    await look(660);
    // 190 GB are left until 85 %, at 30 GB a day.
    expect(await seenBy('admin')).toEqual([
      { kind: 'runs_out', what: 'disk', name: null, days: 6 },
    ]);
    expect(await seenBy('first')).toEqual([]);
  });

  it('whose old video is deleted as fast as new comes does not', async () => {
    await look(800);
    server.clock.advance(3 * DAY_MS);
    await look(801);
    expect(await seenBy('admin')).toEqual([]);
  });

  it('is known after a day', async () => {
    await look(600);
    server.clock.advance(23 * HOUR_MS);
    await look(800);
    expect(await seenBy('admin')).toEqual([]);
  });

  it('that got room needs none any more', async () => {
    await look(600);
    server.clock.advance(2 * DAY_MS);
    await look(700);
    expect(await seenBy('admin')).toHaveLength(1);
    server.clock.advance(60_000);
    await look(500);
    expect(await seenBy('admin')).toEqual([]);
  });
});

describe('a certificate', () => {
  async function serve(daysLeft: number, nowMs: number): Promise<string> {
    proxy = createServer(makeCertificate(nowMs + daysLeft * DAY_MS + HOUR_MS));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    return `https://localhost:${(proxy.address() as AddressInfo).port}`;
  }

  const look = (deps = server.deps) => watchAttentionJob(deps).run({}, {} as never);
  /** Opens a product whose certificate ends. @returns what notices say at so many days before its end */
  async function openWith(daysLeft: number) {
    const nowMs = Date.now();
    const url = await serve(daysLeft, nowMs);
    await open({ PUBLIC_URL: url });
    server.clock.set(nowMs);
    const { host: name } = new URL(url);
    return (days: number) => [{ kind: 'runs_out', what: 'certificate', name, days }];
  }

  it.each([
    [15, []],
    [13, [13]],
    [-1, [-1]],
  ])('with %i days left is %j', async (daysLeft, expected) => {
    const noticeOf = await openWith(daysLeft);
    await look();
    expect(await seenBy('admin')).toEqual(expected.flatMap(noticeOf));
  });

  it('that cannot be read keeps its notice, which counts the days, also for another process', async () => {
    const noticeOf = await openWith(13);
    const job = watchAttentionJob(server.deps);
    await job.run({}, {} as never);
    proxy?.close();
    server.clock.advance(2 * DAY_MS);
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toEqual(noticeOf(11));
    server.clock.advance(DAY_MS);
    await look();
    expect(await seenBy('admin')).toEqual(noticeOf(10));
  });

  it('that took the place of another one counts the days to its own end when it cannot be read', async () => {
    const noticeOf = await openWith(5);
    const job = watchAttentionJob(server.deps);
    await job.run({}, {} as never);
    proxy?.setSecureContext(makeCertificate(server.clock.nowMs() + 12 * DAY_MS + 3 * HOUR_MS));
    server.clock.advance(HOUR_MS);
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toEqual(noticeOf(12));
    proxy?.close();
    server.clock.advance(HOUR_MS);
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toEqual(noticeOf(12));
    server.clock.advance(DAY_MS);
    await look();
    expect(await seenBy('admin')).toEqual(noticeOf(11));
  });

  it('that cannot be read gets no notice', async () => {
    await openWith(15);
    const job = watchAttentionJob(server.deps);
    await job.run({}, {} as never);
    proxy?.close();
    server.clock.advance(2 * DAY_MS);
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toEqual([]);
  });

  it.each(['https://127.0.0.1:1', 'http://localhost'])(
    'of a former address needs no attention when the present one is %s',
    async (url) => {
      await openWith(13);
      await look();
      expect(await seenBy('admin')).toHaveLength(1);
      const { config } = server.deps;
      await look({ ...server.deps, config: { ...config, publicUrl: url } });
      expect(await seenBy('admin')).toEqual([]);
    },
  );

  it('of an address that cannot be reached is not known', async () => {
    await open({ PUBLIC_URL: 'https://127.0.0.1:1' });
    await look();
    expect(await seenBy('admin')).toEqual([]);
  });
});

describe('an API key', () => {
  const key = async (daysLeft: number) => {
    const { db } = server.deps.database;
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('login', '=', 'admin')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('api_keys')
      .values({
        ...{ client_id: fleet.first, name: 'Табло', scopes: ['buses'], created_by: id },
        ...{ secret_hash: Buffer.from(`${daysLeft}`), created_at: new Date(0) },
        expires_at: new Date(server.clock.nowMs() + daysLeft * DAY_MS + HOUR_MS),
      })
      .execute();
  };
  beforeEach(() => open());

  it.each([
    [8, []],
    [6, [6]],
    [-3, [-3]],
    [-8, []],
  ])('with %i days left is %j, for its customer and administrators', async (daysLeft, expected) => {
    await key(daysLeft);
    await lookForCauses(server);
    const details = expected.map((days) => ({
      ...{ kind: 'runs_out', what: 'api_key', name: 'Табло', days },
    }));
    for (const role of ['first', 'admin', 'integrator'])
      expect(await seenBy(role)).toEqual(details);
    expect(await seenBy('second')).toEqual([]);
  });

  it('that was revoked needs no attention', async () => {
    await key(2);
    const { db } = server.deps.database;
    await db
      .updateTable('api_keys')
      .set({ revoked_at: new Date(0) })
      .execute();
    await lookForCauses(server);
    expect(await seenBy('first')).toEqual([]);
  });
});
