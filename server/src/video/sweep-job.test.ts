import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { sweepVideoJob } from './sweep-job.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer([]);
});
afterAll(() => server.close());

describe('the sweep of uploads', () => {
  it('runs to its end where nothing is to be done', async () => {
    const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
    await expect(sweepVideoJob(server.deps).run({}, context)).resolves.toBeUndefined();
  });
});
