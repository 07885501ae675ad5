// Resumable uploads of video (tus 1.0). A unit names the announced fragment; the bytes are stored under our own key and
// invisible until verified. A finished upload is a row and a job: if the process dies between the last byte and that
// row, the sweep finds the complete file and finishes it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { MAX_UPLOAD_BYTES, UPLOADS_PATH } from '@ridewatch/contract/unit';
import type { DataStore } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkRoom } from '../../core/disk.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { logFailure } from '../../core/log.ts';
import { checkVideo } from '../../core/video-off.ts';
import type { Deps, Feature } from '../../deps.ts';
import { findUpload } from '../upload-targets.ts';
import { abandonUpload, refuseTooLong } from './abandon-upload.ts';
import { acceptUpload, finishUpload, NOTE_EVERY_MS, noteProgress } from './accept-upload.ts';
import { throwNoRoom, UploadServer } from './tus-server.ts';
import { createUploadLocker } from './upload-lock.ts';
import { createUploadStore, newUploadId, storedBytes } from './upload-store.ts';

interface Asker {
  readonly unitId: number;
  /** Looks at the unit's credential again. @throws AppError unauthorized */
  readonly checkAgain: () => Promise<unknown>;
  readonly requestId: string;
  /** The upload in the address; undefined when there is none. */
  readonly uploadId: string | undefined;
}

/**
 * The authenticated unit, request and upload. Not a header, because the library reads those from the wire, where
 * anybody can set them.
 */
const asking = new AsyncLocalStorage<Asker>();

/** Methods that a POST may stand for (tus 1.0, X-HTTP-Method-Override). */
const OVERRIDES: readonly string[] = ['PATCH', 'HEAD', 'DELETE'];

/** The form of upload ids. */
const UPLOAD_ID = /^video\/[\da-f]{2}\/[\da-f-]{36}$/;

// Other ids are not looked up: the database cannot even compare with every text.
function uploadIdOf(params: unknown): string | undefined {
  const { id } = params as { id?: string };
  const named = Buffer.from(id ?? '', 'base64url').toString();
  return UPLOAD_ID.test(named) ? named : undefined;
}

/** Adds the address for uploads. */
export const addUploads: Feature = async (app, deps, auth) => {
  const tus = createTusServer(deps);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body stays a stream: tus reads it.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { unitId } = await auth.unit(request);
      if (request.headers['tus-resumable'] !== '1.0.0') {
        reply.header('tus-version', '1.0.0');
        throw new AppError('unsupported_version', 'This server supports tus 1.0.0.', {
          field: 'Tus-Resumable',
        });
      }
      reply.hijack();
      const asker = {
        unitId,
        checkAgain: () => auth.unit(request),
        requestId: request.id,
        uploadId: uploadIdOf(request.params),
      };
      await asking.run(asker, () => tus.handle(request.raw, reply.raw));
      return reply;
    };
    const routes = {
      [UPLOADS_PATH]: ['POST'],
      [`${UPLOADS_PATH}/:id`]: ['HEAD', 'PATCH', 'DELETE'],
    };
    // A link that lets only POST through: the method stands in a header then. The library reads that of the request.
    scope.route({
      method: 'POST',
      url: `${UPLOADS_PATH}/:id`,
      handler: (request, reply) => {
        const wanted = String(request.headers['x-http-method-override']).toUpperCase();
        if (!OVERRIDES.includes(wanted)) throw notFound();
        request.raw.method = wanted;
        return handler(request, reply);
      },
    });
    for (const [url, method] of Object.entries(routes)) {
      scope.route({ method, url, exposeHeadRoute: false, handler });
      scope.route({
        method: 'OPTIONS',
        url,
        handler: async (_request, reply) =>
          reply
            .code(204)
            .headers({
              allow: [...method, 'OPTIONS'].join(', '),
              'tus-resumable': '1.0.0',
              'tus-version': '1.0.0',
              'tus-extension': 'creation,creation-with-upload,termination',
              'tus-max-size': String(MAX_UPLOAD_BYTES),
            })
            .send(),
      });
    }
  });
};

function createTusServer(deps: Deps): UploadServer {
  const { db } = deps.database;
  const store = createServedStore(deps);
  const library = {
    path: UPLOADS_PATH,
    datastore: store,
    locker: createUploadLocker(deps),
    maxSize: MAX_UPLOAD_BYTES,
    relativeLocation: true,
    postReceiveInterval: NOTE_EVERY_MS,
    // Units are no browsers: no page of another origin may read answers.
    allowedOrigins: [],
    disableTerminationForFinishedUploads: true,
    namingFunction: newUploadId,
    generateUrl: (_request: unknown, { path, id }: { path: string; id: string }) =>
      `${path}/${Buffer.from(id).toString('base64url')}`,
    getFileIdFromRequest: () => asker().uploadId,
    onUploadCreate: async () => {
      checkVideo(deps.videoOff);
      await checkRoom(deps.disk, 'insufficient_storage');
      return {};
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const row = await findUpload(db, id);
      if (row === undefined || row.unitId !== asker().unitId) {
        throw new AppError('not_found', 'The upload does not exist.');
      }
      if (request.method === 'PATCH') checkVideo(deps.videoOff);
      if (request.method === 'PATCH') await checkRoom(deps.disk, 'insufficient_storage');
      // A unit that learns that everything arrived stops sending, even if the server was killed before it recorded the
      // end.
      const asksHowFar = request.method === 'HEAD' && row.finishedAt === null;
      if (asksHowFar && (await storedBytes(store, id)) === row.lengthBytes) {
        await finishUpload(deps, id);
      }
    },
    onUploadFinish: async (_request, upload) => {
      await finishUpload(deps, upload.id);
      return {};
    },
  } satisfies ConstructorParameters<typeof UploadServer>[0];
  const server = new UploadServer(library, {
    requestId: () => asker().requestId,
    onError: async (error, thrown) => {
      const { uploadId, requestId } = asker();
      if (error.code === 'too_large' && uploadId !== undefined) {
        await refuseTooLong(deps, uploadId).catch((err: unknown) =>
          deps.log.warn({ uploadId, err }, 'the end of an upload was not stored'),
        );
      }
      // Administrators are told of both; units try again.
      if (error.code === 'insufficient_storage' || error.code === 'video_off') return;
      logFailure(deps.log, requestId, error, thrown);
    },
  });
  server.on('POST_RECEIVE', (_request, { id, offset }) => {
    noteProgress(deps, id, offset).catch((error: unknown) =>
      deps.log.warn({ uploadId: id, err: error }, 'the progress of an upload was not stored'),
    );
  });
  return server;
}

// When a unit ends its upload, the row is deleted first and the bytes later.
function createServedStore(deps: Deps): DataStore {
  const store = createUploadStore(deps);
  const write = store.write.bind(store);
  const create = store.create.bind(store);
  store.create = (upload) =>
    acceptUpload(deps, asker().unitId, upload, () => create(upload)).catch(throwNoRoom);
  store.remove = (id) => abandonUpload(deps, id, 'upload_abandoned');
  store.write = async (bytes, id, from) => {
    const { checkAgain } = asker();
    let refusal: AppError | undefined;
    const mayGoOn = (): Promise<boolean> =>
      checkAgain().then(
        () => true,
        (error: unknown) => {
          // A database that does not answer refuses nobody.
          if (!(error instanceof AppError) || error.code !== 'unauthorized') return true;
          refusal = error;
          return false;
        },
      );
    const allowed = Readable.from(takeWhile(mayGoOn, bytes), { objectMode: false });
    // Received bytes stay, and the unit learns their number before it goes on.
    const offset = await write(allowed, id, from).catch(throwNoRoom);
    await noteProgress(deps, id, offset).catch(throwNoRoom);
    if (refusal !== undefined) throw refusal;
    return offset;
  };
  return store;
}

// A chunk may take hours, in which the unit's credential may end.
async function* takeWhile(
  mayGoOn: () => Promise<boolean>,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const some of bytes) {
    if (!(await mayGoOn())) return;
    yield some;
  }
}

function asker(): Asker {
  const found = asking.getStore();
  if (found === undefined) throw new Error('An upload was handled outside a request.');
  return found;
}
