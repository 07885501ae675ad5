import { describe, expect, it } from 'vitest';
import { addMonths, daysOfPage } from '../forms/calendar.ts';
import { zoneName } from './zone-name.ts';

describe('a page of the calendar', () => {
  it('begins on a Monday, ends on a Sunday and holds the whole month', () => {
    const days = daysOfPage('2026-11');
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  });

  it('turns over the years', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });
});

describe("the bus's zone", () => {
  it('is named with its offset', () => {
    const moment = Date.UTC(2026, 10, 20);
    expect(zoneName('Europe/Moscow', moment, 'ru-RU')).toBe('Москва, UTC+3');
    expect(zoneName('Asia/Yekaterinburg', moment, 'en-GB')).toBe('Yekaterinburg, UTC+5');
  });
});
