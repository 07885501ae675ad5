// Finds the stream that a connection brings. Only one that somebody watches is taken, and only as long as that holds.
import type { Db } from '../../core/db/db.ts';
import { wantedStreams } from '../../live/pieces.ts';
import { channelOf } from './channels.ts';
import type { Reading } from './packets.ts';

/** A stream that was asked for, and the reading of the header that names it. */
export interface AskedStream {
  readonly id: number;
  readonly key: string;
  /** ms since 1970 UTC. */
  readonly startedMs: number;
  readonly reading: Reading;
}

/**
 * Finds the stream of the unit and camera that a header names.
 * @param nowMs the present, ms since 1970 UTC
 * @returns undefined when nobody asked for it
 */
export async function findAskedStream(
  db: Db,
  readings: readonly Reading[],
  nowMs: number,
): Promise<AskedStream | undefined> {
  const streams = await askedStreams(db, readings, nowMs).execute();
  for (const reading of readings) {
    const stream = streams.find((one) => isOf(one, reading));
    if (stream === undefined) continue;
    return { id: stream.id, key: stream.key, startedMs: stream.started_at.getTime(), reading };
  }
  return undefined;
}

/**
 * Whether a stream may go on: somebody still watches it, and its header still names its unit and camera.
 * @param nowMs the present, ms since 1970 UTC
 */
export async function isStillAsked(
  db: Db,
  { id, reading }: Pick<AskedStream, 'id' | 'reading'>,
  nowMs: number,
): Promise<boolean> {
  const stream = await askedStreams(db, [reading], nowMs)
    .where('live_streams.id', '=', id)
    .executeTakeFirst();
  return stream !== undefined && isOf(stream, reading);
}

// The streams that somebody watches of units with the numbers of headers, the latest first.
function askedStreams(db: Db, readings: readonly Reading[], nowMs: number) {
  return wantedStreams(db, nowMs)
    .innerJoin('units', 'units.id', 'live_streams.unit_id')
    .innerJoin('cameras', 'cameras.id', 'live_streams.camera_id')
    .select(['live_streams.id', 'key', 'started_at', 'protocol_id', 'cameras.stream_id'])
    .where('protocol', '=', 'jt808')
    .where(
      'protocol_id',
      'in',
      readings.map(({ terminal }) => terminal),
    )
    .where('units.enabled', '=', true)
    .orderBy('live_streams.id', 'desc');
}

/** Whether a header names the unit and the camera of a stream. */
const isOf = (
  stream: { readonly protocol_id: string | null; readonly stream_id: string },
  { terminal, channel }: Reading,
): boolean => stream.protocol_id === terminal && channelOf(stream.stream_id) === channel;
