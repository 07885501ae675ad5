import type { ImportChange, ImportFault } from '@ridewatch/contract/admin-import';
import { expect, it } from 'vitest';
import { widthsOf } from './column-widths.ts';
import { ru } from './import-texts-ru.ts';

const table = (...rows: string[][]) => ({
  ...{ kind: 'buses' as const, heading: 1, names: ['Автобус', 'Стоячих мест', 'Описание'] },
  ...{ columns: ['name', 'capacity_standing', null], rows },
});
/** The least widths of the columns, in characters. */
const least = (...asked: Parameters<typeof widthsOf>): number[] =>
  [...widthsOf(...asked).matchAll(/minmax\((\d+)ch/g)].map(([, width]) => Number(width));

it('a column has room for its heading and its cells, and a long text does not push others out', () => {
  const [name = 0, standing = 0, description = 0] = least(
    table(['А 700 МР 77', '70', 'низкопольный, '.repeat(20)]),
    undefined,
    ru,
  );
  expect(name).toBeGreaterThanOrEqual('А 700 МР 77'.length + 2);
  expect(standing).toBeGreaterThanOrEqual('→ Стоячих мест'.length + 2);
  expect(description).toBeLessThan(40);
});

it('a column has room for what is wrong or was before', () => {
  const cell = { cell: 'B2', row: 0, column: 1, value: 'сто' };
  const words = { least: 0, most: 500, words: [] };
  const faults: ImportFault[] = [{ ...cell, ...words, reason: 'number' }];
  const changed: ImportChange[] = [{ ...cell, column: 0, value: 'А 1', before: 'А 700 МР 77' }];
  const [name = 0, standing = 0] = least(table(['А 1', 'сто', '']), { faults, changed }, ru);
  // Notes have smaller letters than values.
  expect(standing).toBeGreaterThan('сто'.length + 0.7 * 'не целое число от 0 до 500'.length + 2);
  expect(name).toBeGreaterThan('А 1'.length + 0.7 * 'было: А 700 МР 77'.length + 2);
});
