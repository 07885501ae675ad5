import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, KNOWN_MS, type TestServer } from '../../test/test-deps.ts';
import { chunkHeaders, createTusClient, type TusClient } from '../../test/tus.ts';
import {
  type Announced,
  announce,
  deleteMedia,
  idOf,
  sha256Of,
  stateOf,
  storedSource,
  upload,
  verify,
} from '../../test/video.ts';
import { sweepVideoJob } from '../sweep-job.ts';
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
let server: TestServer;
let fleet: TestFleet;
let base: string;
let unit: TusClient;
let clip: Buffer;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addIngest, addUploads]);
  server.clock.set(START_MS + 24 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  unit = createTusClient(base, fleet.firstBus.credential);
  clip = makeClip();
});
afterAll(() => server.close());

const announceNext = (video: 'queued' | 'kept' = 'queued'): Promise<Announced> => {
  minutes += 1;
  return announce(server, fleet.firstBus, START_MS + minutes * 60_000, video);
};

// Sends some bytes and destroys the connection when they have arrived.
async function sendAndCut(location: string, offset: number, bytes: Buffer): Promise<void> {
  const request = httpRequest(base + location, {
    method: 'PATCH',
    headers: {
      ...chunkHeaders(fleet.firstBus.credential, offset),
      'content-length': String(clip.length - offset),
    },
  });
  request.on('error', () => undefined);
  request.write(bytes);
  await expectStored(location, offset + bytes.length);
  request.destroy(new Error('link lost'));
}

const expectStored = (location: string, bytes: number): Promise<void> =>
  vi.waitFor(async () => {
    const stored = await server.deps.storage.stat(idOf(location));
    expect(stored?.sizeBytes).toBe(bytes);
  });

const setRevoked = ({ unitId }: TestBus, revoked_at: Date | null) =>
  server.deps.database.db
    .updateTable('unit_credentials')
    .set({ revoked_at })
    .where('unit_id', '=', unitId)
    .execute();

describe('an upload', () => {
  it('brings a fragment to LOADED with the very bytes that the unit sent', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip, sha256Of(clip));
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
    await verify(server, id);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED', fail_reason: null });
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('that is cut off goes on where it stopped, again and again', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    const third = Math.floor(clip.length / 3);
    for (let cut = 0; cut < 2; cut += 1) {
      const from = await unit.offsetOf(location);
      await sendAndCut(location, from, clip.subarray(from, from + third));
    }
    const from = await unit.offsetOf(location);
    expect(from).toBe(2 * third);
    expect((await unit.patch(location, from, clip.subarray(from))).status).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('is told its offset when it goes on elsewhere than it stopped', async () => {
    const location = await unit.open(await announceNext(), clip.length);
    await unit.patch(location, 0, clip.subarray(0, 100));
    expect((await unit.patch(location, 50, clip.subarray(50))).status).toBe(409);
    expect(await unit.offsetOf(location)).toBe(100);
  });

  it('stores nothing that comes after the end of its credential', async () => {
    const bus = await insertTestBus(server.deps.database.db, fleet.first, 'Автобус 900');
    const own = createTusClient(base, bus.credential);
    const announced = await announce(server, bus, START_MS);
    const location = await own.open(announced, clip.length);
    const third = Math.floor(clip.length / 3);
    const request = httpRequest(base + location, {
      method: 'PATCH',
      headers: { ...chunkHeaders(bus.credential, 0), 'content-length': String(clip.length) },
    });
    const answered = once(request, 'response');
    request.write(clip.subarray(0, third));
    await expectStored(location, third);
    await setRevoked(bus, new Date(server.clock.nowMs()));
    server.clock.advance(KNOWN_MS);
    request.end(clip.subarray(third));
    const [answer] = (await answered) as [IncomingMessage];
    const body = await json(answer);
    expect([answer.statusCode, body]).toMatchObject([401, { error: 'unauthorized' }]);
    const { rows } = await sql<{ received_bytes: number }>`
      select received_bytes from uploads where id = ${idOf(location)}`.execute(
      server.deps.database.db,
    );
    expect(rows).toEqual([{ received_bytes: third }]);

    await setRevoked(bus, null);
    expect(await own.offsetOf(location)).toBe(third);
    expect((await own.patch(location, third, clip.subarray(third))).status).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('goes on while the database cannot say whether its credential is valid', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    const third = Math.floor(clip.length / 3);
    const request = httpRequest(base + location, {
      method: 'PATCH',
      headers: {
        ...chunkHeaders(fleet.firstBus.credential, 0),
        'content-length': String(clip.length),
      },
    });
    const answered = once(request, 'response');
    request.write(clip.subarray(0, third));
    await expectStored(location, third);
    const { db } = server.deps.database;
    await sql`alter table unit_credentials rename to lost_credentials`.execute(db);
    server.clock.advance(KNOWN_MS);
    request.write(clip.subarray(third, 2 * third));
    await expectStored(location, 2 * third).finally(() =>
      sql`alter table lost_credentials rename to unit_credentials`.execute(db),
    );
    request.end(clip.subarray(2 * third));
    const [answer] = (await answered) as [IncomingMessage];
    expect(answer.statusCode).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('longer than announced is refused, and its fragment stays as it was', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, 100);
    const answer = await unit.patch(location, 0, clip);
    expect(answer.status).toBe(413);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADING' });
    expect(await unit.offsetOf(location)).toBeLessThanOrEqual(100);
  });

  it('that arrived damaged is thrown away', async () => {
    const announced = await announceNext();
    const other = sha256Of(Buffer.from('other'));
    const id = await upload(server, fleet.firstBus, announced, clip, other);
    await verify(server, id);
    expect((await stateOf(server, announced)).fail_reason).toBe('damaged');
    await deleteMedia(server);
    await expect(server.deps.storage.stat(id)).resolves.toBeUndefined();
  });

  it.each([
    ['text', Buffer.from('this is not a video')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/etc/passwd\n')],
    ['a list of files', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  ])('that is %s, not a video, fails with the reason', async (_name, bytes) => {
    const announced = await announceNext();
    await verify(server, await upload(server, fleet.firstBus, announced, bytes, sha256Of(bytes)));
    expect(await stateOf(server, announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'not_a_video',
    });
  });

  it('verified twice is there once', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip);
    await verify(server, id);
    await verify(server, id);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED' });
    const { rows } = await sql<{ files: number }>`
      select count(*)::int as files from segment_files where segment_id = ${announced.fragmentId}`.execute(
      server.deps.database.db,
    );
    expect(rows[0]?.files).toBe(3);
  });
});

/** The body of an answer without its request id. */
async function bodyOf(answer: Response): Promise<unknown> {
  return { ...((await answer.json()) as object), requestId: '' };
}

describe('who may upload what', () => {
  it.each([
    ['an empty file', 0, 400],
    ['more than 4 GiB', 4 * 1024 ** 3 + 1, 413],
  ])('%s is refused', async (_name, length, status) => {
    expect((await unit.create(await announceNext(), length)).status).toBe(status);
  });

  it('nothing that was not announced, nor by another unit', async () => {
    const announced = await announceNext();
    const foreign = await unit.create(announced, 10, { credential: fleet.secondBus.credential });
    const unknown = await unit.create({ stream: announced.stream, seq: 77 }, 10);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await bodyOf(foreign)).toEqual(await bodyOf(unknown));
  });

  it("another unit's upload is as if it were not there: not seen, continued or ended", async () => {
    const location = await unit.open(await announceNext(), clip.length);
    const stranger = createTusClient(base, fleet.secondBus.credential);
    const answersFor = async (address: string) => {
      const answers = [await stranger.patch(address, 0, clip), await stranger.end(address)];
      const texts = await Promise.all(answers.map(bodyOf));
      return [await stranger.offsetOf(address), ...answers.map(({ status }) => status), ...texts];
    };
    const none = `/unit/v1/uploads/${Buffer.from('video/00/none').toString('base64url')}`;
    const answers = await answersFor(location);
    expect(answers.slice(0, 3)).toEqual([-404, 404, 404]);
    expect(answers).toEqual(await answersFor(none));
    expect(await unit.offsetOf(location)).toBe(0);
  });

  it('nothing without a credential, and no more with one that has run out', async () => {
    const announced = await announceNext();
    const { db } = server.deps.database;
    expect((await unit.create(announced, 10, { credential: 'nobody' })).status).toBe(401);
    await db
      .updateTable('unit_credentials')
      .set({ expires_at: new Date(server.clock.nowMs() - 1000) })
      .where('unit_id', '=', fleet.secondBus.unitId)
      .execute();
    server.clock.advance(6000);
    const late = await unit.create(announced, 10, { credential: fleet.secondBus.credential });
    expect(late.status).toBe(401);
  });

  it('what lies on the registrar only when it was asked for', async () => {
    const announced = await announceNext('kept');
    const answer = await unit.create(announced, clip.length);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('LIVE')]);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LIVE' });
  });

  it('metadata that says nothing usable names its field', async () => {
    const { stream } = await announceNext();
    const answer = await unit.create({ stream, seq: -1 }, 10);
    expect([answer.status, (await answer.json()) as { field: string }]).toEqual([
      400,
      expect.objectContaining({ field: 'Upload-Metadata.seq' }),
    ]);
  });
});

describe('the sweep', () => {
  it('finishes an upload whose last byte was stored just before a crash', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip);
    const { db } = server.deps.database;
    const before = new Date(server.clock.nowMs() - 120_000);
    await db
      .updateTable('uploads')
      .set({ finished_at: null, created_at: before, received_at: before })
      .where('id', '=', id)
      .execute();
    await sweepVideoJob(server.deps).run({}, job);
    await verify(server, id);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED' });
  });
});
