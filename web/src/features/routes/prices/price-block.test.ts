import { describe, expect, it } from 'vitest';
import { readBlock, writeBlock, writeTable } from './price-block.ts';

describe('a block that is pasted from a spreadsheet', () => {
  it('is read row by row and cell by cell, with either end of line', () => {
    expect(readBlock('45\t50\r\n\t30,50\r\n')).toEqual([
      ['45', '50'],
      ['', '30,50'],
    ]);
    expect(readBlock('45\t50\n60\t70')).toEqual([
      ['45', '50'],
      ['60', '70'],
    ]);
  });

  it('may be one cell', () => {
    expect(readBlock('45,00')).toEqual([['45,00']]);
    expect(readBlock('45,00\n')).toEqual([['45,00']]);
  });

  it('keeps empty cells in their places, also at the end of a row', () => {
    expect(readBlock('\t\t45\n\t\t')).toEqual([['', '', '45']]);
    expect(readBlock('45\t\n\t45')).toEqual([
      ['45', ''],
      ['', '45'],
    ]);
  });

  it('may have cells in quotes', () => {
    expect(readBlock('"1 234,50"\t"a ""b"""\n"4\n5"\t6')).toEqual([
      ['1 234,50', 'a "b"'],
      ['4\n5', '6'],
    ]);
  });

  it('may be parted by semicolons', () => {
    expect(readBlock('45;50\n;60')).toEqual([
      ['45', '50'],
      ['', '60'],
    ]);
  });

  it('loses the names of stops above and beside it', () => {
    expect(readBlock('\tВокзал\tРынок\nВокзал\t\t45\nРынок\t45\t')).toEqual([
      ['', '45'],
      ['45', ''],
    ]);
  });

  it('keeps a wrong cell as it is, so that it can be shown', () => {
    expect(readBlock('45\tсорок\n50\t60')).toEqual([
      ['45', 'сорок'],
      ['50', '60'],
    ]);
  });

  it('is nothing when the clipboard is', () => expect(readBlock('')).toEqual([]));
});

describe('a block that is copied', () => {
  it('comes back as it was', () => {
    const rows = [
      ['45.00', null],
      ['1234.50', '30.00'],
    ];
    expect(writeBlock(rows)).toBe('45,00\t\n1234,50\t30,00');
    expect(readBlock(writeBlock(rows))).toEqual([
      ['45,00', ''],
      ['1234,50', '30,00'],
    ]);
  });

  it('has its headings when the table is copied whole', () => {
    const text = writeTable({ rows: ['Вокзал', 'Рынок'], columns: ['Вокзал', 'Рынок'] }, [
      [null, '45.00'],
      ['50.00', null],
    ]);
    expect(text).toBe('\tВокзал\tРынок\nВокзал\t\t45,00\nРынок\t50,00\t');
    expect(readBlock(text)).toEqual([
      ['', '45,00'],
      ['50,00', ''],
    ]);
  });

  it('has names that begin like a formula as texts, as in exports', () => {
    const names = { rows: ['=1+1'], columns: ['@Рынок'] };
    expect(writeTable(names, [['45.00']])).toBe("\t'@Рынок\n'=1+1\t45,00");
  });
});
