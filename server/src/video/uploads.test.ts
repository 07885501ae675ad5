import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addIngest } from '../ingest/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import {
  type Announced,
  announce,
  idOf,
  makeClip,
  sha256Of,
  upload,
  uploadHeaders,
  verify,
} from '../test/video.ts';
import { sweepUploadsJob } from './sweep-job.ts';
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const job = { jobId: '1', attempt: 1, lastAttempt: false };
let server: TestServer;
let fleet: TestFleet;
let base: string;
let clip: Buffer;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addIngest, addUploads]);
  server.clock.set(START_MS + 24 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  clip = makeClip();
});
afterAll(() => server.close());

const announceNext = (video: 'queued' | 'kept' = 'queued'): Promise<Announced> => {
  minutes += 1;
  return announce(server, fleet.firstBus, START_MS + minutes * 60_000, video);
};

function create(
  announced: { stream: string; seq: number },
  length: number,
  { credential = fleet.firstBus.credential, sha256 }: { credential?: string; sha256?: string } = {},
): Promise<Response> {
  const headers = uploadHeaders(credential, announced, length, sha256);
  return fetch(`${base}/unit/v1/uploads`, { method: 'POST', headers });
}

const patchHeaders = (offset: number, credential = fleet.firstBus.credential) => ({
  authorization: `Bearer ${credential}`,
  'tus-resumable': '1.0.0',
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

const patch = (location: string, offset: number, bytes: Buffer): Promise<Response> =>
  fetch(base + location, {
    method: 'PATCH',
    headers: patchHeaders(offset),
    body: new Uint8Array(bytes),
  });

async function offsetOf(location: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${fleet.firstBus.credential}`,
    'tus-resumable': '1.0.0',
  };
  const answer = await fetch(base + location, { method: 'HEAD', headers });
  return answer.status === 200 ? Number(answer.headers.get('upload-offset')) : -answer.status;
}

const stateOf = ({ segmentId }: Announced) =>
  server.deps.database.db
    .selectFrom('segments')
    .select(['status', 'fail_reason'])
    .where('id', '=', segmentId)
    .executeTakeFirstOrThrow();

async function storedSource({ segmentId }: Announced): Promise<Buffer> {
  const { storage_key } = await server.deps.database.db
    .selectFrom('segment_files')
    .select('storage_key')
    .where('segment_id', '=', segmentId)
    .where('variant', '=', 'source')
    .executeTakeFirstOrThrow();
  return buffer(await server.deps.storage.get(storage_key));
}

// Sends a part, and lets the connection die without saying goodbye once the part has arrived.
async function sendAndCut(location: string, offset: number, bytes: Buffer): Promise<void> {
  const request = httpRequest(base + location, {
    method: 'PATCH',
    headers: { ...patchHeaders(offset), 'content-length': String(clip.length - offset) },
  });
  request.on('error', () => undefined);
  request.write(bytes);
  await vi.waitFor(async () => {
    const stored = await server.deps.storage.stat(idOf(location));
    expect(stored?.sizeBytes).toBe(offset + bytes.length);
  });
  request.destroy(new Error('link lost'));
}

describe('an upload', () => {
  it('brings a fragment to LOADED with the very bytes that the unit sent', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip, sha256Of(clip));
    expect(await stateOf(announced)).toMatchObject({ status: 'LOADING' });
    await verify(server, id);
    expect(await stateOf(announced)).toMatchObject({ status: 'LOADED', fail_reason: null });
    expect(sha256Of(await storedSource(announced))).toBe(sha256Of(clip));
  });

  it('that is cut off goes on where it stopped, again and again', async () => {
    const announced = await announceNext();
    const location = (await create(announced, clip.length)).headers.get('location') ?? '';
    const third = Math.floor(clip.length / 3);
    for (let cut = 0; cut < 2; cut += 1) {
      const from = await offsetOf(location);
      await sendAndCut(location, from, clip.subarray(from, from + third));
    }
    const from = await offsetOf(location);
    expect(from).toBe(2 * third);
    expect((await patch(location, from, clip.subarray(from))).status).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(announced))).toBe(sha256Of(clip));
  });

  it('is told its offset when it goes on elsewhere than it stopped', async () => {
    const location =
      (await create(await announceNext(), clip.length)).headers.get('location') ?? '';
    await patch(location, 0, clip.subarray(0, 100));
    expect((await patch(location, 50, clip.subarray(50))).status).toBe(409);
    expect(await offsetOf(location)).toBe(100);
  });

  it('longer than announced is refused, and its fragment stays as it was', async () => {
    const announced = await announceNext();
    const location = (await create(announced, 100)).headers.get('location') ?? '';
    const answer = await patch(location, 0, clip);
    expect(answer.status).toBe(413);
    expect(await stateOf(announced)).toMatchObject({ status: 'LOADING' });
    expect(await offsetOf(location)).toBeLessThanOrEqual(100);
  });

  it('that arrived damaged fails with the reason', async () => {
    const announced = await announceNext();
    const id = await upload(
      server,
      fleet.firstBus,
      announced,
      clip,
      sha256Of(Buffer.from('other')),
    );
    await verify(server, id);
    const { status, fail_reason } = await stateOf(announced);
    expect([status, fail_reason]).toEqual(['DOWNLOAD_FAIL', expect.stringContaining('SHA-256')]);
    await expect(server.deps.storage.stat(id)).resolves.toBeUndefined();
  });

  it.each([
    ['text', Buffer.from('this is not a video')],
    ['a playlist', Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/etc/passwd\n')],
    ['a list of files', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  ])('that is %s, not a video, fails with the reason', async (_name, bytes) => {
    const announced = await announceNext();
    await verify(server, await upload(server, fleet.firstBus, announced, bytes));
    expect(await stateOf(announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'The file is not a video.',
    });
  });

  it('verified twice is there once', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip);
    await verify(server, id);
    await verify(server, id);
    expect(await stateOf(announced)).toMatchObject({ status: 'LOADED' });
    const { rows } = await sql<{ files: number }>`
      select count(*)::int as files from segment_files where segment_id = ${announced.segmentId}`.execute(
      server.deps.database.db,
    );
    expect(rows[0]?.files).toBe(2);
  });
});

describe('who may upload what', () => {
  it.each([
    ['an empty file', 0, 400],
    ['more than 4 GiB', 4 * 1024 ** 3 + 1, 413],
  ])('%s is refused', async (_name, length, status) => {
    expect((await create(await announceNext(), length)).status).toBe(status);
  });

  it('nothing that was not announced, nor by another unit', async () => {
    const announced = await announceNext();
    const foreign = await create(announced, 10, { credential: fleet.secondBus.credential });
    const unknown = await create({ stream: announced.stream, seq: 77 }, 10);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await foreign.text()).toBe(await unknown.text());
  });

  it('nothing without a credential, and no more with one that has run out', async () => {
    const announced = await announceNext();
    const { db } = server.deps.database;
    expect((await create(announced, 10, { credential: 'nobody' })).status).toBe(401);
    await db
      .updateTable('unit_credentials')
      .set({ expires_at: new Date(server.clock.nowMs() - 1000) })
      .where('unit_id', '=', fleet.secondBus.unitId)
      .execute();
    server.clock.advance(6000);
    const late = await create(announced, 10, { credential: fleet.secondBus.credential });
    expect(late.status).toBe(401);
  });

  it('what lies on the registrar only when it was asked for', async () => {
    const announced = await announceNext('kept');
    const answer = await create(announced, clip.length);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('LIVE')]);
    expect(await stateOf(announced)).toMatchObject({ status: 'LIVE' });
  });

  it('metadata that says nothing usable names its field', async () => {
    const { stream } = await announceNext();
    const answer = await create({ stream, seq: -1 }, 10);
    expect([answer.status, (await answer.json()) as { field: string }]).toEqual([
      400,
      expect.objectContaining({ field: 'Upload-Metadata.seq' }),
    ]);
  });

  it("another unit neither sees nor continues nor ends one's upload", async () => {
    const location =
      (await create(await announceNext(), clip.length)).headers.get('location') ?? '';
    const headers = patchHeaders(0, fleet.secondBus.credential);
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const answer = await fetch(base + location, {
        method,
        headers,
        ...(method === 'PATCH' ? { body: 'x' } : {}),
      });
      expect([method, [401, 404].includes(answer.status)]).toEqual([method, true]);
    }
    expect(await offsetOf(location)).toBe(0);
  });
});

describe('two writers of one upload', () => {
  it('do not mix their bytes: the second waits until the first is gone', async () => {
    const announced = await announceNext();
    const location = (await create(announced, clip.length)).headers.get('location') ?? '';
    const half = Math.floor(clip.length / 2);
    const hanging = httpRequest(base + location, {
      method: 'PATCH',
      headers: { ...patchHeaders(0), 'content-length': String(clip.length) },
    });
    hanging.on('error', () => undefined);
    hanging.write(clip.subarray(0, half));
    await vi.waitFor(async () => {
      const row = await sql<{ held: boolean }>`select lock_holder is not null as held from uploads
        where id = ${idOf(location)}`.execute(server.deps.database.db);
      expect(row.rows[0]?.held).toBe(true);
    });
    // Comes back over a new connection while the server still believes in the old one.
    const from = await offsetOf(location);
    const answer = await patch(location, from, clip.subarray(from));
    hanging.destroy();
    expect(answer.status).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(announced))).toBe(sha256Of(clip));
  });
});

describe('the sweep', () => {
  it('finishes an upload whose last byte was stored just before a crash', async () => {
    const announced = await announceNext();
    const id = await upload(server, fleet.firstBus, announced, clip);
    const { db } = server.deps.database;
    await db
      .updateTable('uploads')
      .set({ finished_at: null, created_at: new Date(server.clock.nowMs() - 120_000) })
      .where('id', '=', id)
      .execute();
    await sweepUploadsJob(server.deps).run({}, job);
    await verify(server, id);
    expect(await stateOf(announced)).toMatchObject({ status: 'LOADED' });
  });

  it('gives up an upload that got no byte for a day', async () => {
    const announced = await announceNext();
    const location = (await create(announced, clip.length)).headers.get('location') ?? '';
    await patch(location, 0, clip.subarray(0, 10));
    await server.deps.database.db
      .updateTable('uploads')
      .set({ created_at: new Date(server.clock.nowMs() - 25 * 3_600_000) })
      .where('id', '=', idOf(location))
      .execute();
    await sweepUploadsJob(server.deps).run({}, job);
    expect(await stateOf(announced)).toEqual({
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'The upload did not finish.',
    });
    expect(await offsetOf(location)).toBe(-404);
  });
});
