import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  errorOfSum,
  hundredthsOf,
  kopecksOf,
  MAX_FARE_KOPECKS,
  percentOf,
  readAmount,
  resultOf,
  roublesOf,
  salaryOf,
  showAmount,
  showDifference,
  showMoney,
  takingsOf,
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

const totals = fc.integer({ min: -1e15, max: 1e15 });
const percents = fc.integer({ min: 0, max: 10_000 });
const fares = fc.integer({ min: 0, max: MAX_FARE_KOPECKS });
const counts = fc.integer({ min: -1000, max: 100_000 });

describe("a day's money", () => {
  it('is fare times people, a salary of it, and the rest less the correction', () => {
    const total = takingsOf(4500, 412);
    const salary = salaryOf(total, hundredthsOf('18'));
    expect([total, salary, resultOf(total, salary, 612_000)].map(roublesOf)).toEqual([
      ...['18540.00', '3337.20', '9082.80'],
    ]);
  });

  it('comes to the whole when it is summed by hour, by lap or by any other parts', () => {
    fc.assert(
      fc.property(fares, fc.array(counts, { maxLength: 50 }), (fare, parts) => {
        const whole = parts.reduce((sum, one) => sum + one, 0);
        const sum = parts.reduce((all, one) => all + takingsOf(fare, one), 0);
        expect(sum).toBe(takingsOf(fare, whole));
      }),
    );
  });

  it('loses no kopeck between total, salary, correction and result', () => {
    fc.assert(
      fc.property(totals, percents, smallAmounts, (total, hundredths, cashless) => {
        const salary = salaryOf(total, hundredths);
        expect(salary + cashless + resultOf(total, salary, cashless)).toBe(total);
      }),
    );
  });

  it.each([
    [1, 5000, 1],
    [-1, 5000, -1],
    [3, 5000, 2],
    [-3, 5000, -2],
    [1, 4999, 0],
    [-1, 4999, 0],
    [1_000_001, 5000, 500_001],
    [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER],
  ])('rounds the salary half away from zero: of %d kopecks %d hundredths are %d', (...row) => {
    expect(salaryOf(row[0], row[1])).toBe(row[2]);
  });

  it('rounds every salary to the nearest kopeck, and the same on both sides of zero', () => {
    fc.assert(
      fc.property(totals, percents, (total, hundredths) => {
        const salary = salaryOf(total, hundredths);
        const missed = BigInt(salary) * 10_000n - BigInt(total) * BigInt(hundredths);
        expect(missed <= 5000n && missed >= -5000n).toBe(true);
        expect(salaryOf(-total, hundredths) + salary).toBe(0);
      }),
    );
  });

  it('has a percentage of two decimals, which comes back as it went', () => {
    expect(['18', '18.5', '18.50', '0', '100'].map(hundredthsOf)).toEqual([
      ...[1800, 1850, 1850, 0, 10_000],
    ]);
    fc.assert(fc.property(percents, (one) => hundredthsOf(percentOf(one)) === one));
  });

  it('states the error of a sum as the root of the sum of squares', () => {
    expect([errorOfSum([]), errorOfSum([300, 400]), errorOfSum([7])]).toEqual([0, 500, 7]);
  });

  it.each(notWhole)('is refused with %d kopecks: somebody computed with a float', (amount) => {
    for (const work of [
      () => takingsOf(amount, 1),
      () => takingsOf(1, amount),
      () => salaryOf(amount, 1),
      () => salaryOf(1, amount),
      () => resultOf(amount, 0, 0),
      () => errorOfSum([amount]),
    ]) {
      expect(work).toThrow(RangeError);
    }
    expect(() => takingsOf(MAX_FARE_KOPECKS, 1e9)).toThrow(RangeError);
  });
});
