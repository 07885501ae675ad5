// CSV by RFC 4180, as exports and the tables that a page saves have it: UTF-8 with a byte order mark, commas, CRLF,
// decimal points.

/** Tells spreadsheets that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Quotes a text where CSV requires it. */
export function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Makes a typed text a cell. Spreadsheets run text that begins like a formula, also with full-width signs; an apostrophe
 * before it makes it text (OWASP, CSV injection).
 */
export function textCell(text: string): string {
  return quoted(/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
}
