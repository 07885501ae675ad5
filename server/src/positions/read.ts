import { num } from '@ridewatch/contract/columns';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { unpackColumns } from './pack.ts';

/** Positions as columns of equal length, in no order. */
export interface PositionColumns {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** NaN where the unit sent no value. */
  readonly speedKmh: Float64Array;
}

/** A period of corrected time. */
interface Period {
  /** First moment, ms since 1970 UTC. */
  readonly fromMs: number;
  /** First moment after it. */
  readonly toMs: number;
}

/** Packed positions of a bus in a period. */
export type PositionBlocks = readonly PositionBlock[];

/** Packed positions of a unit; those in the period were recorded in the bus. */
interface PositionBlock extends Period {
  readonly bytes: Uint8Array;
}

/** The number of positions in the blocks of a bus that touch a period of corrected time. */
export async function countPositions(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(point_count), 0)::int as count from ${blocksBetween(busId, fromMs, toMs)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Most positions that one call reads: three a second for a day. */
const MOST_OF_CALL = 250_000;

/**
 * Refuses a period of corrected time with more positions than one call reads.
 * @param field that named the period
 * @returns how many there are
 * @throws AppError too_large, which names that field
 */
export async function refuseManyPositions(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
  field: string,
): Promise<number> {
  const count = await countPositions(db, busId, fromMs, toMs);
  if (count <= MOST_OF_CALL) return count;
  throw new AppError('too_large', `has more than ${MOST_OF_CALL} positions`, { field });
}

/** A bus's packed positions of a period of corrected time, for computations over a whole day. */
export async function readPositionBlocks(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<PositionBlocks> {
  const [blocks = []] = await readPeriods(db, busId, [{ fromMs, toMs }]);
  return blocks;
}

/** A bus's packed positions of several periods of corrected time, one item a period, by one query. */
export async function readPeriods(
  db: Db,
  busId: number,
  periods: readonly Period[],
): Promise<PositionBlocks[]> {
  if (periods.length === 0) return [];
  const first = leastOf(periods, ({ fromMs }) => fromMs);
  const last = mostOf(periods, ({ toMs }) => toMs);
  const { rows } = await sql<BlockRow>`
    select points, first_time, last_time, from_at, until_at
    from ${blocksBetween(busId, first, last)}`.execute(db);
  const isTouched = (row: BlockRow, { fromMs, toMs }: Period): boolean =>
    Number(row.last_time) >= fromMs && Number(row.first_time) < toMs;
  return periods.map((period) =>
    rows
      .filter((row) => isTouched(row, period))
      .map((row) => ({
        fromMs: Math.max(period.fromMs, Number(row.from_at)),
        toMs: Math.min(period.toMs, Number(row.until_at)),
        bytes: row.points,
      })),
  );
}

interface BlockRow {
  readonly points: Uint8Array;
  readonly first_time: Date;
  readonly last_time: Date;
  /** When the unit sat in the bus; infinite for one that has always been there. */
  readonly from_at: Date | number;
  readonly until_at: Date | number;
}

// The blocks of the units that sat in the bus then.
function blocksBetween(busId: number, fromMs: number, toMs: number): RawBuilder<unknown> {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  return sql`unit_assignments as assigned
    join position_blocks as block on block.unit_id = assigned.unit_id
    where assigned.workplace_id = ${busId} and last_time >= ${from} and first_time < ${to}
      and last_time >= from_at and first_time < until_at`;
}

/** Unpacks the positions of a period. */
export function positionColumns(blocks: PositionBlocks): PositionColumns {
  const read = blocks.map(({ bytes, ...period }) => ({
    ...unpackColumns(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
    ...period,
  }));
  const most = read.reduce((sum, { sentMs }) => sum + sentMs.length, 0);
  const timeMs = new Float64Array(most);
  const latitude = new Float64Array(most);
  const longitude = new Float64Array(most);
  const speedKmh = new Float64Array(most);
  let length = 0;
  for (const { sentMs, offsetMs, latitudeE6, longitudeE6, speed, fromMs, toMs } of read) {
    for (let n = 0; n < sentMs.length; n += 1) {
      const at = num(sentMs, n) + num(offsetMs, n);
      if (at < fromMs || at >= toMs) continue;
      timeMs[length] = at;
      latitude[length] = num(latitudeE6, n) / 1e6;
      longitude[length] = num(longitudeE6, n) / 1e6;
      speedKmh[length] = speed[n] === 0 ? Number.NaN : (num(speed, n) - 1) / 10;
      length += 1;
    }
  }
  return {
    timeMs: timeMs.subarray(0, length),
    latitude: latitude.subarray(0, length),
    longitude: longitude.subarray(0, length),
    speedKmh: speedKmh.subarray(0, length),
  };
}

/** A bus's positions in a period of corrected time as columns, in no order. */
export async function readPositionColumns(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<PositionColumns> {
  return positionColumns(await readPositionBlocks(db, busId, fromMs, toMs));
}
