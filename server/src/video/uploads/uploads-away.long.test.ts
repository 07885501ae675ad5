// Uploads while the database is unavailable: the client gets 503 with Retry-After within 10 s and loses nothing.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { ErrorBody } from '@ridewatch/contract/errors';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { createAuthenticators } from '../../auth/authenticators.ts';
import { limitsOf } from '../../core/db/connections.ts';
import { type Database, openDatabase } from '../../core/db/db.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { type DatabaseLink, openDatabaseLink } from '../../test/database-link.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { chunkHeaders, createTusClient, type TusClient } from '../../test/tus.ts';
import {
  type Announced,
  announce,
  idOf,
  sha256Of,
  storedSource,
  verify,
} from '../../test/video.ts';
import { createUploadLocker } from './upload-lock.ts';
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
/** Shorter timeouts than in the product. */
const limits = { ...limitsOf.ingest, statementMs: 1500 };
const SILENCE_MS = limits.statementMs + 1000;
/** Most time of an answer, ms: the timeout and 1.8 s, as 8 s and 10 s in the product. */
const ANSWER_MS = SILENCE_MS + 1800;

let server: TestServer;
let fleet: TestFleet;
let link: DatabaseLink;
let database: Database;
let app: Awaited<ReturnType<typeof buildApp>>;
let base: string;
let unit: TusClient;
let clip: Buffer;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(START_MS + 24 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  link = await openDatabaseLink(server.deps.database.url);
  database = openDatabase(link.url, 5, limits, () => undefined);
  const deps = { ...server.deps, database };
  app = await buildApp(deps, await createAuthenticators(deps), [addUploads]);
  base = await app.listen({ port: 0, host: '127.0.0.1' });
  unit = createTusClient(base, fleet.firstBus.credential);
  clip = makeClip();
});
afterAll(async () => {
  await app.close();
  await database.close();
  await link.close();
  await server.close();
});
beforeEach(() => link.speak());

async function begin(): Promise<{ announced: Announced; location: string }> {
  minutes += 1;
  const announced = await announce(server, fleet.firstBus, START_MS + minutes * 60_000);
  return { announced, location: await unit.open(announced, clip.length) };
}

async function timed<T>(call: Promise<T>): Promise<{ answer: T; ms: number }> {
  const sinceMs = performance.now();
  const answer = await call;
  return { answer, ms: performance.now() - sinceMs };
}

/** Opens a chunk that is sent slowly. */
function openChunk(location: string) {
  const request = httpRequest(base + location, {
    method: 'PATCH',
    headers: {
      ...chunkHeaders(fleet.firstBus.credential, 0),
      'content-length': String(clip.length),
    },
  });
  const response = once(request, 'response').then(([one]) => one as IncomingMessage);
  return { request, response };
}

const leaseOf = async (location: string) => {
  const { rows } = await sql<{ holder: string | null; until: Date }>`
    select lock_holder as holder, lock_until as until from uploads where id = ${idOf(location)}
  `.execute(server.deps.database.db);
  return rows[0];
};

const away = { status: 503, retryAfter: '5', error: 'unavailable' };

describe('an upload whose database falls silent', () => {
  it.each(['POST', 'HEAD', 'PATCH'])('has %s answered with 503 in time', async (method) => {
    const { announced, location } = await begin();
    link.fallSilent();
    const call = {
      POST: () => unit.create(announced, clip.length),
      HEAD: () =>
        fetch(base + location, {
          method,
          headers: chunkHeaders(fleet.firstBus.credential, 0),
        }),
      PATCH: () => unit.patch(location, 0, clip),
    }[method];
    if (call === undefined) throw new Error(method);
    const { answer, ms } = await timed(call());
    const error = method === 'HEAD' ? 'unavailable' : ((await answer.json()) as ErrorBody).error;
    const retryAfter = answer.headers.get('retry-after');
    expect({ status: answer.status, retryAfter, error }).toEqual(away);
    expect(ms).toBeLessThan(ANSWER_MS);
  });

  it('in the middle of a chunk keeps what has come, and says when to ask how much that is', async () => {
    const { announced, location } = await begin();
    const { request, response } = openChunk(location);
    request.write(clip.subarray(0, 1000));
    await vi.waitFor(async () => expect((await leaseOf(location))?.holder).not.toBeNull());
    link.fallSilent();
    request.end(clip.subarray(1000));
    const { answer, ms } = await timed(response);
    const { error } = (await json(answer)) as ErrorBody;
    const { statusCode: status, headers } = answer;
    expect({ status, retryAfter: headers['retry-after'], error }).toEqual(away);
    expect(ms).toBeLessThan(ANSWER_MS);

    link.speak();
    // The lease, which could not be released, expires.
    await sql`update uploads set lock_until = now() where id = ${idOf(location)}`.execute(
      server.deps.database.db,
    );
    expect(await unit.offsetOf(location)).toBe(clip.length);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });
});

describe('an upload that another request holds', () => {
  it('is 503 within 10 s, for who died with its lease lets go of it later', async () => {
    const { location } = await begin();
    await sql`update uploads set lock_holder = gen_random_uuid(), lock_until = now() + interval '1 hour'
      where id = ${idOf(location)}`.execute(server.deps.database.db);
    const { answer, ms } = await timed(unit.patch(location, 0, clip));
    const retryAfter = answer.headers.get('retry-after');
    const { error } = (await answer.json()) as ErrorBody;
    expect({ status: answer.status, retryAfter, error }).toEqual(away);
    expect(ms).toBeLessThan(10_000);
  });
});

describe('the lease of an upload', () => {
  it('is renewed by one statement at a time, and one that fails is logged and made up for', async () => {
    const { location } = await begin();
    const warn = vi.spyOn(server.deps.log, 'warn');
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    // Uploads of other tests may still hold connections of theirs.
    const own = openDatabase(link.url, 5, limits, () => undefined);
    const locker = createUploadLocker({ database: own, log: server.deps.log }, { renewMs: 50 });
    const lock = locker.newLock(idOf(location));
    const letGo = vi.fn();
    await lock.lock(new AbortController().signal, letGo);
    const asked = vi.spyOn(own.pool, 'connect');
    link.fallSilent();
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), {
      timeout: 3 * SILENCE_MS,
      interval: 20,
    });
    // One each 50 ms would hold all connections by now.
    expect(asked).toHaveBeenCalled();
    expect(own.pool.totalCount - own.pool.idleCount).toBeLessThanOrEqual(1);
    link.speak();
    const before = await leaseOf(location);
    await vi.waitFor(async () => {
      const now = await leaseOf(location);
      expect(now?.until.getTime()).toBeGreaterThan(before?.until.getTime() ?? 0);
    });
    await lock.unlock();
    expect(await leaseOf(location)).toMatchObject({ holder: null });
    expect(letGo).not.toHaveBeenCalled();
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
    await own.close();
  });
});
