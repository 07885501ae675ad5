import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { inSlices } from '../core/in-slices.ts';
import { packPoints, type StoredPoint, unpackPoints } from './pack.ts';

/** Period of one block in the unit's time as sent, ms. */
export const BLOCK_MS = 5 * 60_000;
/** Blocks packed in one go: 1 ms for those of a unit that sends each minute, some ms for one that sends each second. */
const BLOCKS_AT_ONCE = 100;

/** The start of a moment's block, ms since 1970 UTC. */
export function blockStartOf(sentMs: number): number {
  return Math.floor(sentMs / BLOCK_MS) * BLOCK_MS;
}

/** Identifies a point: the row of its stream and its number. */
export function pointKey(streamId: number, seq: number): string {
  return `${streamId}:${seq}`;
}

/** A block to be stored. */
export interface MergedBlock {
  readonly count: number;
  /** Earliest and latest corrected time in it, ms since 1970 UTC. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly bytes: Buffer;
}

/**
 * Adds points to a block.
 * @param stored its points; undefined for a new block
 * @param added none of them in it
 */
export function mergeBlock(stored: Buffer | undefined, added: readonly StoredPoint[]): MergedBlock {
  const all = stored === undefined ? added : unpackPoints(stored).concat(added);
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs, offsetMs } of all) {
    firstMs = Math.min(firstMs, sentMs + offsetMs);
    lastMs = Math.max(lastMs, sentMs + offsetMs);
  }
  return { count: all.length, firstMs, lastMs, bytes: packPoints(all) };
}

/** The blocks of new points, by start; a missing block does not exist yet. */
export type OpenBlocks = ReadonlyMap<
  number,
  {
    readonly count: number;
    /** Null when it is full and therefore not read. */
    readonly bytes: Buffer | null;
  }
>;

/**
 * Reads the blocks of new points. The caller holds the unit's lock.
 * @param sentMs the points' times as sent, ms since 1970 UTC
 * @param most points of one block
 */
export async function openBlocks(
  tx: Db,
  unitId: number,
  sentMs: readonly number[],
  most: number,
): Promise<OpenBlocks> {
  if (sentMs.length === 0) return new Map();
  const rows = await tx
    .selectFrom('position_blocks')
    .select([
      'block_start',
      'point_count as count',
      sql<Buffer | null>`case when point_count < ${most} then points end`.as('bytes'),
    ])
    .where('unit_id', '=', unitId)
    .where(startsAtAny([...new Set(sentMs.map(blockStartOf))]))
    .execute();
  return new Map(rows.map(({ block_start: start, ...block }) => [start.getTime(), block]));
}

/**
 * Reserves room in blocks, point by point.
 * @param most points of one block
 * @returns reserves room for a point sent at a moment, and says whether there was any
 */
export function createRoom(blocks: OpenBlocks, most: number): (sentMs: number) => boolean {
  const counts = new Map([...blocks].map(([startMs, { count }]) => [startMs, count]));
  return (sentMs) => {
    const startMs = blockStartOf(sentMs);
    const count = counts.get(startMs) ?? 0;
    if (count >= most) return false;
    counts.set(startMs, count + 1);
    return true;
  };
}

/**
 * Stores points; late ones are merged into existing blocks. The caller holds the unit's lock and has created the
 * partitions.
 * @param points new, each with room in its block
 * @param open their blocks, read under this lock
 * @returns the block of the latest point after the write; undefined without points
 */
export async function appendPositions(
  tx: Db,
  unitId: number,
  points: readonly StoredPoint[],
  open: OpenBlocks,
): Promise<{ startMs: number; bytes: Buffer } | undefined> {
  if (points.length === 0) return undefined;
  const blocks = Map.groupBy(points, (point) => blockStartOf(point.sentMs));
  const rows: (MergedBlock & { startMs: number })[] = [];
  await inSlices(blocks, BLOCKS_AT_ONCE, ([startMs, added]) => {
    const stored = open.get(startMs)?.bytes;
    if (stored === null) throw new Error('a full block of positions would be written over');
    rows.push({ startMs, ...mergeBlock(stored, added) });
  });
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

/** The stored points of the blocks of these moments (as sent), by pointKey. */
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
    .where(startsAtAny(starts))
    .execute();
  return new Map(rows.map((row) => [row.block_start.getTime(), row.points]));
}

// One parameter: a batch of sparse positions has thousands of blocks.
function startsAtAny(starts: readonly number[]): RawBuilder<boolean> {
  return sql<boolean>`block_start = any(${starts.map((ms) => new Date(ms))}::timestamptz[])`;
}
