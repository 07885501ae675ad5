import { dayOf, FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { nowMs } from '../../core/clock.ts';
import type { ConnectTexts } from './texts-ru.ts';

/**
 * A moment by the clock of Moscow, in words: `at 14:32:05 Moscow time`, with the date before it unless that is today;
 * nothing for none.
 * @param moment ISO 8601
 */
export function timeOf(moment: string | null | undefined, { at }: ConnectTexts): string {
  if (!moment) return '';
  const momentMs = Date.parse(moment);
  const isToday = dayOf(momentMs, FALLBACK_ZONE) === dayOf(nowMs(), FALLBACK_ZONE);
  const day = isToday ? undefined : formatMoment(momentMs, FALLBACK_ZONE, 'DD.MM.YYYY');
  return at(formatMoment(momentMs, FALLBACK_ZONE, 'HH:mm:ss'), day);
}
