// Announces, uploads and verifies video as a unit and the worker do.
import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { deleteMediaJob } from '../video/delete-job.ts';
import { verifyUploadJob } from '../video/verify-job.ts';
import { ffmpeg } from './clip.ts';
import type { TestBus } from './fleet.ts';
import type { TestServer } from './test-deps.ts';

export interface Announced {
  readonly fragmentId: number;
  readonly stream: string;
  readonly seq: number;
}

/** Announces a fragment of door 1, by default 20 s long. */
export async function announce(
  server: TestServer,
  bus: TestBus,
  startMs: number,
  video: 'adding' | 'queued' | 'kept' = 'queued',
  { lengthMs = 20_000, camera = 'door1' }: { lengthMs?: number; camera?: string } = {},
): Promise<Announced> {
  const stream = randomUUID();
  const iso = (ms: number): string => new Date(ms).toISOString();
  const record = {
    type: 'segment',
    seq: 1,
    time: iso(startMs + lengthMs),
    camera,
    start_time: iso(startMs),
    end_time: iso(startMs + lengthMs),
    video,
  };
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: iso(server.clock.nowMs()), records: [record] },
  });
  const { refused } = answer.json<BatchAnswer>();
  if (answer.statusCode !== 200 || refused.length > 0) throw new Error(answer.body);
  const { id } = await server.deps.database.db
    .selectFrom('segments')
    .select('id')
    .where('unit_id', '=', bus.unitId)
    .where('start_time', '=', new Date(startMs))
    .executeTakeFirstOrThrow();
  return { fragmentId: id, stream, seq: 1 };
}

/** The tus headers with which a unit opens an upload. */
export function uploadHeaders(
  credential: string,
  { stream, seq }: { stream: string; seq: number },
  length: number,
  sha256?: string,
): Record<string, string> {
  const metadata = { stream, seq: String(seq), ...(sha256 === undefined ? {} : { sha256 }) };
  return {
    authorization: `Bearer ${credential}`,
    'tus-resumable': '1.0.0',
    'upload-length': String(length),
    'upload-metadata': Object.entries(metadata)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(','),
  };
}

/** Hex. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Uploads a whole file for an announced fragment. @returns the upload's id */
export async function upload(
  server: TestServer,
  bus: TestBus,
  announced: Announced,
  bytes: Buffer,
  sha256?: string,
): Promise<string> {
  const { port } = server.app.server.address() as { port: number };
  const created = await fetch(`http://127.0.0.1:${port}/unit/v1/uploads`, {
    method: 'POST',
    headers: uploadHeaders(bus.credential, announced, bytes.length, sha256),
  });
  if (created.status !== 201) throw new Error(`${created.status}: ${await created.text()}`);
  const location = created.headers.get('location') ?? '';
  const sent = await fetch(`http://127.0.0.1:${port}${location}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${bus.credential}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  });
  if (sent.status !== 204) throw new Error(`${sent.status}: ${await sent.text()}`);
  return idOf(location);
}

/** The upload's id from its address. */
export function idOf(location: string): string {
  return Buffer.from(location.split('/').at(-1) ?? '', 'base64url').toString();
}

/** Runs the worker's job for a finished upload. */
export async function verify(server: TestServer, uploadId: string): Promise<void> {
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
  await verifyUploadJob(server.deps, ffmpeg).run({ uploadId }, context);
}

/** The state of a fragment and the reason of its failure, if any. */
export const stateOf = (
  server: TestServer,
  { fragmentId }: Announced,
): Promise<{ status: string; fail_reason: string | null }> =>
  server.deps.database.db
    .selectFrom('segments')
    .select(['status', 'fail_reason'])
    .where('id', '=', fragmentId)
    .executeTakeFirstOrThrow();

/** The stored source of a fragment. */
export async function storedSource(server: TestServer, { fragmentId }: Announced): Promise<Buffer> {
  const { storage_key } = await server.deps.database.db
    .selectFrom('segment_files')
    .select('storage_key')
    .where('segment_id', '=', fragmentId)
    .where('variant', '=', 'source')
    .executeTakeFirstOrThrow();
  return buffer(await server.deps.storage.get(storage_key));
}

/** Runs the worker's deletion of files that no row names. */
export async function deleteMedia(server: TestServer): Promise<void> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where identifier = 'delete_media'`.execute(server.deps.database.db);
  const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
  for (const { payload } of rows) await deleteMediaJob(server.deps).run(payload, context);
}
