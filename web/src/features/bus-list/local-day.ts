import type { Bus } from '@ridewatch/contract/buses';
import { dateText } from '../../i18n/moment-text.ts';

/**
 * The local day of a bus whose calendar differs from that of most others, as at night between two zones.
 * @param madeAt when the figures were read
 * @returns `13.11`; undefined for a bus with the day of most
 */
export function differentDaysOf(
  buses: readonly Bus[],
  madeAt: string,
): (bus: Bus) => string | undefined {
  const days = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { timezone } of buses) {
    const day = days.get(timezone) ?? dateText(Date.parse(madeAt), timezone);
    days.set(timezone, day);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const [common] = [...counts].sort(([, one], [, other]) => other - one);
  return ({ timezone }) => {
    const day = days.get(timezone);
    return day === common?.[0] ? undefined : day;
  };
}
