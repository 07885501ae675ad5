import { num } from '@ridewatch/contract/columns';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { unpackColumns, unpackPoints } from './pack.ts';

export interface Position {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  /** Degrees clockwise from north. */
  readonly course: number | null;
}

/**
 * A unit's positions in a period of corrected time, in its order.
 * @param fromMs start, ms since 1970 UTC
 * @param toMs end, excluded
 */
export async function listPositions(
  db: Db,
  unitId: number,
  fromMs: number,
  toMs: number,
): Promise<Position[]> {
  const rows = await blocksBetween(db, unitId, fromMs, toMs).select('points').execute();
  return rows
    .flatMap((row) => unpackPoints(row.points))
    .map((point) => ({
      timeMs: point.sentMs + point.offsetMs,
      latitude: point.latitudeE6 / 1e6,
      longitude: point.longitudeE6 / 1e6,
      speedKmh: point.speedE1 === null ? null : point.speedE1 / 10,
      course: point.course,
    }))
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    .sort((a, b) => a.timeMs - b.timeMs);
}

/** Positions as columns of equal length, in no order. */
export interface PositionColumns {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** NaN where the unit sent no value. */
  readonly speedKmh: Float64Array;
}

/** Packed positions that touch a period of corrected time. */
export interface PositionBlocks {
  /** Start, ms since 1970 UTC. */
  readonly fromMs: number;
  /** First moment after it. */
  readonly toMs: number;
  readonly blocks: readonly Uint8Array[];
}

/** The number of positions in the blocks that touch a period of corrected time. */
export async function countPositions(
  db: Db,
  unitId: number,
  fromMs: number,
  toMs: number,
): Promise<number> {
  const { count } = await blocksBetween(db, unitId, fromMs, toMs)
    .select(({ fn }) => fn.sum<number | null>('point_count').as('count'))
    .executeTakeFirstOrThrow();
  return Number(count ?? 0);
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
  unitId: number,
  fromMs: number,
  toMs: number,
  field: string,
): Promise<number> {
  const count = await countPositions(db, unitId, fromMs, toMs);
  if (count <= MOST_OF_CALL) return count;
  throw new AppError('too_large', `has more than ${MOST_OF_CALL} positions`, { field });
}

/** A unit's packed positions that touch a period of corrected time, for computations over a whole day. */
export async function readPositionBlocks(
  db: Db,
  unitId: number,
  fromMs: number,
  toMs: number,
): Promise<PositionBlocks> {
  const rows = await blocksBetween(db, unitId, fromMs, toMs).select('points').execute();
  return { fromMs, toMs, blocks: rows.map((row) => row.points) };
}

/** A period of corrected time. */
interface Period {
  /** First moment, ms since 1970 UTC. */
  readonly fromMs: number;
  /** First moment after it. */
  readonly toMs: number;
}

/** A unit's packed positions of several periods of corrected time, one item a period, by one query. */
export async function readPeriods(
  db: Db,
  unitId: number,
  periods: readonly Period[],
): Promise<PositionBlocks[]> {
  if (periods.length === 0) return [];
  const first = leastOf(periods, ({ fromMs }) => fromMs);
  const last = mostOf(periods, ({ toMs }) => toMs);
  const rows = await blocksBetween(db, unitId, first, last)
    .select(['points', 'first_time', 'last_time'])
    .execute();
  return periods.map(({ fromMs, toMs }) => ({
    fromMs,
    toMs,
    blocks: rows
      .filter((row) => row.last_time.getTime() >= fromMs && row.first_time.getTime() < toMs)
      .map((row) => row.points),
  }));
}

function blocksBetween(db: Db, unitId: number, fromMs: number, toMs: number) {
  return db
    .selectFrom('position_blocks')
    .where('unit_id', '=', unitId)
    .where('last_time', '>=', new Date(fromMs))
    .where('first_time', '<', new Date(toMs));
}

/** Unpacks the positions of a period. */
export function positionColumns({ fromMs, toMs, blocks }: PositionBlocks): PositionColumns {
  const read = blocks.map((bytes) =>
    unpackColumns(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  );
  const most = read.reduce((sum, { sentMs }) => sum + sentMs.length, 0);
  const timeMs = new Float64Array(most);
  const latitude = new Float64Array(most);
  const longitude = new Float64Array(most);
  const speedKmh = new Float64Array(most);
  let length = 0;
  for (const { sentMs, offsetMs, latitudeE6, longitudeE6, speed } of read) {
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

/** A unit's positions in a period of corrected time as columns. */
export async function readPositionColumns(
  db: Db,
  unitId: number,
  fromMs: number,
  toMs: number,
): Promise<PositionColumns> {
  return positionColumns(await readPositionBlocks(db, unitId, fromMs, toMs));
}
