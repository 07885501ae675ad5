/**
 * Rounds a number to decimals, half of the last one up.
 * @param decimals 0 to 6
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
