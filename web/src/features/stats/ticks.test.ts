import { spanOf } from '@ridewatch/contract/stat-ticks';
import { describe, expect, it } from 'vitest';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';
import { shortTickName, silentRuns, tickLabel, tickName, tickTitle } from './ticks.ts';

const day = (date: string) => ({ dateFrom: date, dateTo: date });
const november = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

describe('the names of ticks', () => {
  it('are a day with its weekday, a month, or a year', () => {
    expect(tickTitle(day('2026-11-18'), 'day', en)).toBe('We, 18.11.2026');
    expect(tickTitle(november, 'month', en)).toBe('November 2026');
    expect(tickTitle(november, 'month', ru)).toBe('Ноябрь 2026');
    expect(tickTitle({ dateFrom: '2026-01-01', dateTo: '2026-12-31' }, 'year', en)).toBe('2026');
  });

  it('are short names of months below the axis, in both languages', () => {
    const names = (text: typeof ru) =>
      Array.from({ length: 12 }, (_, at) => {
        const dateFrom = `2026-${String(at + 1).padStart(2, '0')}-01`;
        return tickLabel(spanOf('month', dateFrom), 'month', text).main;
      }).join(' ');
    expect(names(ru)).toBe('Янв. Февр. Март Апр. Май Июнь Июль Авг. Сент. Окт. Нояб. Дек.');
    expect(names(en)).toBe('Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec');
  });

  it('are the days of a month that the range cuts off', () => {
    const part = { dateFrom: '2026-11-01', dateTo: '2026-11-12' };
    expect(tickTitle(part, 'month', en)).toBe('01.11.2026 – 12.11.2026');
    expect(tickName(part, 'month')).toBe('11.2026');
  });

  it('are a single day, where the range has only that one of a month or year', () => {
    const one = day('2026-11-20');
    expect(tickName(one, 'month')).toBe('20.11.2026');
    expect(tickName(one, 'year')).toBe('20.11.2026');
    expect(tickLabel(one, 'month', en)).toMatchObject({ main: '20.11', below: '2026' });
  });

  it('have the month below the axis where it begins, and mark weekends', () => {
    expect(tickLabel(day('2026-11-01'), 'day', en)).toEqual({
      ...{ main: '01.11', below: 'Su', isWeekend: true },
    });
    expect(tickLabel(day('2026-11-18'), 'day', en).main).toBe('18');
  });

  it('is short in a table: the month is named by the first day and the first of a month', () => {
    const names = ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'].map((one, at) =>
      shortTickName(day(one), 'day', at),
    );
    expect(names).toEqual(['29.11', '30', '01.12', '02']);
    expect(shortTickName(spanOf('month', '2026-12-01'), 'month', 1)).toBe('12.2026');
  });
});

it('ticks with silent hours that are neighbours are one run', () => {
  expect(silentRuns([0, 3, 4, 0, 1])).toEqual([
    { first: 1, last: 2, hours: 7 },
    { first: 4, last: 4, hours: 1 },
  ]);
});
