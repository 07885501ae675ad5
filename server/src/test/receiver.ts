// A server that takes files of a bus's cameras as a unit sends them, verifies and counts them.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fragment } from '@ridewatch/contract/fragments';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { countFragmentJob } from '../counts/count-job.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addVideo } from '../video/api.ts';
import { addUploads } from '../video/uploads/uploads.ts';
import { insertTestFleet } from './fleet.ts';
import { createTestServer, type TestServer } from './test-deps.ts';
import { announce, sha256Of, upload, verify } from './video.ts';

const DAY = '2026-11-20';
const START_MS = Date.parse(`${DAY}T05:00:00Z`);

export interface Receiver {
  readonly server: TestServer;
  /** For files of the tests. */
  readonly folder: string;
  /** Uploads, verifies and, for a counting camera, counts a file. @returns its fragment */
  receive(file: string, lengthMs: number, camera?: 'door1' | 'cabin'): Promise<Fragment>;
  /** Gets an address of a fragment. */
  get(
    uri: string | null,
    headers?: Record<string, string>,
  ): Promise<Awaited<ReturnType<TestServer['app']['inject']>>>;
  close(): Promise<void>;
}

/** Opens a receiver with a bus, and a new fragment every five minutes. */
export async function openReceiver(): Promise<Receiver> {
  const server = await createTestServer([addAuth, addIngest, addBusDay, addUploads, addVideo]);
  server.clock.set(START_MS + 12 * 3_600_000);
  const bus = (await insertTestFleet(server.deps.database.db)).firstBus;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-verify-test-'));
  let minutes = 0;

  async function shown(fragmentId: number, cameraId: number): Promise<Fragment> {
    const answer = await server.app.inject({
      url: `/api/period_list/${cameraId}?startdate=${DAY}&enddate=${DAY}`,
      headers: { authorization: `Bearer ${await server.signIn('first')}` },
    });
    const { items } = answer.json<{ items: Fragment[] }>();
    const found = items.find(({ id }) => id === fragmentId);
    if (found === undefined) throw new Error(answer.body);
    return found;
  }

  return {
    server,
    folder,
    receive: async (file, lengthMs, camera = 'door1') => {
      minutes += 5;
      const options = { lengthMs, camera };
      const announced = await announce(server, bus, START_MS + minutes * 60_000, 'queued', options);
      const bytes = readFileSync(file);
      await verify(server, await upload(server, bus, announced, bytes, sha256Of(bytes)));
      const job = countFragmentJob(server.deps);
      if (camera !== 'cabin') {
        const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
        await job.run({ segmentId: announced.fragmentId }, context);
      }
      return shown(announced.fragmentId, bus.cameras[camera]);
    },
    get: (uri, headers = {}) => server.app.inject({ url: uri ?? '/none', headers }),
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
