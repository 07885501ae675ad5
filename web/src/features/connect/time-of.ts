import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';

/** The time of day of a moment by the clock of Moscow, `14:32:05`; nothing for none. */
export function timeOf(moment: string | null | undefined): string {
  return moment ? formatMoment(Date.parse(moment), FALLBACK_ZONE, 'HH:mm:ss') : '';
}
