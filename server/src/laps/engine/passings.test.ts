import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drive, type Point, positionsOf, thereAndBack } from '../../test/drive.ts';
import { followBus } from './engine.ts';
import type { Visit } from './visit.ts';

const START_MS = Date.parse('2026-03-10T03:00:00Z');
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);

const everySeconds = (points: readonly Point[], seconds: number): Point[] =>
  points.filter((_, index) => index % seconds === 0);

const visitsFrom = (points: readonly Point[]): (readonly Visit[])[] =>
  followBus(positionsOf(points), street, []).laps.map(({ visits }) => visits);

describe('a stop that the bus drove past', () => {
  const truth = drive(street, { seed: 4, startMs: START_MS, laps: 6, skip: 0.3 });

  it.each([
    [1, 3],
    [5, 3],
    [15, 6],
    [30, 15],
    [60, 30],
  ])('has the time of it: with a fix every %d s within %d s', (seconds, withinS) => {
    const errors = visitsFrom(everySeconds(truth.points, seconds)).flatMap((visits, lap) =>
      visits.flatMap(({ skipped, passedMs }, index) => {
        const passing = truth.laps[lap]?.passings[index];
        if (skipped !== 'passed' || typeof passing !== 'number') return [];
        return [Math.abs((passedMs ?? 0) - passing) / 1000];
      }),
    );
    expect(errors.length).toBeGreaterThan(seconds > 15 ? 5 : 30);
    expect(Math.max(...errors)).toBeLessThanOrEqual(withinS);
  });

  it('alone has one, and keeps its place between the visits before and after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.constantFrom(1, 7, 20, 45),
        (seed, seconds) => {
          const some = drive(street, { seed, startMs: START_MS, laps: 2, noiseM: 20, skip: 0.5 });
          for (const visits of visitsFrom(everySeconds(some.points, seconds))) {
            let beforeMs = 0;
            for (const { skipped, arrivalMs, passedMs } of visits) {
              expect(passedMs !== null).toBe(skipped === 'passed');
              const shownMs = arrivalMs ?? passedMs ?? beforeMs;
              expect(shownMs).toBeGreaterThanOrEqual(beforeMs);
              beforeMs = shownMs;
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
