import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';

/** A moment in Moscow, as lists across buses show it; a dash for none. */
export function momentText(moment: string | null): string {
  return moment === null
    ? '—'
    : formatMoment(Date.parse(moment), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
}

/** A moment in Moscow to the second, where several may be of one minute. */
export const secondText = (moment: string): string =>
  formatMoment(Date.parse(moment), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm:ss');
