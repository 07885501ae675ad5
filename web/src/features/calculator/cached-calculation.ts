// The calculation of a day is in two cached answers: the bus's day, and its parts while the calculator is open.
import { findCalculationParts } from '@ridewatch/contract/calculation';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { changeCached, keyOf, queryClient } from '../../calls/api.ts';

/** Replaces the calculation of its day in all cached answers. */
export function cacheCalculation(calculation: Calculation): void {
  const query = { workplaceId: calculation.workplace_id, date: calculation.date };
  changeCached(listDayFragments, { query }, (day) => ({ ...day, calculation }));
  changeCached(findCalculationParts, { query }, (parts) => ({ ...parts, calculation }));
}

/**
 * Reads again what a saved calculation has changed; the history follows the moment of the last change.
 * @param isOfDay also the day's fragments and totals: another shift cuts other events
 */
export function refreshCalculated({ workplace_id, date }: Calculation, isOfDay: boolean): void {
  const query = { workplaceId: workplace_id, date };
  void queryClient.invalidateQueries({ queryKey: keyOf(findCalculationParts, { query }) });
  if (isOfDay) {
    void queryClient.invalidateQueries({ queryKey: keyOf(listDayFragments, { query }) });
  }
}
