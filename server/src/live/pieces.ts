// Stores the pieces of a live stream, from whatever protocol they come.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type LivePlaylist, MAX_SEGMENTS } from './live-playlist.ts';

/** After this time without viewers nothing is accepted, even if the job that ends streams is late, ms. */
const UNWANTED_MS = 10_000;

/** After a pause like this the segment numbers may start again, ms. */
const FORGOTTEN_MS = 5000;

/** The running streams that somebody watches. @param nowMs the present, ms since 1970 UTC */
export function wantedStreams(db: Db, nowMs: number) {
  return db
    .selectFrom('live_streams')
    .where('ended_at', 'is', null)
    .where('wanted_until', '>', new Date(nowMs - UNWANTED_MS));
}

/** Stores the last word of a unit about what its stream has; that of a stream that has ended changes nothing. */
export async function putPlaylist(
  db: Db,
  streamId: number,
  playlist: LivePlaylist,
  atMs: number,
): Promise<void> {
  const end = playlist.first + playlist.pieces.length;
  await db
    .updateTable('live_streams')
    .set({ playlist: JSON.stringify(playlist), pushed_at: new Date(atMs) })
    .where('id', '=', streamId)
    .where('ended_at', 'is', null)
    // Muxers do not wait for answers, so an older playlist may arrive after a newer one. Numbers start again only after
    // a pause.
    .where(
      sql<boolean>`(playlist is null or pushed_at < ${new Date(atMs - FORGOTTEN_MS)} or
        (playlist->>'first')::bigint + jsonb_array_length(playlist->'pieces') <= ${end}::bigint)`,
    )
    .execute();
}

/**
 * Stores a piece. A stream keeps its init segment and its last segments, whatever the unit sends. It is locked, because a
 * stream that ends meanwhile would not see the new segment, which nobody would delete.
 */
export async function putPiece(
  db: Db,
  piece: { streamId: number; name: string; bytes: Buffer; atMs: number },
): Promise<void> {
  const { streamId, name, bytes } = piece;
  const putAt = new Date(piece.atMs);
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
