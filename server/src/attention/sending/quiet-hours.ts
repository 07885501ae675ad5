import { addDays, dayOf, formatMoment, momentOf } from '@ridewatch/contract/day';

/** Local times `HH:mm`; over midnight if `to` is the earlier one. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

const HOUR_MS = 3_600_000;

/**
 * When the quiet hours end in which a moment lies.
 * @param momentMs ms since 1970 UTC
 * @param zone IANA name
 * @returns ms since 1970 UTC; undefined if the moment lies in none. Equal times are no quiet hours
 */
export function quietUntil(
  momentMs: number,
  zone: string,
  { from, to }: QuietHours,
): number | undefined {
  const time = formatMoment(momentMs, zone, 'HH:mm');
  const isOverMidnight = to < from;
  const isQuiet = isOverMidnight ? time >= from || time < to : time >= from && time < to;
  if (!isQuiet) return undefined;
  const day = dayOf(momentMs, zone);
  const endDay = isOverMidnight && time >= from ? addDays(day, 1) : day;
  const endMs = momentOf(`${endDay}T${to}:00`, zone);
  // In autumn an hour comes twice, and `momentOf` answers the first.
  return endMs > momentMs ? endMs : endMs + HOUR_MS;
}
