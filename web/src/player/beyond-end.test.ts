import { describe, expect, it } from 'vitest';
import { beginningAt } from './beyond-end.ts';

describe('the place where a video begins', () => {
  it.each([
    ['the wanted one', 5, 13.84, 5],
    ['the last frame where the wanted one is behind the end', 20, 13.84, 13.79],
    ['the start where it was watched to its end', 13.84, 13.84, 0],
    ['the start where it was watched to its end, as an address says it', 13.9, 13.84, 0],
    ['the start while the length is unknown', 5, Number.NaN, 0],
    ['the wanted one of a stream without an end', 5, Number.POSITIVE_INFINITY, 5],
  ] as const)('is %s', (_name, wantedS, lengthS, atS) => {
    expect(beginningAt(wantedS, lengthS)).toBeCloseTo(atS);
  });
});
