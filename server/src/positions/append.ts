import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { inSlices } from '../core/in-slices.ts';
import { packPoints, type StoredPoint, unpackPoints } from './pack.ts';

/** Period of one block in corrected time, ms. */
export const BLOCK_MS = 5 * 60_000;
/** Blocks packed in one go: 1 ms for those of a unit that sends each minute, some ms for one that sends each second. */
const BLOCKS_AT_ONCE = 100;

/** The start of a moment's block, ms since 1970 UTC. */
export function blockStartOf(timeMs: number): number {
  return Math.floor(timeMs / BLOCK_MS) * BLOCK_MS;
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

/** Packs the points of a block, in any order. */
export function blockOf(points: readonly StoredPoint[]): MergedBlock {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs, offsetMs } of points) {
    firstMs = Math.min(firstMs, sentMs + offsetMs);
    lastMs = Math.max(lastMs, sentMs + offsetMs);
  }
  return { count: points.length, firstMs, lastMs, bytes: packPoints(points) };
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
 * @param timeMs the points' corrected times, ms since 1970 UTC
 * @param most points of one block
 */
export async function openBlocks(
  tx: Db,
  unitId: number,
  timeMs: readonly number[],
  most: number,
): Promise<OpenBlocks> {
  if (timeMs.length === 0) return new Map();
  const rows = await tx
    .selectFrom('position_blocks')
    .select([
      'block_start',
      'point_count as count',
      sql<Buffer | null>`case when point_count < ${most} then points end`.as('bytes'),
    ])
    .where('unit_id', '=', unitId)
    .where(startsAtAny([...new Set(timeMs.map(blockStartOf))]))
    .execute();
  return new Map(rows.map(({ block_start: start, ...block }) => [start.getTime(), block]));
}

/**
 * Reserves room in blocks, point by point.
 * @param most points of one block
 * @returns reserves room for a point of a moment, and says whether there was any
 */
export function createRoom(blocks: OpenBlocks, most: number): (timeMs: number) => boolean {
  const counts = new Map([...blocks].map(([startMs, { count }]) => [startMs, count]));
  return (timeMs) => {
    const startMs = blockStartOf(timeMs);
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
  const blocks = Map.groupBy(points, (point) => blockStartOf(point.sentMs + point.offsetMs));
  const rows: (MergedBlock & { startMs: number })[] = [];
  await inSlices(blocks, BLOCKS_AT_ONCE, ([startMs, added]) => {
    const stored = open.get(startMs)?.bytes;
    if (stored === null) throw new Error('A full block of positions must not be overwritten.');
    const all = stored === undefined ? added : unpackPoints(stored).concat(added);
    rows.push({ startMs, ...blockOf(all) });
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

/** Whether a unit has no block after one. The caller holds the unit's lock. @param startMs ms since 1970 UTC */
export async function isNewestBlock(tx: Db, unitId: number, startMs: number): Promise<boolean> {
  const later = await tx
    .selectFrom('position_blocks')
    .select('block_start')
    .where('unit_id', '=', unitId)
    .where('block_start', '>', new Date(startMs))
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
}

/** The times at which a point may be stored that was sent again, ms since 1970 UTC. */
export interface SentAgain {
  readonly key: string;
  /** As sent, and corrected by this sending's offset, which is not that of the first one. */
  readonly sentMs: number;
  readonly timeMs: number;
  /** No record has the time as sent: the clock was wrong, and may have been set since. */
  readonly isOfWrongClock: boolean;
  /** Only a point that lies at its time as sent may be this one: one that lies elsewhere was sent by a wrong clock. */
  readonly isAsSent: boolean;
}

/** Offsets of two sendings differ by less, ms: by latency, and by a clock that drifts. */
const OFFSETS_MS = BLOCK_MS;
/** A clock that was set since then placed the point within this time before its arrival, ms; at most 864 blocks. */
const SET_SINCE_MS = 3 * 86_400_000;

/**
 * Finds points that were sent before.
 * @param nowMs the present, ms since 1970 UTC
 * @returns the stored points of at least those that are stored, by pointKey
 */
export async function findStoredPoints(
  tx: Db,
  unitId: number,
  again: readonly SentAgain[],
  nowMs: number,
): Promise<Map<string, StoredPoint>> {
  if (again.length === 0) return new Map();
  const moments = again.flatMap(({ sentMs, timeMs }) => [
    sentMs,
    ...[-OFFSETS_MS, 0, OFFSETS_MS].map((ms) => timeMs + ms),
  ]);
  const asSent = new Set(again.filter(({ isAsSent }) => isAsSent).map(({ key }) => key));
  const read = (where: RawBuilder<boolean>) => readPoints(tx, unitId, where, asSent);
  const points = await read(startsAtAny([...new Set(moments.map(blockStartOf))]));
  if (!again.some(({ key, isOfWrongClock }) => isOfWrongClock && !points.has(key))) return points;
  const recent = sql<boolean>`last_time > ${new Date(nowMs - SET_SINCE_MS)}`;
  return new Map([...points, ...(await read(recent))]);
}

async function readPoints(
  tx: Db,
  unitId: number,
  where: RawBuilder<boolean>,
  asSent: ReadonlySet<string>,
): Promise<Map<string, StoredPoint>> {
  const rows = await tx
    .selectFrom('position_blocks')
    .select('points')
    .where('unit_id', '=', unitId)
    .where(where)
    .orderBy('last_time', 'desc')
    .execute();
  const points = rows.flatMap((row) => unpackPoints(row.points));
  return new Map(
    points
      .map((point) => [pointKey(point.streamId, point.seq), point] as const)
      .filter(([key, { offsetMs }]) => offsetMs === 0 || !asSent.has(key)),
  );
}

// One parameter: a batch of sparse positions has thousands of blocks.
function startsAtAny(starts: readonly number[]): RawBuilder<boolean> {
  return sql<boolean>`block_start = any(${starts.map((ms) => new Date(ms))}::timestamptz[])`;
}
