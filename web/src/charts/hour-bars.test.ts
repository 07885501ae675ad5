import { dayRange, hoursOf } from '@ridewatch/contract/day';
import { describe, expect, it } from 'vitest';
import { barBoxes, hourAt, hourBars, midpointPx, niceCeiling } from './hour-bars.ts';

const nothing = new Set<never>();
const frameOf = (day: string, zone: string) => ({
  ...dayRange(day, zone),
  widthPx: 1200,
  heightPx: 90,
});

describe('the chart of a day by hours', () => {
  it('sums what several units of one bus counted in the same hour', () => {
    const hours = hourBars(
      [0, 3_600_000],
      [
        { startMs: 0, entered: 2, exited: 1 },
        { startMs: 0, entered: 3, exited: 0 },
      ],
    );
    expect(hours).toEqual([
      { startMs: 0, entered: 5, exited: 1 },
      { startMs: 3_600_000, entered: 0, exited: 0 },
    ]);
  });

  it('stands bars at half past the hour', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    expect(midpointPx(frame.startMs, frame)).toBeCloseTo(25, 6);
    const [entered, exited] = barBoxes(
      [{ startMs: frame.startMs, entered: 4, exited: 4 }],
      frame,
      nothing,
    );
    expect((entered?.xPx ?? 0) + (entered?.widthPx ?? 0)).toBeLessThanOrEqual(25);
    expect(exited?.xPx).toBeGreaterThanOrEqual(25);
  });

  it('has 23 and 25 hours on the days when clocks change', () => {
    for (const [day, count] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const frame = frameOf(day, 'Europe/Berlin');
      const hours = hourBars(hoursOf(dayRange(day, 'Europe/Berlin')), []);
      expect(hours).toHaveLength(count);
      expect(midpointPx(hours.at(-1)?.startMs ?? 0, frame)).toBeCloseTo(1200 - 600 / count, 6);
    }
  });

  it('keeps every bar inside the frame and a single passenger visible', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = hourBars(hoursOf(dayRange('2026-11-20', 'Europe/Moscow')), []).map(
      (hour, index) => ({
        ...hour,
        entered: index * 40,
        exited: 1,
      }),
    );
    for (const box of barBoxes(hours, frame, nothing)) {
      expect(box.yPx).toBeGreaterThanOrEqual(0);
      expect(box.xPx).toBeGreaterThanOrEqual(0);
      expect(box.xPx + box.widthPx).toBeLessThanOrEqual(1200);
      if (box.hour[box.side] > 0) expect(box.heightPx).toBeGreaterThanOrEqual(2);
    }
  });

  it('scales to what is shown when one side is hidden', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = [{ startMs: frame.startMs, entered: 1000, exited: 10 }];
    const boxes = barBoxes(hours, frame, new Set(['entered'] as const));
    expect(boxes).toHaveLength(1);
    expect(boxes[0]?.heightPx).toBe(90);
  });

  it('tops the scale with a round number', () => {
    expect([0, 1, 7, 12, 61, 100, 940].map(niceCeiling)).toEqual([5, 5, 8, 15, 80, 100, 1000]);
  });

  it('reads the hour under the pointer', () => {
    const frame = frameOf('2026-11-20', 'Europe/Moscow');
    const hours = hourBars(hoursOf(dayRange('2026-11-20', 'Europe/Moscow')), []);
    expect(hourAt(49, hours, frame)).toBe(hours[0]);
    expect(hourAt(51, hours, frame)).toBe(hours[1]);
    expect(hourAt(1300, hours, frame)).toBeUndefined();
  });
});
