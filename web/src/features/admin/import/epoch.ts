// The day from which a workbook counts its days: in 1900, or in 1904 as old ones of a Macintosh do.
import { epochIn } from './cell-addresses.ts';

/** The first one counts, as for the reader. */
const PROPERTIES = /<(?:[\w.-]*:)?workbookPr(?=[\s/>])([^>]*)>/;

/**
 * Has a workbook say by `1` that its days begin in 1904: the reader does not know `true`.
 * @param xml of the workbook
 * @returns the same text where they begin in 1900
 */
export const withEpoch = (xml: string): string =>
  xml.replace(PROPERTIES, (tag) =>
    tag.replace(/(\sdate1904\s*=\s*["'])true(?=["'])/, (_, start: string) => `${start}1`),
  );

/** Whether the days of a workbook begin in 1904. @param xml as `withEpoch` gives it */
export const isOf1904 = (xml: string): boolean => epochIn(PROPERTIES.exec(xml)?.[1] ?? '') === '1';
