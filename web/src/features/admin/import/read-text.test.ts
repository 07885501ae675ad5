// @vitest-environment node
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readCells } from './read-cells.ts';

const read = (text: string) => readCells(strToU8(text).buffer as ArrayBuffer);
const refused = (problem: string, at?: string) => ({ why: at ? { problem, at } : { problem } });

describe('the rows of a text', () => {
  it('are too many where one stands below more blank lines than a table has rows', async () => {
    const blank = ';\n'.repeat(51_000);
    await expect(read(`Номер;Клиент\n1;Анна\n${blank}2;Иван\n`)).rejects.toMatchObject(
      refused('rows'),
    );
    expect((await read(`Номер;Клиент\n1;Анна\n${blank}`)).rows).toEqual([['1', 'Анна']]);
  });

  it('keep their places among blank lines', async () => {
    expect(await read('\n;\nНомер;Клиент\n\n1;Анна\n;\n2\n')).toMatchObject({
      heading: 3,
      rows: [[], ['1', 'Анна'], [], ['2']],
    });
  });

  it('end with any kind of line end, also mixed', async () => {
    const { rows } = await read('A;B\r\n1;2\n3;4\r\n"5\n6";7\n');
    expect(rows).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5\n6', '7'],
    ]);
    expect((await read('A;B\r1;2\r3;4')).rows).toHaveLength(2);
  });

  it.each(['sep=;\r\n', '"sep=;"\n', 'SEP=;\n'])('are split as the line %j says', async (line) => {
    expect(await read(`${line}A,1,2;B,3\n1;2\n`)).toMatchObject({
      ...{ heading: 2, names: ['A,1,2', 'B,3'], rows: [['1', '2']] },
    });
  });
});

describe('the cells of a text with a title above its headings', () => {
  it.each([
    ['Парк автобусов', ';'],
    ['Парк автобусов', ','],
    ['Парк автобусов', '\t'],
    ['Парк автобусов, 2026', ';'],
  ])('%s are parted by %j', async (title, mark) => {
    const lines = [
      ['Название', 'Клиент'],
      ['Б 1', 'Парк'],
    ].map((cells) => cells.join(mark));
    expect((await read(`${title}\n\n${lines.join('\n')}\n`)).rows.slice(1)).toEqual([
      ['Название', 'Клиент'],
      ['Б 1', 'Парк'],
    ]);
  });

  it('are parted as the first line is, however many other signs the rows have', async () => {
    const { names, rows } = await read('Номер;Описание\nБ 1;окно, дверь, люк\nБ 2\n');
    expect([names, rows]).toEqual([
      ['Номер', 'Описание'],
      [['Б 1', 'окно, дверь, люк'], ['Б 2']],
    ]);
    expect((await read('Номер;Описание\nБ 1\nБ 2;люк, окно\n')).names).toHaveLength(2);
    expect((await read('Номер;Описание\n')).names).toHaveLength(2);
  });
});

describe('a text that cannot be read', () => {
  it.each([
    ['A;B\n1;2\n"3;4\n5;6\n', '3'],
    ['sep=;\nA;B\n1;"2\n3;4\n5;6', '3'],
    ['A;B\r\n"1\r\n1";2\r\n3;"4\r\n5;6\r\n', '4'],
  ])('names the line of a quote that is not closed: %j', async (text, line) => {
    await expect(read(text)).rejects.toMatchObject(refused('quote', line));
  });

  it('has its headings below the first 1,000 lines', async () => {
    await expect(read(`${'\n'.repeat(1_000)}A;B\n1;2\n`)).rejects.toMatchObject(refused('heading'));
    expect((await read(`${'\n'.repeat(999)}A;B\n1;2\n`)).heading).toBe(1_000);
  });
});
