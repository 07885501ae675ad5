import { COMMAS, type CsvForm, SEMICOLONS } from '@ridewatch/contract/csv-text';
import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';
import type { Column, Row } from './table.ts';

async function textOf(form: CsvForm, columns: readonly Column[], ...rows: readonly Row[]) {
  async function* lots() {
    yield rows;
  }
  let text = '';
  for await (const part of csvOf({ name: '', columns, lots: lots() }, form)) text += part;
  return text;
}

const text: Column = { title: 'Автобус', type: 'text' };

it('a table as CSV has the values of its cells, and says that it is UTF-8', async () => {
  const columns: Column[] = [
    text,
    { title: 'Человек, всего', type: 'integer' },
    { title: 'Выручка', type: 'money' },
    { title: 'Дата', type: 'day' },
    { title: 'Прибытие', type: 'moment' },
    { title: 'Час', type: 'hour' },
  ];
  const wallMs = Date.parse('2026-11-20T08:15:30Z');
  const rows: Row[] = [
    ['Автобус "10", №2', 12, 123_450, '2026-11-20', wallMs, wallMs],
    ['', -1, -5, '2026-11-20', wallMs + 7, null],
  ];
  expect(await textOf(COMMAS, columns, ...rows)).toBe(
    '\ufeffАвтобус,"Человек, всего",Выручка,Дата,Прибытие,Час\r\n' +
      '"Автобус ""10"", №2",12,1234.50,2026-11-20,2026-11-20 08:15:30,08:15\r\n' +
      ',-1,-0.05,2026-11-20,2026-11-20 08:15:30.007,\r\n',
  );
  expect(await textOf(SEMICOLONS, columns, ...rows)).toBe(
    '\ufeffАвтобус;"Человек, всего";Выручка;Дата;Прибытие;Час\r\n' +
      '"Автобус ""10"", №2";12;1234,50;2026-11-20;2026-11-20 08:15:30;08:15\r\n' +
      ';-1;-0,05;2026-11-20;2026-11-20 08:15:30.007;\r\n',
  );
});

it('a text with the separator of either form is quoted in both', async () => {
  for (const form of [COMMAS, SEMICOLONS]) {
    expect(await textOf(form, [text], ['a;b'], ['a,b'])).toBe(
      '\ufeffАвтобус\r\n"a;b"\r\n"a,b"\r\n',
    );
  }
});

it.each(['=1+1', '+7', '-5', '@a', '\tx', '＝1'])(
  'a text like %j, which spreadsheets would run, is text',
  async (formula) => {
    expect(await textOf(COMMAS, [text], [formula])).toBe(`\ufeffАвтобус\r\n'${formula}\r\n`);
  },
);
