// Finds the stream that a connection brings. Only one that somebody watches is taken.
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
  const streams = await wantedStreams(db, nowMs)
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
    .orderBy('live_streams.id', 'desc')
    .execute();
  for (const reading of readings) {
    const stream = streams.find(
      ({ protocol_id, stream_id }) =>
        protocol_id === reading.terminal && channelOf(stream_id) === reading.channel,
    );
    if (stream === undefined) continue;
    return { id: stream.id, key: stream.key, startedMs: stream.started_at.getTime(), reading };
  }
  return undefined;
}

/** Whether somebody still watches a stream. @param nowMs the present, ms since 1970 UTC */
export async function isStillAsked(db: Db, streamId: number, nowMs: number): Promise<boolean> {
  const found = await wantedStreams(db, nowMs)
    .select('id')
    .where('id', '=', streamId)
    .executeTakeFirst();
  return found !== undefined;
}
