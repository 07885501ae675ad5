import { createDayFinder, type ZoneSpan } from '../bus-days.ts';
import { LAP_MARGIN_MS } from '../laps/queries.ts';
import { hasPlace, type Sorted } from './stored.ts';

/** The local days whose laps the positions and people of a batch may change. */
export function touchedDays(
  { positions, passengers }: Sorted,
  zones: readonly ZoneSpan[],
): Set<string> {
  const days = new Set<string>();
  const times = [
    ...positions.filter(hasPlace).map(({ timeMs }) => timeMs),
    ...passengers.map(({ timeMs }) => timeMs),
  ];
  for (const shiftMs of [-LAP_MARGIN_MS, 0, LAP_MARGIN_MS]) {
    const localDay = createDayFinder(zones);
    for (const timeMs of times) days.add(localDay(timeMs + shiftMs).day);
  }
  return days;
}
