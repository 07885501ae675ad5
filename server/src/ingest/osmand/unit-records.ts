// Turns a moment into records of the store. It has no number: a position is known by its ms, a count by its ms, door and
// direction.
import { roundTo } from '@ridewatch/contract/round';
import type { OsmandSettings } from '@ridewatch/contract/unit-protocols';
import { countNumber, positionNumber } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import type { OsmandMoment, OsmandPosition } from './moments.ts';

/** km/h in one of each unit of speed. */
const KMH: { readonly [S in OsmandSettings['speed']]: number } = { knots: 1.852, kmh: 1, ms: 3.6 };
/** As in the contract of the unit interface; a faster bus is a faulty receiver. */
const MOST_KMH = 400;

/** The records of a moment. @param settings the ways in which its sender departs from the form */
export function recordsOf(
  { sentMs, position, counts }: OsmandMoment,
  settings: OsmandSettings,
): ToldRecord[] {
  const records: ToldRecord[] = [];
  if (position !== null) {
    const { place, course, satellites, hdop } = position;
    records.push({
      ...{ type: 'position', seq: positionNumber(sentMs), sentMs },
      ...{ place, speedKmh: speedKmhOf(position, settings), course, satellites, hdop },
    });
  }
  for (const direction of ['entered', 'exited'] as const) {
    if (counts === null || counts[direction] === 0) continue;
    const { door, [direction]: count } = counts;
    // Within a second the ms tell counts apart.
    const key = { timeMs: sentMs, module: sentMs % 1000, door, direction };
    records.push({
      ...{ type: 'passenger', seq: countNumber(key), sentMs, door, direction, count },
      passenger: 'adult',
    });
  }
  return records;
}

function speedKmhOf(
  { speed, isSpeedInMs }: OsmandPosition,
  settings: OsmandSettings,
): number | null {
  if (speed === null) return null;
  const speedKmh = roundTo(speed * KMH[isSpeedInMs ? 'ms' : settings.speed], 1);
  return speedKmh > MOST_KMH ? null : speedKmh;
}
