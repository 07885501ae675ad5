import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  kopecksOf,
  readAmount,
  roublesOf,
  showAmount,
  showDifference,
  showMoney,
} from './money.ts';

const amounts = fc.maxSafeInteger();
const smallAmounts = fc.integer({ min: -1e9, max: 1e9 });
const notWhole = [0.1, 1.005, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

describe('an amount of money on the wire', () => {
  it('is read to the kopeck', () => {
    const roubles = ['45', '45.5', '45.00', '1234.50', '0.07', '-0.05', '-0.00', '1.10'];
    expect(roubles.map(kopecksOf)).toEqual([4500, 4550, 4500, 123_450, 7, -5, 0, 110]);
    expect(kopecksOf('90071992547409.91')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('is written with two decimals', () => {
    const kopecks = [0, -0, 7, 110, 4500, -5, -123_450];
    expect(kopecks.map(roublesOf)).toEqual([
      ...['0.00', '0.00', '0.07', '1.10', '45.00', '-0.05', '-1234.50'],
    ]);
  });

  it('comes back as it went', () => {
    fc.assert(fc.property(amounts, (kopecks) => kopecksOf(roublesOf(kopecks)) === kopecks));
  });

  it.each(['', '.5', '1.', '1.234', '1,5', ' 1', '+1', '1e3', '--1', '90071992547409.92'])(
    'is refused as %j',
    (roubles) => expect(() => kopecksOf(roubles)).toThrow(RangeError),
  );
});

describe('an amount of money on a screen', () => {
  it('has the Russian form, a difference its sign', () => {
    expect(showMoney(123_450)).toBe('1\u00a0234,50\u00a0₽');
    expect(showMoney(-5)).toBe('−0,05\u00a0₽');
    expect(showAmount(123_456_789)).toBe('1\u00a0234\u00a0567,89');
    expect([showDifference(100), showDifference(0), showDifference(-100)]).toEqual([
      '+1,00\u00a0₽',
      '0,00\u00a0₽',
      '−1,00\u00a0₽',
    ]);
  });

  it('is read as the amount that is shown', () => {
    fc.assert(
      fc.property(amounts, (kopecks) => {
        expect(readAmount(showMoney(kopecks))).toBe(kopecks);
        expect(readAmount(showAmount(kopecks))).toBe(kopecks);
        expect(readAmount(roublesOf(kopecks))).toBe(kopecks);
      }),
    );
  });

  it('comes to the whole when its parts are added up', () => {
    fc.assert(
      fc.property(fc.array(smallAmounts), (parts) => {
        const whole = parts.reduce((sum, one) => sum + one, 0);
        const shown = parts.map((one) => readAmount(showMoney(one)) ?? Number.NaN);
        const sent = parts.map((one) => kopecksOf(roublesOf(one)));
        for (const read of [shown, sent]) {
          expect(showMoney(read.reduce((sum, one) => sum + one, 0))).toBe(showMoney(whole));
        }
      }),
    );
  });

  it.each(notWhole)('is refused as %d kopecks: somebody computed with a float', (kopecks) => {
    for (const show of [roublesOf, showAmount, showMoney, showDifference]) {
      expect(() => show(kopecks)).toThrow(RangeError);
    }
  });
});

describe('an amount that somebody types', () => {
  it.each([
    ['45', 4500],
    ['45,5', 4550],
    ['45.50', 4550],
    [' 1 234,50 ₽', 123_450],
    ['1,234.50', 123_450],
    ['1.234.567,89', 123_456_789],
    ['30 руб.', 3000],
    ['007', 700],
    [',5', 50],
    ['0', 0],
    ['-5', -500],
    ['−1 234,50', -123_450],
    ['-0', 0],
  ])('%j is %d kopecks', (typed, kopecks) => expect(readAmount(typed)).toBe(kopecks));

  it('is none when the text is empty', () => {
    expect([readAmount(''), readAmount(' \u00a0')]).toEqual([null, null]);
  });

  it.each(['4,555', 'abc', ',', '-', '--5', '5-', '1,2,3', '1e3', '45 50,5,5', '9'.repeat(20)])(
    'is none as %j, and nothing is guessed',
    (typed) => expect(readAmount(typed)).toBeUndefined(),
  );
});
