import { describe, expect, it } from 'vitest';
import { dayRange } from './day.ts';
import { hourName, hoursOf } from './hours.ts';

const namesOf = (day: string, zone: string): string[] =>
  hoursOf(dayRange(day, zone), zone).map((ms) => hourName(ms, zone));

describe('the hours of a day', () => {
  it.each([
    ['Europe/Moscow', '2026-03-29', 24],
    ['Asia/Kathmandu', '2026-03-29', 24],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Asia/Beirut', '2026-03-29', 23],
    ['Australia/Lord_Howe', '2026-04-05', 25],
    ['Australia/Lord_Howe', '2026-10-04', 24],
    ['Pacific/Chatham', '2026-04-05', 26],
    ['Pacific/Chatham', '2026-09-27', 24],
    ['Pacific/Apia', '2011-12-30', 0],
  ])('of %s, %s, are %d', (zone, day, count) => {
    expect(namesOf(day, zone)).toHaveLength(count);
  });

  it('are those of the clock where it is changed by a full hour', () => {
    expect(namesOf('2026-10-25', 'Europe/Berlin').slice(1, 5)).toEqual([
      '01:00–02:00',
      '02:00–03:00 UTC+2',
      '02:00–03:00 UTC+1',
      '03:00–04:00',
    ]);
    expect(namesOf('2026-03-29', 'Europe/Berlin').slice(1, 3)).toEqual([
      '01:00–02:00',
      '03:00–04:00',
    ]);
    expect(namesOf('2026-03-29', 'Asia/Kathmandu').at(-1)).toBe('23:00–00:00');
  });

  it('are those of the clock where it is changed by half an hour', () => {
    expect(namesOf('2026-04-05', 'Australia/Lord_Howe').slice(0, 4)).toEqual([
      '00:00–01:00',
      '01:00–02:00 UTC+11',
      '01:30–02:00 UTC+10:30',
      '02:00–03:00',
    ]);
    expect(namesOf('2026-10-04', 'Australia/Lord_Howe').slice(1, 4)).toEqual([
      '01:00–02:00',
      '02:30–03:00',
      '03:00–04:00',
    ]);
  });

  it('are those of the clock where it is changed within an hour', () => {
    expect(namesOf('2026-04-05', 'Pacific/Chatham').slice(1, 7)).toEqual([
      '01:00–02:00',
      '02:00–03:00 UTC+13:45',
      '03:00–03:45 UTC+13:45',
      '02:45–03:00 UTC+12:45',
      '03:00–04:00 UTC+12:45',
      '04:00–05:00',
    ]);
    expect(namesOf('2026-09-27', 'Pacific/Chatham').slice(2, 5)).toEqual([
      '02:00–02:45',
      '03:45–04:00',
      '04:00–05:00',
    ]);
  });
});
