// @vitest-environment node
// The row of the headings of a table, and its number of columns.
import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { findHeading } from './find-heading.ts';
import { guessColumns } from './guess-columns.ts';
import { readCells } from './read-cells.ts';

/** The table of a sheet whose first filled row is `first`. */
function found(kind: ImportKind, [names = [], ...rows]: string[][], first = 1) {
  const sheet = { sheet: null, heading: first, names, rows };
  return findHeading(sheet, (headings) => guessColumns(kind, headings, importColumns[kind]));
}

describe('a table has as many columns as its widest row', () => {
  it('where the row of the headings is shorter', () => {
    const rows = [['Название', 'Клиент'], ['Б 1', 'Парк Тест', 'D-9', '22'], ['Б 2']];
    expect(found('buses', rows)).toMatchObject({
      ...{ names: ['Название', 'Клиент', '', ''], columns: ['name', 'client', null, null] },
      ...{ heading: 1, titles: 0, rows: rows.slice(1) },
    });
  });

  it.each(['', 'Парк автобусов 2026\n', '\n\nПарк автобусов 2026;;;\n\n'])(
    'in a file that begins with %j',
    async (begin) => {
      const { buffer } = strToU8(`${begin}Название;Клиент\nБ 1;Парк Тест;D-9;22\n`);
      const sheet = await readCells(buffer as ArrayBuffer);
      const { names, columns, heading, rows } = findHeading(sheet, (headings) =>
        guessColumns('buses', headings, importColumns.buses),
      );
      expect({ names, columns, heading, rows }).toEqual({
        ...{ names: ['Название', 'Клиент', '', ''], columns: ['name', 'client', null, null] },
        ...{ heading: begin.split('\n').length, rows: [['Б 1', 'Парк Тест', 'D-9', '22']] },
      });
    },
  );

  it('and not more because of a long title', () => {
    const rows = [['Парк', '', '', '', '2026'], ['Название', 'Клиент', 'Вид'], ['Б 1']];
    expect(found('buses', rows)).toMatchObject({ heading: 2, names: rows[1] });
  });
});

describe('the headings of a table', () => {
  it.each([
    ['a title', [['Парк автобусов 2026']], 2],
    ['a title and an empty line', [['Парк автобусов 2026'], []], 3],
    ['a title of several lines', [['ООО «Парк»', '', 'тел. 1'], ['Автобусы'], [], ['2026']], 5],
    ['groups of columns', [['Автобус', '', 'Места']], 2],
  ])('stand below %s', (_, titles, heading) => {
    const rows = [
      ['Название', 'Клиент', 'Сидячих мест', 'Цвет'],
      ['Б 1', 'Парк', '22', 'синий'],
    ];
    expect(found('buses', [...titles, ...rows])).toEqual({
      ...{ sheet: null, heading, titles: titles.length, names: rows[0], rows: [rows[1]] },
      columns: ['name', 'client', 'capacity_seated', null],
    });
  });

  it('stand below a title where there is a single column', () => {
    expect(found('units', [['Приборы парка'], ['Прибор'], ['RW-1']])).toMatchObject({
      ...{ heading: 2, columns: ['device_id'], rows: [['RW-1']] },
    });
  });

  it('keep their place in the file below empty rows', () => {
    expect(found('buses', [['Парк'], ['Название', 'Клиент'], ['Б 1']], 4).heading).toBe(5);
  });

  it('are the first row where no row is known', () => {
    const rows = [
      ['Борт', 'Чей'],
      ['Б 1', 'Парк'],
    ];
    expect(found('buses', rows)).toMatchObject({ heading: 1, titles: 0, names: rows[0] });
  });

  it.each([
    [
      'users',
      [
        ['Учётка', 'Доступ'],
        ['ivanova', 'клиент'],
      ],
    ],
    [
      'users',
      [
        ['Учётка', 'Доступ'],
        ['user', 'клиент'],
      ],
    ],
    [
      'users',
      [
        ['Логин', 'Доступ'],
        ['user', 'клиент'],
      ],
    ],
    [
      'cameras',
      [
        ['Автобус', 'Имя', 'Поток', 'Чья'],
        ['Автобус', 'Камера', 'Поток', 'Клиент'],
      ],
    ],
  ] as const)('of %s are no row of the objects below them: %j', (kind, rows) => {
    expect(
      found(
        kind,
        rows.map((row) => [...row]),
      ).heading,
    ).toBe(1);
  });

  it('are looked for in the first ten rows alone, and not below row 1,000', () => {
    const headings = ['Название', 'Клиент'];
    const titles = (count: number) => Array.from({ length: count }, () => ['Парк']);
    expect(found('buses', [...titles(9), headings, ['Б 1']]).heading).toBe(10);
    expect(found('buses', [...titles(10), headings, ['Б 1']]).heading).toBe(1);
    expect(found('buses', [['Парк'], headings, ['Б 1']], 1000).heading).toBe(1000);
  });

  it.each(Object.keys(importColumns) as ImportKind[])(
    'of a table of %s whose columns are all known are the first row',
    (kind) => {
      const columns = [...importColumns[kind]];
      const rows = [columns, columns, columns];
      expect(found(kind, rows)).toMatchObject({ heading: 1, titles: 0, names: columns, columns });
    },
  );
});
