import type { Fragment } from '@ridewatch/contract/fragments';
import { describe, expect, it } from 'vitest';
import {
  framesOf,
  limitsOf,
  momentAt,
  preloadsOf,
  problemsOf,
  stepAt,
  stepsBetween,
  typedMoment,
} from './merge-period.ts';

const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`);
const dayStartMs = Date.parse('2026-11-19T21:00:00Z');
const limits = { dayStartMs, firstMs: at('06:00:03.250'), lastMs: at('07:25:00') };

describe('the period of a merge', () => {
  it('lies between the first start and the last end of the fragments that begin in the day', () => {
    const fragments = [
      { start_time: '2026-11-19T20:59:50Z', end_time: '2026-11-19T21:00:10Z' },
      { start_time: '2026-11-20T06:00:03.250Z', end_time: '2026-11-20T06:01:00Z' },
      { start_time: '2026-11-20T07:24:00Z', end_time: '2026-11-20T07:25:00Z' },
    ] as Fragment[];
    expect(limitsOf(fragments, dayStartMs)).toEqual(limits);
    expect(limitsOf([], 0)).toBeUndefined();
  });

  it('goes by the full ten minutes of the clock, and to the very ends', () => {
    expect(stepsBetween(limits)).toBe(9);
    expect(momentAt(limits, 0)).toBe(limits.firstMs);
    expect(momentAt(limits, 2)).toBe(at('06:20:00'));
    expect(momentAt(limits, 9)).toBe(limits.lastMs);
    expect([0, 2, 9].map((step) => stepAt(limits, momentAt(limits, step)))).toEqual([0, 2, 9]);
    const even = { dayStartMs, firstMs: at('06:00:00'), lastMs: at('06:20:00') };
    expect([0, 1, 2].map((step) => momentAt(even, step))).toEqual([
      at('06:00:00'),
      at('06:10:00'),
      at('06:20:00'),
    ]);
    expect(stepsBetween(even)).toBe(2);
    // In less than ten minutes there is no step between the ends.
    const short = { dayStartMs, firstMs: at('06:01:00'), lastMs: at('06:02:00') };
    expect([stepsBetween(short), stepAt(short, at('06:01:50'))]).toEqual([1, 1]);
  });

  it('is asked of the registrar an hour at a time', () => {
    const minute = (time: string) => ({
      start_time: new Date(at(time)).toISOString(),
      end_time: new Date(at(time) + 60_000).toISOString(),
    });
    const missing = ['06:00:00', '06:30:00', '06:59:00', '07:00:00', '09:00:00'].map(minute);
    expect(preloadsOf(missing as Fragment[])).toEqual([
      { startMs: at('06:00:00'), endMs: at('07:00:00') },
      { startMs: at('07:00:00'), endMs: at('07:01:00') },
      { startMs: at('09:00:00'), endMs: at('09:01:00') },
    ]);
  });

  it('is typed in the zone of the bus, and keeps what the field does not show', () => {
    const typed = (text: string): number =>
      typedMoment(text, '2026-11-20', 'Europe/Moscow', limits.firstMs);
    expect(typed('10:15')).toBe(at('07:15:00'));
    expect(typed('09:00:03')).toBe(limits.firstMs);
    expect(typed('9.30')).toBe(at('06:30:00'));
    for (const text of ['', '9', '25:00', '10:60']) expect(typed(text)).toBeNaN();
  });

  it('begins at the first start at the earliest and before its end, and ends at the last end', () => {
    const { firstMs, lastMs } = limits;
    expect(problemsOf(limits, firstMs, lastMs)).toEqual({});
    expect(problemsOf(limits, firstMs - 1, lastMs)).toEqual({ from: 'from_early' });
    expect(problemsOf(limits, firstMs, lastMs + 1)).toEqual({ to: 'to_late' });
    expect(problemsOf(limits, lastMs, lastMs)).toEqual({ from: 'from_late', to: 'to_early' });
    expect(problemsOf(limits, Number.NaN, lastMs)).toEqual({ from: 'unreadable' });
  });
});

describe('the frames of a merge', () => {
  const of = (...sizes: (readonly [number, number] | null)[]) =>
    framesOf(
      sizes.map((size) => ({
        video: size && { width: size[0], height: size[1] },
      })) as Fragment[],
    );

  it('have the size of the fragments', () => {
    expect(of([640, 360], [640, 360])).toMatchObject({
      size: { width: 640, height: 360 },
      scaled: 0,
    });
  });

  it('have the largest size, also where most fragments have another one', () => {
    expect(of([352, 288], [352, 288], [1920, 1080], null, [704, 576])).toMatchObject({
      size: { width: 1920, height: 1080 },
      scaled: 3,
    });
  });

  it('are unknown without video', () => {
    expect(of(null)).toBeUndefined();
  });
});
