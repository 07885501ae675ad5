import { dayOf, formatMoment } from '@ridewatch/contract/day';

/**
 * A local time, with its date if it is not on the page's day: a bus may have come to the first stop of a lap the evening
 * before.
 * @param day local day of the page
 * @param pattern of the time, as `formatMoment` takes it
 */
export function clockOn(day: string, momentMs: number, zone: string, pattern: string): string {
  const isOfDay = dayOf(momentMs, zone) === day;
  return formatMoment(momentMs, zone, isOfDay ? pattern : `DD.MM ${pattern}`);
}
