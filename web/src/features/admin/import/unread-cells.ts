// Cells whose content the file does not tell: errors, formulas without a stored value, numbers that lost digits.
import { type ImportCell, MOST_IMPORT_CELL } from '@ridewatch/contract/admin-import';
import { addressIn, styleIn, typeIn } from './cell-addresses.ts';

/** A character that no text has, around the reason of a marked cell. */
const MARK = '\uE0FF';
/** Spreadsheets keep 15 digits of a number: from here on a whole one has lost some. */
const LOSES_DIGITS = 1e15;
const KEPT_DIGITS = 15;
/** The days that a spreadsheet has, as numbers: up to 31 December 9999. */
const END_OF_DAYS = 2_958_466;
/** Days from the beginning in 1900 to the one in 1904. */
const DAYS_TO_1904 = 1462;
const KNOWN_TYPES = ['', 'n', 's', 'str', 'inlineStr', 'b', 'd', 'e'];

/** How spreadsheets write an error and a rounded long number into a text, in English and Russian. */
const ERROR = /^#(?:\p{Lu}+[!?]|N\/A|Н\/Д|(?:DIV|ДЕЛ)\/0!)$/u;
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;

/**
 * Makes texts of the cells of a sheet that its reader takes for empty or refuses with the whole file: errors, formulas
 * without a stored value, and unknown types. Numbers that are no days lose their form, which may be that of a day.
 * @param xml of the sheet
 * @param from1904 whether the days of its workbook begin in 1904
 * @returns the same text where there are none
 */
export function markUnread(xml: string, from1904: boolean): string {
  const end = END_OF_DAYS - (from1904 ? DAYS_TO_1904 : 0);
  return xml.replaceAll(
    /<((?:\w+:)?)c(\s[^>]*?)?(?:\/>|>([\s\S]*?)<\/\1c>)/g,
    (cell, prefix: string, attributes = '', content = '') => {
      const found = unreadOf(attributes, content);
      if (found === undefined) return isNoDay(attributes, content, end) ? withoutForm(cell) : cell;
      const text = `${MARK}${found.unread}${MARK}${found.value}`;
      const address = addressIn(attributes) ?? '';
      const inside = `<${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is>`;
      return `<${prefix}c r="${address}" t="inlineStr">${inside}</${prefix}c>`;
    },
  );
}

type Unread = Exclude<ImportCell, string>;

/** @returns with a value as it stands in the XML */
function unreadOf(attributes: string, content: string): Unread | undefined {
  const type = typeIn(attributes) ?? '';
  const value = textIn('v', content);
  if (!KNOWN_TYPES.includes(type)) return { value: value || type, unread: 'kind' };
  if (type === 'e') return { value: value || '#', unread: 'error' };
  const formula = textIn('f', content);
  // A formula whose text is empty has a value.
  const isCalculated = Boolean(value) || (type === 'str' && value === '');
  return formula === undefined || isCalculated
    ? undefined
    : { value: `=${formula}`, unread: 'formula' };
}

// The reader makes a day of every number with the form of days, and fails where there is none.
function isNoDay(attributes: string, content: string, end: number): boolean {
  if (styleIn(attributes) === undefined || (typeIn(attributes) ?? 'n') !== 'n') return false;
  const number = Number(textIn('v', content));
  return number < 0 || number >= end;
}

const withoutForm = (cell: string): string =>
  cell.replace(/^<[^>]*>/, (tag) => tag.replace(/\ss\s*=\s*(?:"[^"]*"|'[^']*')/, ''));

/** The text of an element in a cell; undefined where it has no such element. */
function textIn(name: string, content: string): string | undefined {
  const found = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*?)?(?:/>|>([^<]*)<)`).exec(content);
  return found ? (found[1] ?? '') : undefined;
}

/** A number of a spreadsheet as people see it there. */
export function numberCell(digits: string): ImportCell {
  const number = Number(digits);
  if (Number.isNaN(number)) return { value: digits, unread: 'kind' };
  if (Math.abs(number) >= LOSES_DIGITS) return { value: digits, unread: 'digits' };
  return String(Number(number.toPrecision(KEPT_DIGITS)));
}

/** A text of a table: what `markUnread` has marked, what a spreadsheet has written for an error, or the text itself. */
export function textCell(text: string): ImportCell {
  const [before, reason, ...rest] = text.split(MARK);
  const short = (value: string): string => value.slice(0, MOST_IMPORT_CELL);
  if (before === '' && rest.length > 0) {
    return { value: short(rest.join('')), unread: reason as Unread['unread'] };
  }
  if (ERROR.test(text)) return { value: short(text), unread: 'error' };
  if (ROUNDED.test(text)) return { value: short(text), unread: 'digits' };
  return short(text);
}
