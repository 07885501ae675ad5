import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadsOf } from './loads.ts';
import { revenueOf } from './revenue.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
/** rides[from][to], each found by giving a price to that pair of stops alone. */
function ridesOf(boarded: readonly number[], alighted: readonly number[]): number[][] {
  const all = boarded.map((_, n) => n);
  return all.map((from) =>
    all.map((to) => {
      const alone = (a: number, b: number): number => (a === from && b === to ? 1e9 : 0);
      return revenueOf(boarded, alighted, alone).kopecks / 1e9;
    }),
  );
}
const aLap = fc.array(fc.record({ entered: fc.nat({ max: 60 }), exited: fc.nat({ max: 60 }) }), {
  minLength: 2,
  maxLength: 40,
});

describe('the loads of a lap', () => {
  it('are kept raw below zero and shown balanced, empty at the end', () => {
    const loads = loadsOf([
      { entered: 10, exited: 0 },
      { entered: 0, exited: 6 },
      { entered: 0, exited: 6 },
    ]);
    expect(loads.raw).toEqual([10, 4, -2]);
    expect([loads.drift, loads.imbalance]).toEqual([-2, 2 / 12]);
    expect(loads.balanced.map((load) => Math.round(load * 10) / 10)).toEqual([11, 5.5, 0]);
  });

  it('let nobody off who is not there', () => {
    const loads = loadsOf([
      { entered: 0, exited: 5 },
      { entered: 5, exited: 0 },
      { entered: 0, exited: 0 },
    ]);
    expect(loads.alighted).toEqual([0, 0, 5]);
    expect(loads.balanced).toEqual([0, 5, 0]);
  });

  it('conserve people: as many get off as got on, the load is never below zero', () => {
    fc.assert(
      fc.property(
        aLap,
        fc.constantFrom(undefined, 'entered' as const, 'exited' as const),
        (stops, keep) => {
          const { boarded, alighted, balanced } = loadsOf(stops, keep);
          expect(sum(alighted)).toBeCloseTo(sum(boarded), 6);
          expect(Math.min(...balanced)).toBeGreaterThanOrEqual(0);
          if (keep === 'entered' && sum(stops.map((stop) => stop.exited)) > 0) {
            expect(boarded.map((count) => Math.round(count))).toEqual(
              stops.map((stop) => stop.entered),
            );
          }
        },
      ),
    );
  });
});

describe('who rode from where to where', () => {
  it('is exact where there is only one way to ride', () => {
    expect(ridesOf([4, 0, 0], [0, 1, 3])).toEqual([
      [0, 1, 3],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('shares those who leave among those on board', () => {
    // Six boarded at the first stop and two at the second. Four leave at the third: three and one of them.
    const rides = ridesOf([6, 2, 0, 0], [0, 0, 4, 4]);
    expect([rides[0]?.[2], rides[1]?.[2], rides[0]?.[3], rides[1]?.[3]]).toEqual([3, 1, 3, 1]);
  });

  it('adds up to who got on and who got off', () => {
    fc.assert(
      fc.property(aLap, (stops) => {
        const { boarded, alighted } = loadsOf(stops);
        const rides = ridesOf(boarded, alighted);
        const last = stops.length - 1;
        for (let n = 0; n <= last; n += 1) {
          // Passengers who board at the last stop do not ride.
          const stayed = n === last ? (boarded[n] as number) : 0;
          const arrived = sum(rides.map((row) => row[n] as number));
          expect(arrived + stayed).toBeCloseTo(alighted[n] as number, 6);
        }
      }),
    );
  });
});

describe("a lap's revenue", () => {
  it('is people times price, rounded once', () => {
    expect(revenueOf([4, 0, 0], [0, 1, 3], (from, to) => (to - from) * 1500)).toEqual({
      kopecks: 1500 + 3 * 3000,
      errorKopecks: 0,
      noPrice: 0,
    });
    expect(revenueOf([1, 1, 0, 0], [0, 0, 1, 1], () => 5).kopecks).toBe(10);
  });

  it('says how far it may be off: the spread of prices among those who could have left', () => {
    // One of two leaves at the third stop, from the first (30) or the second (10), the other at the fourth (40, 20).
    const prices = [
      [0, 0, 3000, 4000],
      [0, 0, 1000, 2000],
    ];
    const revenue = revenueOf([1, 1, 0, 0], [0, 0, 1, 1], (from, to) => prices[from]?.[to] ?? 0);
    expect(revenue.kopecks).toBe(5000);
    expect(revenue.errorKopecks).toBe(Math.round(1.96 * Math.sqrt(2 * 1000 ** 2)));
  });

  it('is the same when those who boarded at one place are computed together', () => {
    fc.assert(
      fc.property(aLap, fc.integer({ min: 1, max: 5 }), (stops, places) => {
        const { boarded, alighted } = loadsOf(stops, 'entered');
        const placeOf = (stop: number): number | null => (stop % (places + 1) || null) ?? null;
        const priceOf = (from: number, to: number): number | null => {
          const [a, b] = [placeOf(from), placeOf(to)];
          return a === null || b === null ? null : 700 * a + 130 * b;
        };
        const apart = revenueOf(boarded, alighted, priceOf);
        const together = revenueOf(boarded, alighted, priceOf, placeOf);
        expect(Math.abs(together.kopecks - apart.kopecks)).toBeLessThanOrEqual(1);
        expect(Math.abs(together.errorKopecks - apart.errorKopecks)).toBeLessThanOrEqual(1);
        expect(together.noPrice).toBeCloseTo(apart.noPrice, 6);
      }),
    );
  });

  it('counts a ride without a price as nothing and says so', () => {
    const revenue = revenueOf([2, 0, 0], [0, 1, 1], (_from, to) => (to === 1 ? null : 4500));
    const unpriced = [{ from: 0, to: 1, people: 1 }];
    expect(revenue).toEqual({ kopecks: 4500, errorKopecks: 0, noPrice: 1, unpriced });
  });
});
