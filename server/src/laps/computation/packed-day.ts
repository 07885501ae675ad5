import { type PositionBlocks, positionColumns } from '../../positions/read.ts';
import { type DayInput, type DayLaps, lapsOfDay } from '../engine/day-laps.ts';

/** A day before its positions are unpacked. */
export type PackedDay = Omit<DayInput, 'positions'> & { readonly positions: PositionBlocks };

/** Computes a packed day, here or in another thread. */
export type ComputeDay = (day: PackedDay) => Promise<DayLaps>;

/** Computes a packed day in this thread. */
export function lapsOfPackedDay(day: PackedDay): DayLaps {
  return lapsOfDay({ ...day, positions: positionColumns(day.positions) });
}
