import { describe, expect, it } from 'vitest';
import { addMonths, dayAfterKey, readTypedDay, weeksOfPage } from './calendar.ts';

describe('a page of the calendar', () => {
  it('begins on a Monday, ends on a Sunday and holds the whole month', () => {
    const days = weeksOfPage('2026-11').flat();
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  });

  it('turns over the years', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });
});

it.each([
  ['ArrowLeft', '2026-11-01', '2026-10-31'],
  ['ArrowDown', '2026-11-20', '2026-11-27'],
  ['Home', '2026-11-20', '2026-11-16'],
  ['End', '2026-11-20', '2026-11-22'],
  ['PageDown', '2026-01-31', '2026-02-28'],
  ['PageUp', '2026-01-31', '2025-12-31'],
])('%s leads from %s to %s', (key, day, next) => {
  expect(dayAfterKey(day, { key, shiftKey: false })).toBe(next);
});

it('with Shift a page is a year', () => {
  expect(dayAfterKey('2028-02-29', { key: 'PageDown', shiftKey: true })).toBe('2029-02-28');
});

describe('a typed day', () => {
  it.each([
    ['28.11.2026', '2026-11-28'],
    [' 8.3.26 ', '2026-03-08'],
    ['8/3/2026', '2026-03-08'],
    ['28 11', '2026-11-28'],
    ['281126', '2026-11-28'],
    ['28112025', '2025-11-28'],
    ['2811', '2026-11-28'],
    ['2026-11-28', '2026-11-28'],
    ['29.02.2028', '2028-02-29'],
    ['29.02.2027', undefined],
    ['31.04', undefined],
    ['0.1', undefined],
    ['28.11.', undefined],
    ['28.11.206', undefined],
    ['завтра', undefined],
    ['', undefined],
  ])('%o is %o', (text, day) => {
    expect(readTypedDay(text, '2026-11-30')).toBe(day);
  });

  it('without a year is the latest one that can be chosen', () => {
    expect(readTypedDay('5.12', '2026-11-30', '2026-11-30')).toBe('2025-12-05');
    expect(readTypedDay('5.12', '2026-11-30')).toBe('2026-12-05');
  });
});
