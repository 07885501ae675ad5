// Resumable uploads of video (tus 1.0). A unit names the fragment it announced; the bytes lie in the store under our
// own name and are seen by nobody until they are verified. A finished upload is a row plus a job: should the process
// die between the last byte and that row, the sweep finds the whole file and finishes it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { MAX_UPLOAD_BYTES, Sequence, StreamId, UPLOADS_PATH } from '@ridewatch/contract/unit';
import { type DataStore, Server, type Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Deps, Feature } from '../app.ts';
import type { Tx } from '../db.ts';
import { addJob } from '../jobs.ts';
import { moveSegment } from '../segments/state.ts';
import { abandonUpload } from './abandon-upload.ts';
import { deleteLater } from './delete-job.ts';
import { findUpload, lockAnnouncedSegment } from './queries.ts';
import { createUploadLocker } from './upload-lock.ts';
import { createUploadStore } from './upload-store.ts';

/** Which unit asks, by its credential. Not a header: the upload server reads those from the wire, where anybody writes. */
const asking = new AsyncLocalStorage<number>();

const Metadata = z.object({
  stream: StreamId,
  seq: z.pipe(z.string().check(z.regex(/^\d{1,16}$/)), z.pipe(z.transform(Number), Sequence)),
  /** Hex, of the whole file. */
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/i))),
});

interface Refusal {
  status_code: number;
  body: string;
}

function refusal(status: number, error: string, message: string, field?: string): Refusal {
  return { status_code: status, body: JSON.stringify({ error, message, field }) };
}

/** Adds the address at which units upload video. */
export const addUploads: Feature = async (app, deps, auth) => {
  const tus = createTusServer(deps);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body stays a stream: tus reads it itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const unit = await auth.unit(request);
      reply.hijack();
      await asking.run(unit.unitId, () => tus.handle(request.raw, reply.raw));
      return reply;
    };
    const method = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const;
    scope.route({
      method: [...method],
      url: UPLOADS_PATH,
      exposeHeadRoute: false,
      handler: handle,
    });
    scope.route({
      method: [...method],
      url: `${UPLOADS_PATH}/:id`,
      exposeHeadRoute: false,
      handler: handle,
    });
  });
};

function createTusServer(deps: Deps): Server {
  const { db } = deps.database;
  return new Server({
    path: UPLOADS_PATH,
    datastore: createServedStore(deps),
    locker: createUploadLocker(db),
    maxSize: MAX_UPLOAD_BYTES,
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    namingFunction: () => {
      const name = randomUUID();
      return `video/${name.slice(0, 2)}/${name}`;
    },
    generateUrl: (_request, { path, id }) => `${path}/${Buffer.from(id).toString('base64url')}`,
    getFileIdFromRequest: (_request, lastPart) =>
      lastPart === undefined ? undefined : Buffer.from(lastPart, 'base64url').toString(),
    onUploadCreate: async (_request, upload) => {
      await acceptUpload(deps, askingUnit(), upload);
      return {};
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const row = await findUpload(db, id);
      if (row === undefined || row.unitId !== askingUnit()) {
        throw refusal(404, 'not_found', 'There is no such upload.');
      }
    },
    onUploadFinish: async (_request, upload) => {
      await finishUpload(deps, upload.id);
      return {};
    },
    onResponseError: (_request, error) => {
      if (!(error instanceof Error)) return undefined;
      deps.log.error({ err: error }, 'upload failed');
      return refusal(500, 'internal', 'The server failed.');
    },
  });
}

// A unit that ends its upload ends it in the database, and the bytes follow.
function createServedStore(deps: Deps): DataStore {
  const store = createUploadStore(deps);
  store.remove = (id) => abandonUpload(deps, id, 'The unit gave the upload up.');
  return store;
}

function askingUnit(): number {
  const unitId = asking.getStore();
  if (unitId === undefined) throw new Error('an upload is handled outside of a request');
  return unitId;
}

async function acceptUpload(deps: Deps, unitId: number, upload: Upload): Promise<void> {
  if (upload.size === undefined) {
    throw refusal(400, 'invalid_request', 'The length must be announced.', 'Upload-Length');
  }
  if (upload.size === 0) {
    throw refusal(400, 'invalid_request', 'An empty file is no video.', 'Upload-Length');
  }
  const parsed = Metadata.safeParse(upload.metadata ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = `Upload-Metadata.${issue?.path.join('.')}`;
    throw refusal(400, 'invalid_request', issue?.message ?? 'is not usable', field);
  }
  const { stream, seq, sha256 } = parsed.data;
  const size = upload.size;
  await deps.database.db.transaction().execute(async (tx) => {
    const segment = await lockAnnouncedSegment(tx, unitId, stream, seq);
    if (segment === undefined) {
      throw refusal(404, 'not_found', 'No fragment was announced under this number.');
    }
    if (segment.status === 'ADDED' || segment.status === 'DOWNLOADING_FROM_TASK') {
      await moveSegment(tx, segment.segmentId, 'LOADING', { atMs: deps.clock.nowMs() });
    } else if (segment.status !== 'LOADING') {
      throw refusal(409, 'conflict', `The video is not wanted: the fragment is ${segment.status}.`);
    }
    await replaceUpload(tx, segment.segmentId);
    await tx
      .insertInto('uploads')
      .values({
        id: upload.id,
        unit_id: unitId,
        segment_id: segment.segmentId,
        storage_key: upload.id,
        length_bytes: size,
        sha256: sha256?.toLowerCase() ?? null,
      })
      .execute();
  });
}

// A fragment has one upload. A unit that did not hear the address of its first one begins anew.
async function replaceUpload(tx: Tx, segmentId: number): Promise<void> {
  const replaced = await tx
    .deleteFrom('uploads')
    .where('segment_id', '=', segmentId)
    .where('finished_at', 'is', null)
    .returning('id')
    .execute();
  const whole = await tx
    .selectFrom('uploads')
    .select('id')
    .where('segment_id', '=', segmentId)
    .executeTakeFirst();
  if (whole !== undefined) {
    throw refusal(409, 'conflict', 'The video is not wanted: it has arrived and is being checked.');
  }
  await deleteLater(
    tx,
    replaced.map(({ id }) => id),
  );
}

/** Marks an upload whose bytes are all there as finished and has them verified. Twice does no harm. */
export async function finishUpload(deps: Deps, id: string): Promise<void> {
  await deps.database.db.transaction().execute(async (tx) => {
    const done = await tx
      .updateTable('uploads')
      .set({ finished_at: new Date(deps.clock.nowMs()) })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returning(['length_bytes'])
      .executeTakeFirst();
    if (done === undefined) return;
    deps.metrics.videoBytes.labels('received').inc(done.length_bytes);
    await addJob(tx, 'verify_upload', { uploadId: id }, { key: `verify:${id}`, maxAttempts: 5 });
  });
}
