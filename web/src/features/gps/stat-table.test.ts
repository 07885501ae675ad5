import { describe, expect, it } from 'vitest';
import { spanText } from './span-text.ts';
import { monthsBefore, statTable } from './stat-table.ts';
import { ru as names } from './texts-ru.ts';

describe('passengers by hour and weekday', () => {
  const none = { entered: 0, exited: 0 };
  const monday = [
    { from: '05:00', ...none },
    { from: '07:00', entered: 4, exited: 1 },
    { from: '09:00', entered: 6, exited: 0 },
  ];
  const days = [monday, [], [{ from: '07:00', entered: 1, exited: 9 }]];

  it('are laid out from the first busy hour to the last, with sums', () => {
    const table = statTable(days, 'entered');
    expect(table.hours).toEqual(['07:00', '08:00', '09:00']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      [4, 0, 6, 10],
      [0, 0, 0, 0],
      [1, 0, 0, 1],
      [5, 0, 6, 11],
    ]);
    expect([table.greatest, statTable(days, 'exited').greatest]).toEqual([6, 9]);
  });

  it('are no table where nobody was counted', () => {
    expect(statTable([[{ from: '05:00', ...none }], []], 'entered').hours).toEqual([]);
  });

  it.each([
    ['2026-11-20', '2026-08-20'],
    ['2026-05-31', '2026-02-28'],
    ['2026-01-15', '2025-10-15'],
    ['2024-05-30', '2024-02-29'],
  ])('reach from three months before %s', (day, from) => {
    expect(monthsBefore(day, 3)).toBe(from);
  });
});

describe('a length of time', () => {
  it.each([
    [8, '8 с'],
    [59.6, '1 мин'],
    [260, '4 мин'],
    [3600, '1 ч'],
    [4530, '1 ч 16 мин'],
  ])('of %d seconds reads %s', (seconds, said) => {
    expect(spanText(seconds, names).replaceAll('\u00a0', ' ')).toBe(said);
  });
});
