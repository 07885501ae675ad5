import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from './day.ts';
import {
  comparedSpan,
  MAX_TICKS,
  periodOf,
  spanOf,
  tickOf,
  ticksOf,
  weekdayOf,
} from './stat-ticks.ts';

const span = (dateFrom: string, dateTo: string) => ({ dateFrom, dateTo });

describe('a period', () => {
  it('is the whole week, month, quarter or year of a day', () => {
    expect(spanOf('date', '2026-11-20')).toEqual(span('2026-11-20', '2026-11-20'));
    expect(spanOf('week', '2026-11-22')).toEqual(span('2026-11-16', '2026-11-22'));
    expect(spanOf('month', '2028-02-10')).toEqual(span('2028-02-01', '2028-02-29'));
    expect(spanOf('quarter', '2026-11-20')).toEqual(span('2026-10-01', '2026-12-31'));
    expect(spanOf('year', '2026-11-20')).toEqual(span('2026-01-01', '2026-12-31'));
  });

  it('is recognised from its days', () => {
    for (const period of ['date', 'week', 'month', 'quarter', 'year'] as const) {
      expect(periodOf(spanOf(period, '2026-08-13'))).toBe(period);
    }
    expect(periodOf(span('2026-11-17', '2026-11-23'))).toBe('custom');
  });
});

describe('ticks', () => {
  it('are days of a date, week and month, and months of a quarter and year', () => {
    for (const period of ['date', 'week', 'month'] as const) {
      expect(tickOf(spanOf(period, '2026-11-20'))).toBe('day');
    }
    for (const period of ['quarter', 'year'] as const) {
      expect(tickOf(spanOf(period, '2026-11-20'))).toBe('month');
    }
  });

  it('are months of a custom range shorter than four months, otherwise years', () => {
    expect(tickOf(span('2026-01-15', '2026-05-13'))).toBe('month');
    expect(tickOf(span('2026-01-15', '2026-05-14'))).toBe('year');
    expect(tickOf(span('2026-01-15', '2026-01-20'))).toBe('month');
  });

  it('are as wanted, but never more than 400', () => {
    expect(tickOf(span('2025-01-01', '2026-02-04'), 'custom', 'day')).toBe('day');
    expect(tickOf(span('2025-01-01', '2026-02-05'), 'custom', 'day')).toBe('month');
    expect(tickOf(span('2000-01-01', '2040-12-31'), 'custom', 'day')).toBe('year');
  });

  it('end where the range does', () => {
    expect(ticksOf(span('2026-01-30', '2026-03-02'), 'month')).toEqual([
      span('2026-01-30', '2026-01-31'),
      span('2026-02-01', '2026-02-28'),
      span('2026-03-01', '2026-03-02'),
    ]);
    expect(() => ticksOf(span('2026-03-02', '2026-03-01'), 'day')).toThrow(RangeError);
  });

  it('of any range cover each of its days once', () => {
    const days = fc.integer({ min: 0, max: 9000 }).map((shift) => addDays('2010-01-01', shift));
    fc.assert(
      fc.property(
        days,
        fc.nat(2000),
        fc.constantFrom('day', 'month', 'year'),
        (from, length, wanted) => {
          const range = span(from, addDays(from, length));
          const ticks = ticksOf(range, tickOf(range, 'custom', wanted));
          expect(ticks.length).toBeLessThanOrEqual(MAX_TICKS);
          expect(ticks[0]?.dateFrom).toBe(range.dateFrom);
          expect(ticks.at(-1)?.dateTo).toBe(range.dateTo);
          for (const [at, tick] of ticks.slice(1).entries()) {
            expect(tick.dateFrom).toBe(addDays(ticks[at]?.dateTo ?? '', 1));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('what a period is compared with', () => {
  it('is the whole one before', () => {
    expect(comparedSpan(spanOf('month', '2026-03-10'), 'before')).toEqual(
      spanOf('month', '2026-02-10'),
    );
    expect(comparedSpan(spanOf('week', '2026-01-01'), 'before')).toEqual(
      span('2025-12-22', '2025-12-28'),
    );
    expect(comparedSpan(spanOf('quarter', '2026-01-01'), 'before')).toEqual(
      spanOf('quarter', '2025-12-31'),
    );
  });

  it('has as many days when it is not whole', () => {
    expect(comparedSpan(span('2026-11-01', '2026-11-20'), 'before')).toEqual(
      span('2026-10-12', '2026-10-31'),
    );
  });

  it('is the same one a year earlier, with the same weekdays for a week and a day', () => {
    expect(comparedSpan(spanOf('month', '2025-02-01'), 'year')).toEqual(
      spanOf('month', '2024-02-01'),
    );
    expect(comparedSpan(spanOf('year', '2026-02-01'), 'year')).toEqual(
      spanOf('year', '2025-02-01'),
    );
    const day = comparedSpan(spanOf('date', '2026-11-20'), 'year');
    expect(weekdayOf(day?.dateFrom ?? '')).toBe(weekdayOf('2026-11-20'));
  });

  it('does not exist before the first day of all', () => {
    expect(comparedSpan(spanOf('month', '2000-01-05'), 'before')).toBeUndefined();
  });
});
