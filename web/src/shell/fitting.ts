/**
 * Counts the first entries of a menu that fit into it, in px.
 * @param widths of the entries
 * @param more width of the entry that opens the others, which needs a place when not all fit
 * @param menu width of the menu
 */
export function fittingOf(widths: readonly number[], more: number, menu: number): number {
  const sum = widths.reduce((before, width) => before + width, 0);
  if (sum <= menu) return widths.length;
  let left = menu - more;
  for (const [at, width] of widths.entries()) {
    left -= width;
    if (left < 0) return at;
  }
  return widths.length;
}
