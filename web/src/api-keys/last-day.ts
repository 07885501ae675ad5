import type { ApiKey } from '@ridewatch/contract/api-keys';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { nowMs } from '../core/clock.ts';
import type { KeyTexts } from './texts-ru.ts';

/** The last day of a key in Moscow; that it has expired, or has no last day. */
export function lastDayText({ expires_at }: ApiKey, text: KeyTexts): string {
  if (expires_at === null) return text.noLastDay;
  const endMs = Date.parse(expires_at);
  if (endMs <= nowMs()) return text.expired;
  // A key ends with its last day, at the midnight after it.
  return formatMoment(endMs - 1, FALLBACK_ZONE, 'DD.MM.YYYY');
}
