import { describe, expect, it } from 'vitest';
import { farCells } from './far-cells.ts';

const sheet = (...addresses: string[]): string =>
  `<sheetData>${addresses.map((at) => `<row r="1"><c r="${at}"><v>1</v></c></row>`).join('')}</sheetData>`;

describe('the cells of a sheet', () => {
  it.each([[['A1', 'F5000']], [['A1048576', 'D1']], [['A1', 'XFD1']]])(
    'of an ordinary table are near: %j',
    (addresses) => {
      expect(farCells(sheet(...addresses))).toBeUndefined();
    },
  );

  it.each([`<c r='AZ1048576'>`, '<c r = "AZ1048576"/>', '<c r="az1048576">'])(
    'are far however the file writes their addresses: %s',
    (cell) => expect(farCells(`<row r="1">${cell}`)).toBe('rows'),
  );

  it.each([
    `<row r='99999999999'/>`,
    '<row spans="1:2" r="1048577"></row>',
    '<x:row x:r="99999999999"/>',
    '<row note="a > b" r="99999999999"/>',
    '<row r="1" x:r="99999999999"/>',
  ])('are far when a row without cells is: %s', (row) => {
    expect(farCells(`<sheetData>${row}</sheetData>`)).toBe('rows');
  });

  it.each(['<row r="1e11"/>', '<row r="0xFFFFFFFFF"/>', '<row r="&#57;999999999"/>'])(
    'cannot be read when the number of a row is no number: %s',
    (row) => expect(farCells(`<sheetData>${row}</sheetData>`)).toBe('other'),
  );

  it.each(['<c r="A1e9"/>', '<c r="A&#57;999999999"/>', '<c r="\uffff\uffff1"/>', '<c r="A"/>'])(
    'cannot be read when an address is none: %s',
    (cell) => expect(farCells(`<row r="1">${cell}</row>`)).toBe('other'),
  );

  it.each(['<row a="<" r="99999999999">', '<row a="b"r="99999999999"/>', '<row "r="9"/>'])(
    'cannot be read when a tag is none: %s',
    (row) => expect(farCells(row)).toBe('other'),
  );

  it('of a table are near whatever its texts say, and where its last row has only a form', () => {
    const text = '<c r="A1"><is><t>cut r="Z99999999" and r="1e11"</t></is></c>';
    const last = '<row r="1048576" s="1" customFormat="1"/>';
    expect(farCells(`<row r="1" r:id="x" ht="9">${text}</row>${last}`)).toBeUndefined();
  });

  it.each([
    [['XFD1048576'], 'rows'],
    [['A1', 'ZZZZZ999999999'], 'rows'],
    [['A500', 'ZZZZZ2'], 'columns'],
  ])('that would make a grid larger than a browser holds are far: %j', (addresses, problem) => {
    expect(farCells(sheet(...addresses))).toBe(problem);
  });
});
