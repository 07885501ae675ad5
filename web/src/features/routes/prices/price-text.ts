import { kopecksOf, readAmount, roublesOf, showAmount } from '@ridewatch/contract/money';

/** Highest price: seven digits of roubles. */
const MOST_KOPECKS = 999_999_999;

/**
 * Reads a price as people and spreadsheets write it: `45`, `45,5`, `1 234,50 ₽`, `1,234.50`.
 * @returns roubles with two decimals (`45.00`), null for an empty text, undefined if it is not a price
 */
export function readPrice(typed: string): string | null | undefined {
  const kopecks = readAmount(typed);
  if (kopecks === null || kopecks === undefined) return kopecks;
  const isPrice = kopecks <= MOST_KOPECKS && !/[-−]/.test(typed);
  return isPrice ? roublesOf(kopecks) : undefined;
}

/** Formats a price for its cell, in Russian form in all languages: `1 234,50`. */
export function showPrice(cost: string | null): string {
  return cost === null ? '' : showAmount(kopecksOf(cost));
}

/** Formats a price for editing: `1234,50`. */
export function editPrice(cost: string | null): string {
  return cost === null ? '' : cost.replace('.', ',');
}
