// A process that works without video: everything else works, and units and users learn why.
import { randomUUID } from 'node:crypto';
import { ErrorBody } from '@ridewatch/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { mergeJobs } from '../merges/job.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { createTusClient } from '../test/tus.ts';
import { announce } from '../test/video.ts';
import { videoJobs } from './jobs.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const videoOff = { reason: 'old_ffmpeg', todo: 'Install ffmpeg.' } as const;
let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  const features = [...ingestFeatures, ...apiFeatures];
  server = await createTestServer(features, {}, undefined, { videoOff });
  server.clock.set(START_MS + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

async function ask(login: string, method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) {
  const token = await server.signIn(login);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, ...(body && { body }) });
  return { status: answer.statusCode, body: answer.json() };
}

describe('a server that takes no video', () => {
  it('takes records, and lets an upload wait with the reason', async () => {
    const base = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const announced = await announce(server, fleet.firstBus, START_MS);
    const refused = await createTusClient(base, fleet.firstBus.credential).create(announced, 100);
    expect([refused.status, ErrorBody.parse(await refused.json()).error]).toEqual([
      503,
      'video_off',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBe(600);
    const sent = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${fleet.firstBus.credential}` },
      body: { stream: randomUUID(), sent_at: new Date(START_MS).toISOString(), records: [] },
    });
    expect(sent.statusCode).toBe(200);
  });

  it('refuses to fetch and to merge video, by name', async () => {
    const id = await insertAnnouncedFragment(server.deps.database.db, fleet.firstBus);
    const [from, to] = [START_MS, START_MS + 60_000].map((ms) => new Date(ms).toISOString());
    const { door1: camera } = fleet.firstBus.cameras;
    for (const answer of [
      await ask('first', 'PATCH', `/api/segments/set-downloading/${id}`),
      await ask('first', 'POST', '/api/segments/set-downloading', {
        ...{ cameraId: camera, startTime: from, endTime: to },
      }),
      await ask('first', 'POST', '/api/concatenated-medias/merge', {
        deviceId: camera,
        from,
        to,
        processed: false,
      }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([503, 'video_off']);
    }
  });

  it('tells administrators and insiders what to do, and nobody else', async () => {
    expect((await ask('admin', 'GET', '/api/admin')).body.video_off).toBe('old_ffmpeg');
    expect((await ask('integrator', 'GET', '/api/admin')).body.video_off).toBeNull();
    const ready = async (remoteAddress: string) =>
      (await server.app.inject({ url: '/readyz', remoteAddress })).json();
    expect(await ready('127.0.0.1')).toMatchObject({ status: 'degraded', video: videoOff.todo });
    expect(await ready('192.0.2.7')).toEqual({ status: 'ok' });
  });

  it('leaves what has come before in the queue', () => {
    const names = [...videoJobs(server.deps), ...mergeJobs(server.deps)].map(({ name }) => name);
    expect(names).not.toContain('verify_upload');
    expect(names).not.toContain('merge');
    expect(names).toContain('delete_media');
  });
});
