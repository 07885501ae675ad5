// Takes live streams from ffmpeg's HLS muxer: PUT of init segment, segments and playlist, DELETE of old segments. Only
// from the stream's own unit, while somebody watches, with valid names and within limits.
import type { IncomingMessage } from 'node:http';
import {
  LIVE_NAME,
  LIVE_PATH,
  LIVE_PLAYLIST,
  MAX_LIVE_PLAYLIST_BYTES,
  MAX_LIVE_SEGMENT_BYTES,
} from '@ridewatch/contract/unit';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError, notFound } from '../core/errors.ts';
import { check } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { readPlaylist } from './live-playlist.ts';
import { putPiece, putPlaylist, wantedStreams } from './pieces.ts';

const Address = z.object({
  key: z.uuid(),
  name: z.string().check(z.regex(LIVE_NAME, 'must be live.m3u8, init.mp4 or <number>.m4s')),
});

/** Takes live streams from units. */
export const addLivePush: Feature = async (app, deps, auth) => {
  const { db } = deps.database;
  /** The running stream and the name in the address. @throws AppError unauthorized, invalid_request, not_found */
  const findPlace = async (
    request: FastifyRequest,
  ): Promise<{ streamId: number; name: string }> => {
    const { unitId } = await auth.unit(request);
    const { key, name } = check(Address, request.params, '') ?? { key: '', name: '' };
    const stream = await wantedStreams(db, deps.clock.nowMs())
      .select('live_streams.id')
      .where('key', '=', key)
      .where('live_streams.unit_id', '=', unitId)
      .executeTakeFirst();
    // This also tells a unit that missed the command that nobody watches any more.
    if (stream === undefined) throw notFound();
    return { streamId: stream.id, name };
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({
      method: 'PUT',
      url: `${LIVE_PATH}/:key/:name`,
      handler: async (request, reply) => {
        // Read before any query: muxers close the connection without waiting for the answer, and unread bytes are lost.
        const body = readLimited(request.raw, MAX_LIVE_SEGMENT_BYTES);
        // Keeps a failure before the await below from being an unhandled rejection.
        body.catch(() => undefined);
        // An unread body would be parsed as the next request; close the connection.
        if (!request.raw.complete) reply.header('connection', 'close');
        const { streamId, name } = await findPlace(request);
        const isThere = request.raw.complete;
        const bytes = await body;
        // A body may take half an hour, in which the credential or the stream may end.
        if (!isThere) await findPlace(request);
        reply.removeHeader('connection');
        if (name === LIVE_PLAYLIST && bytes.length > MAX_LIVE_PLAYLIST_BYTES) {
          throw tooLarge(MAX_LIVE_PLAYLIST_BYTES);
        }
        const atMs = deps.clock.nowMs();
        if (name === LIVE_PLAYLIST) {
          await putPlaylist(db, streamId, readPlaylistOf(bytes), atMs);
        } else await putPiece(db, { streamId, name, bytes, atMs });
        deps.metrics.videoBytes.labels('received').inc(bytes.length);
        return reply.code(204).send();
      },
    });
    scope.route({
      method: 'DELETE',
      url: `${LIVE_PATH}/:key/:name`,
      handler: async (request, reply) => {
        const { streamId, name } = await findPlace(request);
        await db
          .deleteFrom('live_pieces')
          .where('stream_id', '=', streamId)
          .where('name', '=', name)
          .execute();
        return reply.code(204).send();
      },
    });
  });
};

function tooLarge(most: number): AppError {
  return new AppError('too_large', `The body may have at most ${most} bytes.`);
}

async function readLimited(body: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws AppError invalid_request */
function readPlaylistOf(bytes: Buffer) {
  const playlist = readPlaylist(bytes.toString('utf8'));
  if (playlist !== undefined) return playlist;
  throw new AppError('invalid_request', 'is not a live playlist of numbered segments', {
    field: LIVE_PLAYLIST,
  });
}
