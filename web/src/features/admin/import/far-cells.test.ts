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
    [['XFD1048576'], 'rows'],
    [['A1', 'ZZZZZ999999999'], 'rows'],
    [['A500', 'ZZZZZ2'], 'columns'],
  ])('that would make a grid larger than a browser holds are far: %j', (addresses, problem) => {
    expect(farCells(sheet(...addresses))).toBe(problem);
  });
});
