// A registrar of JT/T 808 is asked for a part of a file, cut for instance at the move of its unit, and may send the whole.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { makeClip } from '../test/clip.ts';
import { insertTestFleet, type TestBus } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce, stateOf, upload, verify } from '../test/video.ts';
import { addUploads } from './uploads/uploads.ts';

const START_MS = Date.parse('2026-11-20T05:00:00Z');
let server: TestServer;
let bus: TestBus;
let clip: Buffer;
let minutes = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addUploads]);
  server.clock.set(START_MS + 3_600_000);
  bus = (await insertTestFleet(server.deps.database.db)).firstBus;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  clip = makeClip(6);
});
afterAll(() => server.close());

it.each([
  ['the whole file in place of a part', 2000, 0, 'DOWNLOAD_FAIL', 'longer_than_asked'],
  ['the part', 6000, 0, 'LOADED', null],
  ['a file as its list names it, with a clock that runs slowly', 2000, 9, 'LOADED', null],
])('%s', async (_, lengthMs, sizeBytes, status, fail_reason) => {
  minutes += 1;
  const startMs = START_MS + minutes * 60_000;
  const announced = await announce(server, bus, startMs, 'queued', { lengthMs });
  const file = { segment_id: announced.fragmentId, size_bytes: sizeBytes };
  await server.deps.database.db
    .insertInto('registrar_files')
    .values({ ...file, media: 0, stream: 1, storage: 1 })
    .execute();
  await verify(server, await upload(server, bus, announced, clip));
  expect(await stateOf(server, announced)).toEqual({ status, fail_reason });
});
