import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { packPoints, type StoredPoint, unpackPoints } from './pack.ts';

/** One row holds this much of a unit's time as sent, ms. */
export const BLOCK_MS = 5 * 60_000;

/** Where the block of a moment starts, ms since 1970 UTC. */
export function blockStartOf(sentMs: number): number {
  return Math.floor(sentMs / BLOCK_MS) * BLOCK_MS;
}

/** What tells one point from another: the row of its stream and its number. */
export function pointKey(streamId: number, seq: number): string {
  return `${streamId}:${seq}`;
}

/**
 * Stores points; late ones are merged into the blocks that are there. The caller holds the unit's lock and
 * has made the partitions.
 * @param points none of them stored before
 */
export async function appendPositions(
  tx: Db,
  unitId: number,
  points: readonly StoredPoint[],
): Promise<void> {
  if (points.length === 0) return;
  const blocks = Map.groupBy(points, (point) => blockStartOf(point.sentMs));
  const stored = await readBlocks(tx, unitId, [...blocks.keys()]);
  const rows = [...blocks].map(([startMs, added]) => {
    const all = [...(stored.get(startMs) ?? []), ...added];
    const times = all.map((point) => point.sentMs + point.offsetMs);
    return {
      start: new Date(startMs),
      count: all.length,
      first: new Date(Math.min(...times)),
      last: new Date(Math.max(...times)),
      bytes: packPoints(all),
    };
  });
  await sql`
    insert into position_blocks (unit_id, block_start, point_count, first_time, last_time, points)
    select ${unitId}::bigint, * from unnest(
      ${rows.map((row) => row.start)}::timestamptz[], ${rows.map((row) => row.count)}::int[],
      ${rows.map((row) => row.first)}::timestamptz[], ${rows.map((row) => row.last)}::timestamptz[],
      ${rows.map((row) => row.bytes)}::bytea[])
    on conflict (unit_id, block_start) do update set point_count = excluded.point_count,
      first_time = excluded.first_time, last_time = excluded.last_time, points = excluded.points`.execute(
    tx,
  );
}

/** The stored points of the blocks that hold these moments (as sent), by pointKey. */
export async function findStoredPoints(
  tx: Db,
  unitId: number,
  sentMs: readonly number[],
): Promise<Map<string, StoredPoint>> {
  if (sentMs.length === 0) return new Map();
  const blocks = await readBlocks(tx, unitId, [...new Set(sentMs.map(blockStartOf))]);
  const points = [...blocks.values()].flat();
  return new Map(points.map((point) => [pointKey(point.streamId, point.seq), point]));
}

async function readBlocks(
  tx: Db,
  unitId: number,
  starts: readonly number[],
): Promise<Map<number, StoredPoint[]>> {
  const rows = await tx
    .selectFrom('position_blocks')
    .select(['block_start', 'points'])
    .where('unit_id', '=', unitId)
    // One parameter: a batch of sparse positions has thousands of blocks.
    .where(sql<boolean>`block_start = any(${starts.map((ms) => new Date(ms))}::timestamptz[])`)
    .execute();
  return new Map(rows.map((row) => [row.block_start.getTime(), unpackPoints(row.points)]));
}
