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

/** A block as it is to be stored. */
export interface MergedBlock {
  readonly count: number;
  /** Earliest and latest corrected time in it, ms since 1970 UTC. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly bytes: Buffer;
}

/**
 * Puts points into a block.
 * @param stored what is in it; undefined when it is a new one
 * @param added none of them in it before
 */
export function mergeBlock(stored: Buffer | undefined, added: readonly StoredPoint[]): MergedBlock {
  const all = stored === undefined ? added : [...unpackPoints(stored), ...added];
  const times = all.map((point) => point.sentMs + point.offsetMs);
  return {
    count: all.length,
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
    bytes: packPoints(all),
  };
}

/**
 * Stores points; late ones are merged into the blocks that are there. The caller holds the unit's lock and
 * has made the partitions.
 * @param points none of them stored before
 * @returns the block of the latest, as it is now; undefined when there are no points
 */
export async function appendPositions(
  tx: Db,
  unitId: number,
  points: readonly StoredPoint[],
): Promise<{ startMs: number; bytes: Buffer } | undefined> {
  if (points.length === 0) return undefined;
  const blocks = Map.groupBy(points, (point) => blockStartOf(point.sentMs));
  const stored = await readBlocks(tx, unitId, [...blocks.keys()]);
  const rows = [...blocks].map(([startMs, added]) => ({
    startMs,
    ...mergeBlock(stored.get(startMs), added),
  }));
  const dates = (pick: (row: MergedBlock & { startMs: number }) => number): Date[] =>
    rows.map((row) => new Date(pick(row)));
  await sql`
    insert into position_blocks (unit_id, block_start, point_count, first_time, last_time, points)
    select ${unitId}::bigint, * from unnest(
      ${dates((row) => row.startMs)}::timestamptz[], ${rows.map((row) => row.count)}::int[],
      ${dates((row) => row.firstMs)}::timestamptz[], ${dates((row) => row.lastMs)}::timestamptz[],
      ${rows.map((row) => row.bytes)}::bytea[])
    on conflict (unit_id, block_start) do update set point_count = excluded.point_count,
      first_time = excluded.first_time, last_time = excluded.last_time, points = excluded.points`.execute(
    tx,
  );
  return rows.reduce((latest, row) => (row.startMs > latest.startMs ? row : latest));
}

/** The stored points of the blocks that hold these moments (as sent), by pointKey. */
export async function findStoredPoints(
  tx: Db,
  unitId: number,
  sentMs: readonly number[],
): Promise<Map<string, StoredPoint>> {
  if (sentMs.length === 0) return new Map();
  const blocks = await readBlocks(tx, unitId, [...new Set(sentMs.map(blockStartOf))]);
  const points = [...blocks.values()].flatMap(unpackPoints);
  return new Map(points.map((point) => [pointKey(point.streamId, point.seq), point]));
}

async function readBlocks(
  tx: Db,
  unitId: number,
  starts: readonly number[],
): Promise<Map<number, Buffer>> {
  const rows = await tx
    .selectFrom('position_blocks')
    .select(['block_start', 'points'])
    .where('unit_id', '=', unitId)
    // One parameter: a batch of sparse positions has thousands of blocks.
    .where(sql<boolean>`block_start = any(${starts.map((ms) => new Date(ms))}::timestamptz[])`)
    .execute();
  return new Map(rows.map((row) => [row.block_start.getTime(), row.points]));
}
