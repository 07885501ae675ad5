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

/** Largest fare, kopecks: 100,000 roubles. */
export const MAX_FARE_KOPECKS = 10_000_000;
/** A correction and a sum handed in stay below this, kopecks: 100 million roubles. */
export const MAX_AMOUNT_KOPECKS = 10_000_000_000;
/** The largest salary percent, hundredths of a percent. */
export const MAX_HUNDREDTHS = 10_000;

/**
 * Parses a percentage of the API.
 * @param percent at most two decimals: `18`, `18.5`, `18.50`
 * @returns hundredths of a percent
 * @throws RangeError when the text is no such number
 */
export function hundredthsOf(percent: string): number {
  return kopecksOf(percent);
}

/**
 * Formats a percentage for the API.
 * @param hundredths of a percent
 * @returns two decimals: `18.50`
 * @throws RangeError when `hundredths` is no safe integer
 */
export function percentOf(hundredths: number): string {
  return roublesOf(hundredths);
}

/**
 * The takings of a number of people at one fare (specification, section 5).
 * @param people may be below zero, where manual counts remove more than a part of a day has
 * @returns kopecks
 * @throws RangeError when an argument or the product is no safe integer
 */
export function takingsOf(fareKopecks: number, people: number): number {
  return unsignedZero(exact(exact(fareKopecks) * exact(people)));
}

/**
 * The salary: a percentage of the total, rounded once, half away from zero (specification, section 5).
 * @param hundredths of a percent
 * @returns kopecks
 * @throws RangeError when an argument is no safe integer
 */
export function salaryOf(totalKopecks: number, hundredths: number): number {
  // The product of two safe integers may exceed 2^53.
  const share = BigInt(exact(totalKopecks)) * BigInt(exact(hundredths));
  const whole = BigInt(MAX_HUNDREDTHS);
  const size = ((share < 0n ? -share : share) * 2n + whole) / (whole * 2n);
  return exact(Number(share < 0n ? -size : size));
}

/**
 * The sum to hand in: total − salary − correction; may be negative (specification, section 5).
 * @returns kopecks
 * @throws RangeError when an argument or the result is no safe integer
 */
export function resultOf(
  totalKopecks: number,
  salaryKopecks: number,
  cashlessKopecks: number,
): number {
  const rest = exact(exact(totalKopecks) - exact(salaryKopecks));
  return unsignedZero(exact(rest - exact(cashlessKopecks)));
}

/**
 * The stated error of a sum of independent estimates: the root of the sum of squares, rounded to the kopeck.
 * @param errors the error of each, kopecks
 */
export function errorOfSum(errors: Iterable<number>): number {
  let squares = 0;
  for (const error of errors) squares += exact(error) ** 2;
  return Math.round(Math.sqrt(squares));
}

function exact(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number: ${amount}`);
  return amount;
}

// There is no amount of minus nothing.
function signed(isNegative: boolean, kopecks: number): number {
  return isNegative && kopecks !== 0 ? -kopecks : kopecks;
}

// A product or a difference may be minus nothing.
function unsignedZero(amount: number): number {
  return amount === 0 ? 0 : amount;
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
