// Money is an integer number of kopecks in all computations; only text has a decimal point. A float would lose kopecks,
// so every function here refuses a number that is not a safe integer.

/**
 * Parses an amount of the API.
 * @param roubles at most two decimals: `45`, `45.5`, `1234.50`, `-0.05`
 * @returns kopecks
 * @throws RangeError when the text is no such amount, or has more kopecks than a safe integer
 */
export function kopecksOf(roubles: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(roubles);
  if (match === null) throw new RangeError(`not an amount of roubles: ${roubles}`);
  const [, sign, whole = '', decimals = ''] = match;
  return signed(sign === '-', exact(Number(whole + decimals.padEnd(2, '0'))));
}

/**
 * Formats an amount for the API.
 * @returns roubles with two decimals: `1234.50`, `-0.05`
 * @throws RangeError when `kopecks` is no safe integer
 */
export function roublesOf(kopecks: number): string {
  const { whole, decimals } = digitsOf(kopecks);
  return `${kopecks < 0 ? '-' : ''}${whole}.${decimals}`;
}

/**
 * Parses an amount as people and spreadsheets write it: `45`, `45,5`, `−1 234,50 ₽`, `1,234.50`.
 * @returns kopecks, null for an empty text, undefined for an invalid one
 */
export function readAmount(typed: string): number | null | undefined {
  const bare = typed.replace(/[\s\u00a0\u202f\u2009]|₽|руб\.?|р\.?$|RUB/gi, '');
  if (bare === '') return null;
  const isNegative = /^[-−]/.test(bare);
  const match = /^(\d*)(?:[.,](\d{0,2}))?$/.exec(withoutGroups(isNegative ? bare.slice(1) : bare));
  const [, whole = '', decimals = ''] = match ?? [];
  if (whole === '' && decimals === '') return undefined;
  const kopecks = Number(whole + decimals.padEnd(2, '0'));
  return Number.isSafeInteger(kopecks) ? signed(isNegative, kopecks) : undefined;
}

/**
 * Formats an amount in Russian without the currency, for a cell whose heading names it: `1 234,50`, `−0,05`.
 * @throws RangeError when `kopecks` is no safe integer
 */
export function showAmount(kopecks: number): string {
  const { whole, decimals } = digitsOf(kopecks);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return `${kopecks < 0 ? '−' : ''}${grouped},${decimals}`;
}

/** Formats an amount in Russian: `1 234,50 ₽`. @throws RangeError when `kopecks` is no safe integer */
export function showMoney(kopecks: number): string {
  return `${showAmount(kopecks)}\u00a0₽`;
}

/** Formats the change of an amount with its sign: `+1,00 ₽`. @throws RangeError when `kopecks` is no safe integer */
export function showDifference(kopecks: number): string {
  return kopecks > 0 ? `+${showMoney(kopecks)}` : showMoney(kopecks);
}

function exact(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number: ${amount}`);
  return amount;
}

// There is no amount of minus nothing.
function signed(isNegative: boolean, kopecks: number): number {
  return isNegative && kopecks !== 0 ? -kopecks : kopecks;
}

function digitsOf(kopecks: number): { whole: string; decimals: string } {
  const digits = String(Math.abs(exact(kopecks))).padStart(3, '0');
  return { whole: digits.slice(0, -2), decimals: digits.slice(-2) };
}

// With both marks the last one is the decimal mark, the other groups thousands.
function withoutGroups(text: string): string {
  if (!text.includes(',') || !text.includes('.')) return text;
  const mark = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.';
  const other = mark === ',' ? '.' : ',';
  const [whole = '', decimals = ''] = text.split(mark);
  const isGrouped = new RegExp(`^\\d{1,3}(\\${other}\\d{3})+$`).test(whole);
  return isGrouped ? `${whole.replaceAll(other, '')}.${decimals}` : text;
}
