import { dayOf, formatMoment, momentOf } from '@ridewatch/contract/day';
import { shiftDate } from '../scripts/shift-date.ts';
import { ZONE } from './zone.ts';

/** Hours in which some bus of the simulated fleet drives at any minute. */
const FIRST_HOUR = 7;
const LAST_HOUR = 20;

/**
 * Begins a test file in the daytime of the fleet, for stories about a bus on the road: at night all stand at their
 * terminals for up to an hour. Sets the clock of the file, its servers, units and pages, as TEST_CLOCK does. Call it
 * before anything reads the time.
 */
export function beginInDaytime(): void {
  const nowMs = Date.now();
  const hour = Number(formatMoment(nowMs, ZONE, 'H'));
  if (hour >= FIRST_HOUR && hour <= LAST_HOUR) return;
  const shiftMs = momentOf(`${dayOf(nowMs, ZONE)}T18:00`, ZONE) - nowMs;
  const beforeMs = Number(process.env.CLOCK_OFFSET_MS || '0');
  process.env.CLOCK_OFFSET_MS = String(beforeMs + shiftMs);
  shiftDate(shiftMs);
}
