// Buses of which a table tells only how many places they have in all, not how many are seats.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { askJson } from '../../test/requests.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

let made: TableServer;
let calls: TableServer['calls'];
beforeAll(async () => {
  made = await createTableServer('admin');
  ({ calls } = made);
  const { check } = await calls.load({
    ...{ kind: 'buses', columns: ['name', 'client', 'capacity_seated', 'places'] },
    rows: [
      ['Б 1', 'Первый', '', '100'],
      ['Б 2', 'Первый', '30', '110'],
      ['Б 3', 'Первый', '', ''],
    ],
  });
  expect(check.faults).toEqual([]);
});
afterAll(() => made.server.close());

const stored = async (name: string): Promise<unknown[]> => {
  const text = 'select capacity_seated, capacity_standing from workplaces where name = $1';
  const { rows } = await made.server.deps.database.pool.query(text, [name]);
  return Object.values(rows[0]);
};
const exported = async () => {
  const { bytes } = await calls.save('buses', 'format=csv&language=ru_RU');
  return readCsv(bytes.toString('utf8').replace('\ufeff', ''), ';').map(({ row }) => row);
};

describe('a bus with only a number of all places', () => {
  it('has no number of seats, and not none', async () => {
    expect(await stored('Б 1')).toEqual([null, 100]);
    expect(await stored('Б 2')).toEqual([30, 80]);
  });

  it('is saved with that number in its own column, and loaded again it stays as it is', async () => {
    const [headings = [], ...rows] = await exported();
    const cellsOf = (name: string) => {
      const row = rows.find((one) => one.includes(name)) ?? [];
      const titles = ['Сидячих мест', 'Стоячих мест', 'Мест всего'];
      return titles.map((title) => row[headings.indexOf(title)]);
    };
    expect(cellsOf('Б 1')).toEqual(['', '', '100']);
    expect(cellsOf('Б 2')).toEqual(['30', '80', '']);
    expect(cellsOf('Б 3')).toEqual(['', '', '']);
    const columns = headings.map((title) => {
      const known: Readonly<Record<string, string>> = {
        ...{ Название: 'name', 'Сидячих мест': 'capacity_seated' },
        ...{ 'Стоячих мест': 'capacity_standing', 'Мест всего': 'places' },
      };
      return known[title] ?? null;
    });
    const { states, faults } = await calls.check({ kind: 'buses', columns, rows });
    expect([new Set(states), faults]).toEqual([new Set(['same']), []]);
  });

  it('is sorted by it among the others', async () => {
    const url = '/api/admin/buses?sortBy=places&sortType=DESC&perPage=3';
    const { body } = await askJson(made.server, made.tokens.admin ?? '', 'GET', url);
    expect(body.items.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
      ...['Б 2', 'Б 1'],
    ]);
  });

  it('keeps that number when it gets a number of seats, which is not greater', async () => {
    const seats = (count: string) =>
      ({ kind: 'buses', columns: ['name', 'capacity_seated'], rows: [['Б 1', count]] }) as const;
    const { faults } = await calls.check(seats('101'));
    expect(faults).toMatchObject([{ cell: 'B2', reason: 'number', least: 0, most: 100 }]);
    const { check } = await calls.load(seats('28'));
    expect(check.changed).toMatchObject([{ cell: 'B2', before: '', value: '28' }]);
    expect(await stored('Б 1')).toEqual([28, 72]);
  });
});

describe('numbers of places that a row tells together', () => {
  const columns = ['name', 'client', 'capacity_seated', 'capacity_standing', 'places'];
  const told = (name: string, ...places: readonly string[]) =>
    ({ kind: 'buses', columns, rows: [[name, 'Первый', ...places]] }) as const;

  it.each(['Б 5', 'Б 2'])(
    'are a fault of “%s” at that of all when they contradict',
    async (name) => {
      const { faults } = await calls.check(told(name, '5', '6', '10'));
      expect(faults).toMatchObject([
        { cell: 'E2', value: '10', reason: 'sum', least: 11, most: 11 },
      ]);
      expect((await calls.check(told(name, '5', '6', '11'))).faults).toEqual([]);
    },
  );

  it('give the number of seats that the row does not tell, which is not negative', async () => {
    const { faults } = await calls.check(told('Б 6', '', '6', '5'));
    expect(faults).toMatchObject([{ cell: 'E2', reason: 'number', least: 6 }]);
    await calls.load(told('Б 6', '', '6', '10'));
    expect(await stored('Б 6')).toEqual([4, 6]);
    const { check } = await calls.load(told('Б 6', '', '6', '12'));
    expect(check.changed).toMatchObject([{ cell: 'E2', value: '12' }]);
    expect(await stored('Б 6')).toEqual([6, 6]);
  });
});
