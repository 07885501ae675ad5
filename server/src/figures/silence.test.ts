import { dayRange } from '@ridewatch/contract/day';
import { describe, expect, it } from 'vitest';
import { bitsOf, clockHoursOf, countHours, silentHoursOf } from './silence.ts';

const hoursFrom = (from: number, to: number): number =>
  bitsOf(Array.from({ length: to - from }, (_, n) => from + n));
const allDay = hoursFrom(0, 24);

describe('a silent hour', () => {
  it('lies between two records of the day', () => {
    const heard = hoursFrom(6, 10) | hoursFrom(13, 20);
    expect(silentHoursOf(allDay, heard, 0)).toBe(hoursFrom(10, 13));
  });

  it('is one in which the unit sent something in the weeks before', () => {
    const heard = hoursFrom(6, 12);
    expect(silentHoursOf(allDay, heard, hoursFrom(6, 22))).toBe(hoursFrom(12, 22));
  });

  it('is each usual hour of a day without any record', () => {
    expect(countHours(silentHoursOf(allDay, 0, hoursFrom(5, 23)))).toBe(18);
  });

  it('is none at night, when the unit is always off', () => {
    expect(silentHoursOf(allDay, hoursFrom(5, 23), hoursFrom(5, 23))).toBe(0);
    expect(silentHoursOf(allDay, 0, 0)).toBe(0);
  });

  it('is never one that the change of the clocks skips', () => {
    const zones = [
      { fromMs: Number.NEGATIVE_INFINITY, zone: 'Europe/Berlin', source: 'unit' },
    ] as const;
    const spring = clockHoursOf(dayRange('2026-03-29', 'Europe/Berlin'), zones);
    expect(spring.slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(silentHoursOf(bitsOf(spring), bitsOf([1, 3]), 0)).toBe(0);
    const autumn = clockHoursOf(dayRange('2026-10-25', 'Europe/Berlin'), zones);
    expect(autumn.slice(0, 5)).toEqual([0, 1, 2, 2, 3]);
  });
});
