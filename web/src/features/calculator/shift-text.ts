import { dayRange, formatMoment } from '@ridewatch/contract/day';

/** The local time of day of a bound of the shift; the end of the day is 24:00, and no bound is empty. */
export function boundText(moment: string | null, date: string, zone: string): string {
  if (moment === null) return '';
  const ms = Date.parse(moment);
  return ms === dayRange(date, zone).endMs ? '24:00' : formatMoment(ms, zone, 'HH:mm');
}
