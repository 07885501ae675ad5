import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kopecksOf, roublesOf } from './costs.ts';

describe('money in a price table', () => {
  it('is read digit by digit', () => {
    const roubles = ['45', '45.5', '45.00', '0.07', '1.10', '70368744177.29'];
    expect(roubles.map(kopecksOf)).toEqual([4500, 4550, 4500, 7, 110, 7_036_874_417_729]);
  });

  it('has two decimals', () => {
    expect([0, 7, 110, 4500].map(roublesOf)).toEqual(['0.00', '0.07', '1.10', '45.00']);
  });

  it('comes back as it went', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (kopecks) => kopecksOf(roublesOf(kopecks)) === kopecks));
  });
});
