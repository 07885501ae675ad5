import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, chunksOf, delimiterOf, eachRow, firstLineOf } from './csv.ts';

async function readCsv(texts: Iterable<string>, delimiter = ',') {
  const rows: { row: CsvRow; line: number }[] = [];
  await eachRow(texts, delimiter, (row, last) => rows.push({ row, line: firstLineOf(row, last) }));
  return rows;
}
const rowsOf = async (text: string) => (await readCsv(chunksOf(text))).map(({ row }) => row);

describe('a table of values', () => {
  it('has quoted fields with delimiters, quotes and line ends in them', async () => {
    expect(await rowsOf('a,"b, ""c""\nd",e\n\n1,2,3')).toEqual([
      ['a', 'b, "c"\nd', 'e'],
      ['1', '2', '3'],
    ]);
  });

  it('takes a quote within a field as a letter', async () => {
    expect(await rowsOf('ТЦ "Мир",1\n2,3')).toEqual([
      ['ТЦ "Мир"', '1'],
      ['2', '3'],
    ]);
  });

  it('ends its lines in any of the three ways', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(await rowsOf(['a,b', '1,2', ''].join(end))).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ]);
    }
  });

  it('counts its lines', async () => {
    expect((await readCsv(['a\n\n"b\nc"\nd'])).map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it('is refused when a quote is never closed', async () => {
    const late = rowsOf(`a,b\n1,"2\n${'x\n'.repeat(500)}`);
    await expect(late).rejects.toThrow('A quote in line 2');
    await expect(rowsOf('"a')).rejects.toThrow('A quote in line 1');
    const long = rowsOf(`a,b\n1,"${'x\n'.repeat(600_000)}`);
    await expect(long).rejects.toThrow('Line 2 is too long');
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

  it('comes back as it was written, in whatever chunks it is read', async () => {
    const cell = fc.stringMatching(/^[a-zЯ ,"\n]{0,8}$/);
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (rows, size) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        expect((await readCsv(chunks)).map(({ row }) => row)).toEqual(rows);
      }),
    );
  });
});
