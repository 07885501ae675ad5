import { dayRange } from '@ridewatch/contract/day';
import { hourEndOf, hoursOf } from '@ridewatch/contract/hours';
import { describe, expect, it } from 'vitest';
import { barBoxes, type HourBar, hourAt, midpointPx } from './hour-bars.ts';

const nothing = new Set<never>();
const barsOf = (day: string, zone = 'Europe/Moscow'): HourBar[] =>
  hoursOf(dayRange(day, zone), zone).map((startMs) => ({
    ...{ startMs, endMs: hourEndOf(startMs, zone), entered: 0, exited: 0 },
  }));
const frameOf = (day: string, zone: string) => ({
  ...dayRange(day, zone),
  widthPx: 1200,
  heightPx: 90,
});

describe('the chart of a day by hours', () => {
  it('stands bars at half past the hour', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const [first] = barsOf('2026-11-20');
    const hour = { startMs: 0, endMs: 0, ...first, entered: 4, exited: 4 };
    expect(midpointPx(hour, frame)).toBeCloseTo(25, 6);
    const [entered, exited] = barBoxes([hour], frame, nothing);
    expect((entered?.xPx ?? 0) + (entered?.widthPx ?? 0)).toBeLessThanOrEqual(25);
    expect(exited?.xPx).toBeGreaterThanOrEqual(25);
  });

  it('has 23 and 25 hours on the days when clocks change', () => {
    for (const [day, count] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const frame = frameOf(day, 'Europe/Berlin');
      const hours = barsOf(day, 'Europe/Berlin');
      expect(hours).toHaveLength(count);
      expect(midpointPx(hours.at(-1) as HourBar, frame)).toBeCloseTo(1200 - 600 / count, 6);
    }
  });

  it('keeps the bars of an hour that is changed by half an hour beside each other', () => {
    const frame = frameOf('2026-04-05', 'Australia/Lord_Howe');
    const hours = barsOf('2026-04-05', 'Australia/Lord_Howe');
    const [first, second] = [hours[1], hours[2]] as [HourBar, HourBar];
    const [one, other] = [midpointPx(first, frame), midpointPx(second, frame)];
    // An hour is 49 px of 24.5 hours.
    expect(other - one).toBeCloseTo((0.75 * 1200) / 24.5, 6);
    expect(hourAt(other, hours, frame)).toBe(second);
    const boxes = barBoxes(hours, frame, nothing);
    for (const [at, box] of boxes.slice(1).entries()) {
      expect(box.xPx).toBeGreaterThanOrEqual((boxes[at]?.xPx ?? 0) + (boxes[at]?.widthPx ?? 0));
    }
  });

  it('keeps every bar inside the frame and a single passenger visible', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = barsOf('2026-11-20').map((hour, index) => ({
      ...hour,
      entered: index * 40,
      exited: 1,
    }));
    for (const box of barBoxes(hours, frame, nothing)) {
      expect(box.yPx).toBeGreaterThanOrEqual(0);
      expect(box.xPx).toBeGreaterThanOrEqual(0);
      expect(box.xPx + box.widthPx).toBeLessThanOrEqual(1200);
      if (box.hour[box.side] > 0) expect(box.heightPx).toBeGreaterThanOrEqual(2);
    }
  });

  it('scales to what is shown when one side is hidden', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = [{ startMs: 0, endMs: 0, ...barsOf('2026-11-20')[0], entered: 1000, exited: 10 }];
    const boxes = barBoxes(hours, frame, new Set(['entered'] as const));
    expect(boxes).toHaveLength(1);
    expect(boxes[0]?.heightPx).toBe(90);
  });

  it('reads the hour under the pointer', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = barsOf('2026-11-20');
    expect(hourAt(49, hours, frame)).toBe(hours[0]);
    expect(hourAt(51, hours, frame)).toBe(hours[1]);
    expect(hourAt(1300, hours, frame)).toBeUndefined();
  });
});
