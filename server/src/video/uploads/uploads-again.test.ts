import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
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
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
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

const announceNext = (): Promise<Announced> => {
  minutes += 1;
  return announce(server, fleet.firstBus, START_MS + minutes * 60_000);
};

async function uploadsOf({ fragmentId }: Announced): Promise<string[]> {
  const rows = await server.deps.database.db
    .selectFrom('uploads')
    .select('id')
    .where('segment_id', '=', fragmentId)
    .execute();
  return rows.map(({ id }) => id);
}

describe('a finished upload that comes again', () => {
  it('before it is verified: every way of sending it changes nothing', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    expect((await unit.patch(location, 0, clip)).status).toBe(204);

    expect((await unit.patch(location, 0, clip)).status).toBe(409);
    expect(await unit.offsetOf(location)).toBe(clip.length);
    expect((await unit.patch(location, clip.length, Buffer.alloc(0))).status).toBe(204);
    expect((await unit.patch(location, clip.length, Buffer.from('more'))).status).toBe(413);
    expect((await unit.end(location)).status).toBe(400);
    expect((await unit.create(announced, clip.length)).status).toBe(409);

    expect(await uploadsOf(announced)).toEqual([idOf(location)]);
    await verify(server, idOf(location));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('after it is stored: the unit is told that it is not wanted', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    await unit.patch(location, 0, clip);
    await verify(server, idOf(location));

    const answer = await unit.create(announced, clip.length);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('LOADED')]);
    expect((await unit.patch(location, 0, clip)).status).toBe(404);
    expect(await unit.offsetOf(location)).toBe(-404);
    expect(await stateOf(server, announced)).toMatchObject({ status: 'LOADED' });
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });
});

describe('an upload that is whole, but its server was killed before it took note', () => {
  it('is finished when the unit asks how far it is', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    await unit.patch(location, 0, clip);
    const { db } = server.deps.database;
    const open = { finished_at: null };
    await db.updateTable('uploads').set(open).where('id', '=', idOf(location)).execute();

    expect(await unit.offsetOf(location)).toBe(clip.length);
    await verify(server, idOf(location));
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
  });
});

describe('an upload that is begun anew', () => {
  it('takes the place of the one whose address the unit lost', async () => {
    const announced = await announceNext();
    const lost = await unit.open(announced, clip.length);
    await unit.patch(lost, 0, clip.subarray(0, 1000));
    const location = await unit.open(announced, clip.length);
    expect(await uploadsOf(announced)).toEqual([idOf(location)]);
    expect((await unit.patch(lost, 1000, clip.subarray(1000))).status).toBe(404);
    expect((await unit.patch(location, 0, clip)).status).toBe(204);
    await verify(server, idOf(location));
    await deleteMedia(server);
    expect(await stateOf(server, announced)).toEqual({ status: 'LOADED', fail_reason: null });
    expect(await server.deps.storage.stat(idOf(lost))).toBeUndefined();
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });

  it('by two requests at once leaves one upload', async () => {
    const announced = await announceNext();
    const answers = await Promise.all([1, 2, 3].map(() => unit.create(announced, clip.length)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await uploadsOf(announced)).toHaveLength(1);
  });
});

describe('an upload that the unit ends', () => {
  it('leaves nothing behind but its reason', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, clip.length);
    await unit.patch(location, 0, clip.subarray(0, 1000));
    expect((await unit.end(location)).status).toBe(204);
    expect(await stateOf(server, announced)).toEqual({
      status: 'LOADING',
      fail_reason: 'upload_abandoned',
    });
    await deleteMedia(server);
    expect(await uploadsOf(announced)).toEqual([]);
    expect(await server.deps.storage.stat(idOf(location))).toBeUndefined();
  });
});

describe('a fragment whose video is loaded anew', () => {
  it('keeps the old file until the new one is verified, and a while for those who watch', async () => {
    const announced = await announceNext();
    const { db } = server.deps.database;
    const first = await upload(server, fleet.firstBus, announced, clip);
    await verify(server, first);
    await db
      .updateTable('segments')
      .set({ status: 'DOWNLOADING_FROM_TASK' })
      .where('id', '=', announced.fragmentId)
      .execute();
    const better = makeClip(3);
    const second = await upload(server, fleet.firstBus, announced, better);
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
    await verify(server, second);
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(better));
    expect(await server.deps.storage.stat(first)).toBeDefined();
    await deleteMedia(server);
    expect(await server.deps.storage.stat(first)).toBeUndefined();
    expect(await server.deps.storage.stat(second)).toBeDefined();
  });
});

describe('a body without a length', () => {
  it('is stopped at the announced length', async () => {
    const announced = await announceNext();
    const location = await unit.open(announced, 1000);
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(base + location, {
        method: 'PATCH',
        headers: chunkHeaders(fleet.firstBus.credential, 0),
      });
      request.on('response', (answer) => resolve(answer.statusCode ?? 0));
      request.on('error', reject);
      request.end(clip);
    });
    expect(status).toBe(413);
    expect(await unit.offsetOf(location)).toBeLessThanOrEqual(1000);
    expect((await server.deps.storage.stat(idOf(location)))?.sizeBytes).toBeLessThanOrEqual(1000);
  });
});
