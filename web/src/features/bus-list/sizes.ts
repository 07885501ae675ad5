/** Row heights, px. The last 8 px of a row of cards are the gap below it. */
export const HEADING_HEIGHT = 44;
/** A row of the board; its headings are as high, so that all heights are known without the rows. */
export const ROW_HEIGHT = 36;
const GAP = 8;
const PLAIN_CARD = 90;
const ADMIN_ROW = 36;
const ADMIN_ROW_PHONE = 48;
const PHONE_EXTRA = 8;
const NARROWEST_CARD = 320;

/** The height of a row of cards with its gap, px. */
export function cardHeight(isAdmin: boolean, isPhone: boolean): number {
  const plain = PLAIN_CARD + (isPhone ? PHONE_EXTRA : 0) + GAP;
  if (!isAdmin) return plain;
  return plain + (isPhone ? ADMIN_ROW_PHONE : ADMIN_ROW);
}

/** How many cards fit into a row of this width, px. */
export function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + GAP) / (NARROWEST_CARD + GAP)));
}
