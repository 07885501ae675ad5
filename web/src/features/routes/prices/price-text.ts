/** The most that a price may be: seven digits of roubles. */
const MOST_WHOLE_DIGITS = 7;

/**
 * Reads a price as people and spreadsheets write it: `45`, `45,5`, `1 234,50 ₽`, `1,234.50`. Digits stay digits, no
 * binary number is made of them.
 * @returns roubles with two decimals (`45.00`), null for nothing, undefined for what is no price
 */
export function readPrice(typed: string): string | null | undefined {
  const bare = typed.replace(/[\s\u00a0\u202f\u2009]|₽|руб\.?|р\.?$|RUB/gi, '');
  if (bare === '') return null;
  const plain = withoutGroups(bare);
  const match = /^(\d*)(?:[.,](\d{0,2}))?$/.exec(plain);
  if (!match) return undefined;
  const [, whole = '', part = ''] = match;
  if (whole === '' && part === '') return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > MOST_WHOLE_DIGITS) return undefined;
  return `${digits}.${part.padEnd(2, '0')}`;
}

/** A price as it stands in its cell, in Russian form whatever the language: `1 234,50`. */
export function showPrice(cost: string | null): string {
  if (cost === null) return '';
  const [whole = '0', part = ''] = cost.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')},${part.padEnd(2, '0')}`;
}

/** A price as a cell's field holds it while it is changed: `1234,50`. */
export function editPrice(cost: string | null): string {
  return cost === null ? '' : cost.replace('.', ',');
}

// With both marks in it the last one parts the kopecks, the other one groups thousands.
function withoutGroups(text: string): string {
  if (!text.includes(',') || !text.includes('.')) return text;
  const mark = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.';
  const other = mark === ',' ? '.' : ',';
  const [whole = '', part = ''] = text.split(mark);
  const isGrouped = new RegExp(`^\\d{1,3}(\\${other}\\d{3})+$`).test(whole);
  return isGrouped ? `${whole.replaceAll(other, '')}.${part}` : text;
}
