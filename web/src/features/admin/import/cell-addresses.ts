import { letterOf } from './cell-names.ts';

const LETTERS = 26;

/** The number of a column, from 1. */
export function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - 64;
  return column;
}

/** Reads the attribute of a name from those of an element, as they stand in the XML. */
function attributeReader(name: string): (attributes: string) => string | undefined {
  const form = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  return (attributes) => {
    const found = form.exec(attributes);
    return found?.[1] ?? found?.[2];
  };
}

/** The address of a cell, or the number of a row. @param attributes as they stand in the XML */
export const addressIn = attributeReader('r');
/** The type of a cell. @param attributes as they stand in the XML */
export const typeIn = attributeReader('t');
/** The style of a cell. @param attributes as they stand in the XML */
export const styleIn = attributeReader('s');
/** Whether days begin in 1904, as a boolean of XML. @param attributes of the workbook, as they stand in the XML */
export const epochIn = attributeReader('date1904');

/**
 * Gives an address to the cells that have none: those follow the cell before them, and so do rows. Files may leave them
 * out (ECMA-376, 18.3.1.4), and the reader needs them.
 * @param xml of a sheet
 * @returns the same text where all have one
 */
export function withAddresses(xml: string): string {
  if (!/<(?:\w+:)?c(?![^>]*\sr\s*=)(?=[\s/>])/.test(xml)) return xml;
  let [row, column] = [0, 0];
  return xml.replaceAll(
    /<((?:\w+:)?(row|c))(?=[\s/>])([^>]*)>/g,
    (tag, name: string, kind: string, attributes: string) => {
      const address = addressIn(attributes);
      if (kind === 'row') {
        row = address === undefined ? row + 1 : Number(address);
        column = 0;
        return tag;
      }
      const [, letters, digits] = /^([A-Za-z]+)(\d+)$/.exec(address ?? '') ?? [];
      if (letters !== undefined) {
        column = columnOf(letters);
        row = Number(digits);
        return tag;
      }
      column += 1;
      return address === undefined
        ? `<${name} r="${letterOf(column - 1)}${row}"${attributes}>`
        : tag;
    },
  );
}
