// Every minute: records that are kept aside are placed by those that have arrived around them since.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from '../../core/jobs/jobs.ts';
import type { Deps } from '../../deps.ts';
import { listAround, NUMBERS } from './around.ts';
import { MOST_PLACED, makeRoom, placeAside } from './place-aside.ts';
import { placeByNeighbours } from './place-times.ts';
import { TIMED_STREAM } from './timed-stream.ts';

/**
 * Records that arrived within this time are tried, at growing intervals: after one minute, two, four, and so on. Later only
 * a person places them, ms.
 */
const TRIED_MS = 7 * 86_400_000;
/** Most streams a minute, those of the latest arrivals. */
const MOST_STREAMS = 200;

interface AsideStream {
  readonly unit_id: number;
  readonly stream_id: number;
  /** The first number of the stream. */
  readonly lowest: number;
}

/**
 * Places records that their neighbours in the stream tell the time of. Numbers that are made of times tell no order of
 * their own.
 */
export function placeAsideJob({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return {
    name: 'place_aside',
    schedule: EVERY_MINUTE,
    run: async () => {
      const nowMs = clock.nowMs();
      const { rows } = await sql<AsideStream>`
        select units.id as unit_id, stream_id,
          lower(received) as lowest
        from (
          select aside_records.unit_id, stream_id, max(received_at) as last from aside_records
          join unit_streams on unit_streams.id = stream_id
          where ${isDue(nowMs)} and stream <> ${TIMED_STREAM}::uuid
          group by 1, 2 order by last desc limit ${MOST_STREAMS}
        ) as waiting join units on units.id = unit_id
        join unit_streams on unit_streams.id = stream_id`.execute(database.db);
      for (const stream of rows) {
        try {
          await placeStream(database, stream, nowMs);
        } catch (error) {
          // One unit's records do not keep those of others waiting.
          const { unit_id: unitId, stream_id: streamId } = stream;
          log.error({ unitId, streamId, err: error }, 'records without a time were not placed');
        }
      }
    },
  };
}

const isDue = (nowMs: number) => sql<boolean>`received_at > ${new Date(nowMs - TRIED_MS)}
  and (tried_at is null or ${new Date(nowMs)}::timestamptz - tried_at >= tried_at - received_at)`;

async function placeStream(
  database: Deps['database'],
  stream: AsideStream,
  nowMs: number,
): Promise<void> {
  const { unit_id: unitId, stream_id: streamId } = stream;
  const aside = await listDue(database.db, streamId, nowMs);
  for (const some of clustersOf(aside)) {
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) continue;
    const received = some.map(({ receivedMs }) => receivedMs).sort((a, b) => a - b);
    const lastReceivedMs = received.at(-1) ?? nowMs;
    const around = await listAround(database.db, {
      ...{ unitId, streamId, firstSeq: first.seq, lastSeq: last.seq },
      ...{ firstReceivedMs: received[0] ?? nowMs, lastReceivedMs },
    });
    if (around === undefined) continue;
    const timeless = some.map(({ seq, sentMs }) => ({ seq, sentMs, timeMs: null }));
    const ordered = [...around, ...timeless].sort((a, b) => a.seq - b.seq);
    const times = placeByNeighbours(ordered, lastReceivedMs, stream.lowest);
    if (times.size === 0) continue;
    const placing = { streamId, times };
    await makeRoom(database, unitId, placing);
    await database.db.transaction().execute((tx) => placeAside(tx, unitId, placing, nowMs));
  }
  await sql`update aside_records set tried_at = ${new Date(nowMs)}
    where stream_id = ${streamId} and seq = any(${aside.map(({ seq }) => seq)}::bigint[])`.execute(
    database.db,
  );
}

interface Aside {
  readonly seq: number;
  readonly sentMs: number;
  readonly receivedMs: number;
}

async function listDue(db: Db, streamId: number, nowMs: number): Promise<Aside[]> {
  const { rows } = await sql<{ seq: number; sent: number; received: Date }>`
    select seq, (record ->> 'sentMs')::float8 as sent, received_at as received from aside_records
    where stream_id = ${streamId} and ${isDue(nowMs)}
    order by received_at desc, seq limit ${MOST_PLACED}`.execute(db);
  return rows
    .map(({ seq, sent, received }) => ({
      ...{ seq, sentMs: sent, receivedMs: received.getTime() },
    }))
    .sort((a, b) => a.seq - b.seq);
}

// Records whose looks would not overlap, each cluster by itself: one stream may have had a wrong clock twice.
function clustersOf(aside: readonly Aside[]): Aside[][] {
  const clusters: Aside[][] = [];
  for (const one of aside) {
    const cluster = clusters.at(-1);
    const last = cluster?.at(-1);
    if (last !== undefined && one.seq - last.seq <= 2 * NUMBERS) cluster?.push(one);
    else clusters.push([one]);
  }
  return clusters;
}
