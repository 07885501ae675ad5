// CSV as exports and the tables that a page saves have it: UTF-8 with a byte order mark, CRLF, quotes as in RFC 4180. A
// spreadsheet splits and reads it by the habits of its language, so separator and decimal point are those of the file's.
import type { ReportLanguage } from './reports.ts';

/** Tells spreadsheets that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** How cells are separated, and numbers written. */
export interface CsvForm {
  readonly separator: ',' | ';';
  readonly point: '.' | ',';
}

/** RFC 4180, as English spreadsheets read it. */
export const COMMAS: CsvForm = { separator: ',', point: '.' };
/** As Russian spreadsheets read it: in a file with commas all cells are one, and 22.5 becomes a date. */
export const SEMICOLONS: CsvForm = { separator: ';', point: ',' };

/** The form that spreadsheets of a language read. */
export const csvFormOf = (language: ReportLanguage): CsvForm =>
  language === 'ru_RU' ? SEMICOLONS : COMMAS;

/** Quotes a text where CSV of either form requires it. */
export function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Keeps a typed text a text in a cell. Spreadsheets run text that begins like a formula, also with full-width signs; an
 * apostrophe before it makes it text (OWASP, CSV injection). A text that begins as a guarded one gets one more, so that
 * `unguarded` gives back every text.
 */
export function guarded(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** The text of a cell that `guarded` has written. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && guarded(text.slice(1)) === text ? text.slice(1) : text;

/** Makes a typed text a cell. */
export const textCell = (text: string): string => quoted(guarded(text));
