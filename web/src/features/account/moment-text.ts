import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';

/** A moment with its day, by Moscow time. @param moment ISO 8601 */
export function momentText(moment: string): string {
  return formatMoment(Date.parse(moment), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
}
