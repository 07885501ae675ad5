import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { createCsvReader, delimiterOf } from './csv.ts';

const rowsOf = (text: string, delimiter = ',') => readCsv(text, delimiter).map(({ row }) => row);

describe('a table of values', () => {
  it('has quoted fields with delimiters, quotes and line ends in them', () => {
    expect(rowsOf('a,"b, ""c""\nd",e\n\n1,2,3')).toEqual([
      ['a', 'b, "c"\nd', 'e'],
      ['1', '2', '3'],
    ]);
  });

  it('takes a quote within a field as a letter', () => {
    expect(rowsOf('ТЦ "Мир",1\n2,3')).toEqual([
      ['ТЦ "Мир"', '1'],
      ['2', '3'],
    ]);
  });

  it('ends its lines in any of the three ways', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(rowsOf(['a,b', '1,2', ''].join(end))).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ]);
    }
  });

  it('counts its lines', () => {
    expect(readCsv('a\n\n"b\nc"\nd', ',').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it('is refused when a quote is never closed', () => {
    expect(() => rowsOf(`a,b\n1,"2\n${'x\n'.repeat(500)}`)).toThrow('A quote in line 2');
    expect(() => rowsOf('"a')).toThrow('A quote in line 1');
  });

  it('says by its first line what parts its fields', () => {
    expect(['a,b', 'a;b,c;d', 'a\tb', 'a', '\n\na;b'].map(delimiterOf)).toEqual([
      ',',
      ';',
      '\t',
      ',',
      ';',
    ]);
  });

  it('comes back as it was written, in whatever chunks it is read', () => {
    const cell = fc.stringMatching(/^[a-zЯ ,"\n]{0,8}$/);
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, size) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        const read: (readonly string[])[] = [];
        const reader = createCsvReader(',', (row) => read.push(row));
        for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
        reader.end();
        expect(read).toEqual(rows);
      }),
    );
  });
});
