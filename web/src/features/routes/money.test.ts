import { describe, expect, it } from 'vitest';
import { kopecksOf, showDifference, showKopecks } from './money.ts';

describe('an amount of money', () => {
  it('is read to the kopeck', () => {
    expect(['1234.50', '0.07', '-0.05', '12', '-0.00', '90071992547409.91'].map(kopecksOf)).toEqual(
      [123450, 7, -5, 1200, 0, 9007199254740991],
    );
  });

  it('is shown in the Russian form, a difference with its sign', () => {
    expect(showKopecks(123450)).toBe('1\u00a0234,50\u00a0₽');
    expect(showKopecks(-5)).toBe('−0,05\u00a0₽');
    expect([showDifference(100), showDifference(0), showDifference(-100)]).toEqual([
      '+1,00\u00a0₽',
      '0,00\u00a0₽',
      '−1,00\u00a0₽',
    ]);
  });
});
