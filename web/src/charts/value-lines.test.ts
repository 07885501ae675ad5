import { describe, expect, it } from 'vitest';
import { topOfLines, valueLines } from './value-lines.ts';

describe('the lines of a scale', () => {
  it('go in round steps to one at or above the greatest value', () => {
    expect(valueLines(5193, 4)).toEqual([0, 2000, 4000, 6000]);
    expect(valueLines(100, 4)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(valueLines(412, 2)).toEqual([0, 200, 400, 600]);
  });

  it('are those of whole people, however few there are', () => {
    expect(valueLines(1, 4)).toEqual([0, 1, 2, 3, 4]);
    expect(valueLines(0, 2)).toEqual([0, 2, 4]);
  });

  it('end at the top of the chart', () => expect(topOfLines(101, 4)).toBe(120));
});
