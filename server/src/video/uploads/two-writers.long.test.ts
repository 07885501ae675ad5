// A unit that is back before the server notices that its link was lost.
import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addIngest } from '../../ingest/http/api.ts';
import { makeClip } from '../../test/clip.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { chunkHeaders, createTusClient } from '../../test/tus.ts';
import { announce, idOf, sha256Of, storedSource, verify } from '../../test/video.ts';
import { addUploads } from './uploads.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
let server: TestServer;
let fleet: TestFleet;
let base: string;

beforeAll(async () => {
  server = await createTestServer([addIngest, addUploads]);
  server.clock.set(START_MS + 24 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

describe('two writers of one upload', () => {
  it('do not mix their bytes: the second waits until the first is gone', async () => {
    const unit = createTusClient(base, fleet.firstBus.credential);
    const clip = makeClip();
    const announced = await announce(server, fleet.firstBus, START_MS);
    const location = await unit.open(announced, clip.length);
    const half = Math.floor(clip.length / 2);
    const hanging = httpRequest(base + location, {
      method: 'PATCH',
      headers: {
        ...chunkHeaders(fleet.firstBus.credential, 0),
        'content-length': String(clip.length),
      },
    });
    hanging.on('error', () => undefined);
    hanging.write(clip.subarray(0, half));
    await vi.waitFor(async () => {
      const row = await sql<{ held: boolean }>`select lock_holder is not null as held from uploads
        where id = ${idOf(location)}`.execute(server.deps.database.db);
      expect(row.rows[0]?.held).toBe(true);
    });
    // The unit reconnects while the server still holds the old connection.
    const from = await unit.offsetOf(location);
    const answer = await unit.patch(location, from, clip.subarray(from));
    hanging.destroy();
    expect(answer.status).toBe(204);
    await verify(server, idOf(location));
    expect(sha256Of(await storedSource(server, announced))).toBe(sha256Of(clip));
  });
});
