import { kopecksOf, readAmount, roublesOf, showAmount } from '@ridewatch/contract/money';

/** The most that a price may be: seven digits of roubles. */
const MOST_KOPECKS = 999_999_999;

/**
 * Reads a price as people and spreadsheets write it: `45`, `45,5`, `1 234,50 ₽`, `1,234.50`.
 * @returns roubles with two decimals (`45.00`), null for nothing, undefined for what is no price
 */
export function readPrice(typed: string): string | null | undefined {
  const kopecks = readAmount(typed);
  if (kopecks === null || kopecks === undefined) return kopecks;
  const isPrice = kopecks <= MOST_KOPECKS && !/[-−]/.test(typed);
  return isPrice ? roublesOf(kopecks) : undefined;
}

/** A price as it stands in its cell, in Russian form whatever the language: `1 234,50`. */
export function showPrice(cost: string | null): string {
  return cost === null ? '' : showAmount(kopecksOf(cost));
}

/** A price as a cell's field holds it while it is changed: `1234,50`. */
export function editPrice(cost: string | null): string {
  return cost === null ? '' : cost.replace('.', ',');
}
