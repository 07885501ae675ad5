// Uploads by FTP into a bucket, which joins the parts of a file only at the length that it knows.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { issueFtpLogin } from '../fetching/ftp-logins.ts';
import { settleShorter } from '../fetching/short-ends.ts';
import type { TcpListener } from '../ingest/by-id/tcp-listener.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { connectFtp, type FtpClient } from '../test/ftp.ts';
import { adoptJt808 } from '../test/jt808.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { announce, sha256Of } from '../test/video.ts';
import { sweepOpenUploadsJob } from '../video/sweep-job.ts';
import { createFtpListener } from './listener.ts';

const START_MS = Date.UTC(2026, 10, 20, 5);
const FILE = Buffer.alloc(300_000, 'video');
const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
let folder: string;
let s3: S3rver;
let server: TestServer;
let fleet: TestFleet;
let listener: TcpListener;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-ftp-'));
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  const parts = new Map<string, string>();
  const joined = new Set<string>();
  s3.middleware.unshift(async (context, next) => {
    context.set('Date', new Date().toUTCString());
    const { uploadId = '', partNumber } = context.query;
    // The library lacks the list of the parts of a file.
    if (context.method === 'GET' && uploadId !== '') {
      const list = `<ListPartsResult>${parts.get(uploadId) ?? ''}</ListPartsResult>`;
      const isJoined = joined.has(uploadId);
      context.body = isJoined ? '<Error><Code>NoSuchUpload</Code></Error>' : list;
      context.status = isJoined ? 404 : 200;
      context.type = 'application/xml';
      return;
    }
    await next();
    if (context.method === 'POST') joined.add(uploadId);
    if (context.method === 'PUT' && partNumber !== undefined) {
      const size = context.get('x-amz-decoded-content-length') || context.get('content-length');
      const number = `<PartNumber>${partNumber}</PartNumber>`;
      const part = `<Part>${number}<ETag>${context.response.get('etag')}</ETag><Size>${size}</Size></Part>`;
      parts.set(uploadId, (parts.get(uploadId) ?? '') + part);
    }
  });
  const { port } = await s3.run();
  // Nor does it read bodies with a checksum behind them.
  vi.stubEnv('AWS_REQUEST_CHECKSUM_CALCULATION', 'when_required');
  server = await createTestServer([addIngest], {
    ...{ HOST: '127.0.0.1', S3_BUCKET: 'media', S3_ENDPOINT: `http://127.0.0.1:${port}` },
    ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
  });
  server.clock.set(START_MS + 24 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  await adoptJt808(server.deps.database.db, fleet.firstBus.unitId, '13900000000');
  listener = createFtpListener(server.deps, 0);
  await listener.start();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await listener.stop();
  await server.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function signIn(minute: number, sizeBytes: number) {
  const { unitId } = fleet.firstBus;
  const { fragmentId } = await announce(server, fleet.firstBus, START_MS + minute * 60_000);
  const login = await server.deps.database.db
    .transaction()
    .execute((tx) =>
      issueFtpLogin(tx, { unitId, fragmentId, sizeBytes, nowMs: server.clock.nowMs() }),
    );
  const client: FtpClient = await connectFtp(listener.openPort());
  expect(await client.signIn(login)).toMatch(/^230/);
  return { client, fragmentId };
}

async function storedOf(fragmentId: number): Promise<string> {
  const { id } = await server.deps.database.db
    .selectFrom('uploads')
    .select('id')
    .where('segment_id', '=', fragmentId)
    .where('finished_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return sha256Of(await buffer(await server.deps.storage.get(id)));
}

it('a file that comes in two connections is whole', async () => {
  const { client, fragmentId } = await signIn(1, FILE.length);
  expect(await client.send(FILE.subarray(0, 1000))).toMatch(/^451/);
  expect(await client.ask('SIZE a')).toBe('213 1000');
  expect(await client.send(FILE.subarray(1000), 'APPE a')).toMatch(/^226/);
  expect(await storedOf(fragmentId)).toBe(sha256Of(FILE));
  client.cut();
});

it('a file that is shorter than the list said is whole at its second end', async () => {
  const { client, fragmentId } = await signIn(2, FILE.length + 1);
  expect(await client.send(FILE)).toMatch(/^451/);
  await client.ask(`REST ${FILE.length - 1}`);
  expect(await client.send(FILE.subarray(-1))).toMatch(/^226/);
  expect(await storedOf(fragmentId)).toBe(sha256Of(FILE));
  client.cut();
});

it('a file that is shorter than the list said is whole by the result of its command', async () => {
  const { client, fragmentId } = await signIn(3, FILE.length + 1);
  expect(await client.send(FILE)).toMatch(/^451/);
  await server.deps.database.db.transaction().execute((tx) => settleShorter(tx, fragmentId));
  server.clock.advance(60_000);
  await sweepOpenUploadsJob(server.deps).run({}, job);
  expect(await storedOf(fragmentId)).toBe(sha256Of(FILE));
  client.cut();
});
