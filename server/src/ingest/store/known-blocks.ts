// The blocks of positions that a usual batch touches: the last one, which the process remembers, those that begin after
// it, and earlier ones, which are read. They stay as read while the unit's row counts no further batch.
import type { Database } from '../../core/db/db.ts';
import { blockStartOf } from '../../positions/append.ts';
import { type StoredPoint, unpackPoints } from '../../positions/pack.ts';
import { createReadTogether } from './read-together.ts';
import type { SeenUnit } from './seen-units.ts';

/** Blocks that a usual batch touches beside the last one: an hour and a half. */
const MOST_BLOCKS = 18;
/** A larger block is not read, bytes: 800 positions, when one a second is 300. */
const MOST_BYTES = 8192;

/** Reads blocks of a unit by their starts, ms since 1970 UTC; those that exist. */
export type ReadBlocks = (asked: {
  readonly unitId: number;
  readonly starts: readonly number[];
}) => Promise<
  {
    readonly unit: number;
    readonly start: Date;
    /** Null: it is too large. */
    readonly points: Buffer | null;
  }[]
>;

// Each block is a look at the key.
const TEXT = `select unit, start, found.points
  from unnest($1::bigint[], $2::timestamptz[]) as wanted (unit, start)
  cross join lateral (
    select case when octet_length(points) <= ${MOST_BYTES} then points end as points
    from position_blocks where unit_id = unit and block_start = start offset 0
  ) as found`;

/** Makes the read of one process. */
export const createReadBlocks = (database: Pick<Database, 'pool'>): ReadBlocks =>
  createReadTogether(database, (asked) => ({
    ...{ name: 'read_position_blocks', text: TEXT },
    values: [
      asked.flatMap(({ unitId, starts }) => starts.map(() => unitId)),
      asked.flatMap(({ starts }) => starts.map((ms) => new Date(ms))),
    ],
  }));

/**
 * Finds what the blocks of positions hold.
 * @param last the block of the unit's last positions
 * @param times of the positions, ms since 1970 UTC
 * @returns the stored positions by the start of their block; a block that does not exist is missing. Undefined: they are
 *   too many or too large for a usual batch
 */
export async function findBlocks(
  readBlocks: ReadBlocks,
  unitId: number,
  last: SeenUnit['block'],
  times: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredPoint[]> | undefined> {
  const found = new Map<number, readonly StoredPoint[]>();
  const starts = new Set(times.map(blockStartOf));
  if (starts.delete(last.startMs)) found.set(last.startMs, unpackPoints(last.bytes));
  if (starts.size > MOST_BLOCKS) return undefined;
  // None begins after the newest one.
  const unknown = [...starts].filter((ms) => !last.isNewest || ms < last.startMs);
  if (unknown.length === 0) return found;
  for (const { start, points } of await readBlocks({ unitId, starts: unknown })) {
    if (points === null) return undefined;
    found.set(start.getTime(), unpackPoints(points));
  }
  return found;
}
