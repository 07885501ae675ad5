import { dayRange } from '@ridewatch/contract/day';
import type { LapRow } from '../../access/lap.ts';
import type { Visible } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import { findSettingsOn } from '../../days/bus-settings.ts';
import {
  type PositionBlocks,
  readPositionBlocks,
  refuseManyPositions,
} from '../../positions/read.ts';
import type { Drive, Wanted } from './drive.ts';
import { readLegs, readStays } from './read-stays.ts';

/**
 * The drive of a lap. Of one with legs, positions are read only for its line.
 * @throws AppError too_large for a lap with more positions than one call reads
 */
export async function readLap(
  db: Db,
  { id, busId, day, startTime: start, endTime: end }: Visible<LapRow>,
  { line }: Pick<Wanted, 'line'>,
): Promise<Drive> {
  const stays = await readStays(db, { busId, start, end });
  const legs = await readLegs(db, busId, day, id);
  if (legs.length > 0 && line === null) return { stays, legs, positions: null };
  const positions = await readPositions(db, busId, start.getTime(), end.getTime(), 'lapId');
  return { stays, legs, positions };
}

/**
 * The drive of a local day. Positions are read only if no complete lap begins on it.
 * @throws AppError too_large for a day with more positions than one call reads
 */
export async function readDay(db: Db, busId: number, date: string): Promise<Drive> {
  const { timezone } = await findSettingsOn(db, busId, date);
  const { startMs, endMs } = dayRange(date, timezone);
  const stays = await readStays(db, { busId, start: new Date(startMs), end: new Date(endMs) });
  const legs = await readLegs(db, busId, date);
  if (legs.length > 0) return { stays, legs, positions: null };
  return { stays, legs, positions: await readPositions(db, busId, startMs, endMs, 'date') };
}

async function readPositions(
  db: Db,
  busId: number,
  startMs: number,
  endMs: number,
  field: string,
): Promise<PositionBlocks> {
  // The last position is its own.
  await refuseManyPositions(db, busId, startMs, endMs + 1, field);
  return readPositionBlocks(db, busId, startMs, endMs + 1);
}
