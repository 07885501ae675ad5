// Stores what ffmpeg makes of a terminal's stream, as if the unit had put it.
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { LivePlaylist } from '../../live/live-playlist.ts';
import { putPiece, putPlaylist } from '../../live/pieces.ts';
import type { LivePiece } from '../../media/mp4/fragments.ts';
import type { LiveCodec } from '../../media/transport-stream.ts';

/** Segments that a playlist lists. */
const LISTED = 6;
const HEAD = 'init.mp4';

/**
 * Makes the store of one connection's pieces. While the database is away, pieces are lost and the stream goes on.
 * @returns stores a piece @throws an error other than that the database is away
 */
export function createSegmentStore(
  { database, clock, metrics }: Pick<Deps, 'database' | 'clock' | 'metrics'>,
  streamId: number,
  codec: LiveCodec,
): (piece: LivePiece) => Promise<void> {
  const { db } = database;
  // Numbers rise, also when the terminal connects again: a segment has a second at least.
  const start = Math.floor(clock.nowMs() / 1000);
  let next = start;
  let head: Buffer | undefined;
  let isHeadThere = false;
  let listed: LivePlaylist['pieces'] = [];

  async function store(piece: LivePiece): Promise<void> {
    const atMs = clock.nowMs();
    if (piece.kind === 'head') head = piece.bytes;
    if (!isHeadThere && head !== undefined) {
      await putPiece(db, { streamId, name: HEAD, bytes: head, atMs });
      isHeadThere = true;
    }
    if (piece.kind === 'head') return;
    const name = `${next}.m4s`;
    await putPiece(db, { streamId, name, bytes: piece.bytes, atMs });
    next += 1;
    listed = [...listed, { name, seconds: piece.seconds }].slice(-LISTED);
    const target_s = Math.max(1, ...listed.map(({ seconds }) => Math.ceil(seconds)));
    const playlist = { target_s, first: next - listed.length, pieces: listed, codec };
    await putPlaylist(db, streamId, playlist, atMs);
  }

  return async (piece) => {
    metrics.videoBytes.labels('received').inc(piece.bytes.length);
    try {
      await store(piece);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      // A database that has crashed keeps no pieces.
      isHeadThere = false;
    }
  };
}
