import type { Calculation } from '@ridewatch/contract/day-calculation';
import type { Db } from '../core/db/db.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { findDayBounds } from '../days/bus-days.ts';
import { findDayFigures } from '../figures/one-day.ts';
import { calculationOn } from './day-money.ts';

/** The calculation of a bus's local day. */
export async function findCalculation(db: Db, question: DayOfBus): Promise<Calculation> {
  const bounds = await findDayBounds(db, question.busId, question.day);
  return calculationOn(db, question, await findDayFigures(db, { ...question, ...bounds }));
}
