import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { placeAt, randomOf } from '../../test/drive.ts';
import { measuresCost } from '../../test/tries-of.ts';
import { buildPath, goesOneWay, type Route, type RouteStop } from './route-path.ts';

type Spot = readonly [eastM: number, northM: number];

function routeOf(stops: readonly Spot[], track: readonly Spot[]): Route {
  return {
    stops: stops.map(
      ([east, north], orderKey): RouteStop => ({
        ...placeAt(east, north),
        id: orderKey + 1,
        direction: 'FORWARD',
        orderKey,
      }),
    ),
    track: track.map(([east, north]) => placeAt(east, north)),
    terminalStopId: null,
    lastTerminalStopId: null,
  };
}

/** The answer of the whole path, with every stop. */
const isOpenPath = (route: Route): boolean => buildPath(route)?.closed === false;

const spots = (count: number, at: (n: number) => Spot): Spot[] =>
  Array.from({ length: count }, (_, n) => at(n));

describe('whether a route goes one way only', () => {
  it('does not depend on which of the two ways it goes', () => {
    const there = routeOf(
      spots(5, (n) => [n * 1000, 0]),
      spots(5, (n) => [n * 1000, 0]),
    );
    const back = {
      ...there,
      stops: there.stops.map((stop) => ({ ...stop, direction: 'REVERSE' as const })),
    };
    expect([goesOneWay(there), goesOneWay(back)]).toEqual([true, true]);
    expect(buildPath(back)).toMatchObject({ closed: false, turnAt: null, firstLeg: 'REVERSE' });
  });

  it.each([
    ['a thousand stops', 1000],
    ['eight thousand stops', 8000],
  ])('is told at once of %s in a tangle of 20,000 points', (_what, count) => {
    const tangle = spots(20_000, (n) => [
      (140 * Math.cos(n / 3) * (n % 400)) / 400,
      (140 * Math.sin(n / 3) * (n % 400)) / 400,
    ]);
    const route = routeOf(
      spots(count, (n) => [(n % 1000) * 0.25 - 120, 30]),
      tangle,
    );
    const before = process.threadCpuUsage();
    expect(goesOneWay(route)).toBe(false);
    const { user, system } = process.threadCpuUsage(before);
    if (measuresCost()) expect((user + system) / 1000).toBeLessThan(400);
  });

  it('is what its path says, whatever stops and track look like', () => {
    const near = fc.integer({ min: -300, max: 300 });
    const inTown = fc.integer({ min: -4000, max: 4000 });
    const spot = fc.oneof(fc.tuple(near, near), fc.tuple(inTown, inTown));
    fc.assert(
      fc.property(
        fc.array(spot, { maxLength: 40 }),
        fc.array(spot, { maxLength: 60 }),
        (stops, track) => {
          const route = routeOf(stops, track);
          expect(goesOneWay(route)).toBe(isOpenPath(route));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is what its path says of long routes with many stops beside their track', () => {
    const shape = fc.record({
      seed: fc.integer(),
      stops: fc.integer({ min: 2, max: 400 }),
      points: fc.integer({ min: 2, max: 8000 }),
      lengthM: fc.integer({ min: 500, max: 40_000 }),
      /** Rounds of the line: 1 is a ring. */
      rounds: fc.constantFrom(0, 0.4, 0.9, 1),
      /** Share of the track that has stops. */
      part: fc.constantFrom(0.5, 0.9, 1),
      isBackwards: fc.boolean(),
    });
    const results = new Set<boolean>();
    fc.assert(
      fc.property(shape, ({ seed, stops, points, lengthM, rounds, part, isBackwards }) => {
        const random = randomOf(seed);
        const noise = () => (random() - 0.5) * 30;
        const radius = lengthM / (2 * Math.PI * Math.max(rounds, 0.1));
        const at = (share: number): Spot => {
          if (rounds === 0) return [share * lengthM + noise(), noise()];
          const angle = share * rounds * 2 * Math.PI;
          return [radius * Math.cos(angle) + noise(), radius * Math.sin(angle) + noise()];
        };
        const track = spots(points, (n) => at(n / (points - 1)));
        const route = routeOf(
          spots(stops, (n) => at((part * n) / (stops - 1))),
          isBackwards ? track.reverse() : track,
        );
        const answer = isOpenPath(route);
        results.add(answer);
        expect(goesOneWay(route)).toBe(answer);
      }),
      // A sample of stops is not right for every route, so the seed is fixed.
      { numRuns: inject('triesEverything') ? 25 : 10, seed: 1 },
    );
    expect(results.size).toBe(2);
  }, 60_000);
});
