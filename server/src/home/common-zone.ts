import { FALLBACK_ZONE } from '@ridewatch/contract/day';

/**
 * The zone that most buses have. Of several that as many have, FALLBACK_ZONE if it is one of them, else the first by name.
 * @param zones of each bus; FALLBACK_ZONE without any
 */
export function commonZoneOf(zones: readonly string[]): string {
  const isFallback = (zone: string): number => Number(zone === FALLBACK_ZONE);
  const [common] = [...Map.groupBy(zones, (zone) => zone)].sort(
    ([one, ofOne], [other, ofOther]) =>
      ofOther.length - ofOne.length ||
      isFallback(other) - isFallback(one) ||
      (one < other ? -1 : 1),
  );
  return common?.[0] ?? FALLBACK_ZONE;
}
