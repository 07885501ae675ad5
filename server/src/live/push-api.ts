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
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { check } from '../core/http/http.ts';
import type { Deps, Feature } from '../deps.ts';
import { MAX_SEGMENTS, readPlaylist } from './live-playlist.ts';

/** After this time without viewers nothing is accepted, even if the job that ends streams is late, ms. */
const UNWANTED_MS = 10_000;

/** After a pause like this the segment numbers may start again, ms. */
const FORGOTTEN_MS = 5000;

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
    const stream = await db
      .selectFrom('live_streams')
      .select('id')
      .where('key', '=', key)
      .where('unit_id', '=', unitId)
      .where('ended_at', 'is', null)
      .where('wanted_until', '>', new Date(deps.clock.nowMs() - UNWANTED_MS))
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
        if (name === LIVE_PLAYLIST) await putPlaylist(deps, streamId, bytes.toString('utf8'));
        else await putSegment(db, { streamId, name, bytes, atMs: deps.clock.nowMs() });
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

async function putPlaylist(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  streamId: number,
  text: string,
): Promise<void> {
  const playlist = readPlaylist(text);
  if (playlist === undefined) {
    throw new AppError('invalid_request', 'is not a live playlist of numbered segments', {
      field: LIVE_PLAYLIST,
    });
  }
  const nowMs = clock.nowMs();
  const end = playlist.first + playlist.pieces.length;
  await database.db
    .updateTable('live_streams')
    .set({ playlist: JSON.stringify(playlist), pushed_at: new Date(nowMs) })
    .where('id', '=', streamId)
    .where('ended_at', 'is', null)
    // Muxers do not wait for answers, so an older playlist may arrive after a newer one. Numbers start again only after
    // a pause.
    .where(
      sql<boolean>`(playlist is null or pushed_at < ${new Date(nowMs - FORGOTTEN_MS)} or
        (playlist->>'first')::bigint + jsonb_array_length(playlist->'pieces') <= ${end}::bigint)`,
    )
    .execute();
}

// A stream stores its init segment and its last segments, whatever the unit sends. It is locked, because a stream that
// ends meanwhile would not see the new segment, which nobody would delete.
async function putSegment(
  db: Db,
  segment: { streamId: number; name: string; bytes: Buffer; atMs: number },
): Promise<void> {
  const { streamId, name, bytes } = segment;
  const putAt = new Date(segment.atMs);
  await sql`
    insert into live_pieces (stream_id, name, bytes, put_at)
    select id, ${name}, ${bytes}, ${putAt} from live_streams
    where id = ${streamId} and ended_at is null for share
    on conflict (stream_id, name) do update set bytes = excluded.bytes, put_at = excluded.put_at`.execute(
    db,
  );
  await sql`
    delete from live_pieces where stream_id = ${streamId} and name <> 'init.mp4' and name not in (
      select name from live_pieces where stream_id = ${streamId} and name <> 'init.mp4'
      order by put_at desc, length(name) desc, name desc limit ${MAX_SEGMENTS})`.execute(db);
}
