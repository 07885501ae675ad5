import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planeAt } from './plane.ts';
import { simplifyLine } from './simplify.ts';

const origin = { latitude: 55.75, longitude: 37.6 };
const plane = planeAt(origin);
const place = ([x, y]: readonly [number, number]) => ({
  latitude: plane.latitudeOf(y),
  longitude: plane.longitudeOf(x),
});
const metre = fc.double({ min: -2000, max: 2000, noNaN: true });

it('a line that stands for another keeps its corners and leaves out what lies on the way', () => {
  const corner = (
    [
      [0, 0],
      [500, 1],
      [1000, 0],
      [1000, 800],
    ] as const
  ).map(place);
  expect(simplifyLine(corner, 5)).toEqual([corner[0], corner[2], corner[3]]);
});

it('a line that stands for another is nowhere farther from it than asked, and has its ends', () => {
  const lines = fc.array(fc.tuple(metre, metre), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(lines, fc.double({ min: 1, max: 200, noNaN: true }), (points, toleranceM) => {
      const line = points.map(place);
      const short = simplifyLine(line, toleranceM);
      expect([short[0], short.at(-1)]).toEqual([line[0], line.at(-1)]);
      const [px, py] = [points.map(([x]) => x), points.map(([, y]) => y)];
      for (const [n, one] of line.entries()) {
        const after = short.findIndex((kept, k) => k > 0 && line.indexOf(kept) >= n);
        const [a, b] = [short[after - 1], short[after]].map((kept) =>
          line.indexOf(kept as (typeof line)[number]),
        ) as [number, number];
        const [ax, ay, bx, by] = [px[a], py[a], px[b], py[b]] as [number, number, number, number];
        const [x, y] = [plane.xOf(one.longitude), plane.yOf(one.latitude)];
        const square = (bx - ax) ** 2 + (by - ay) ** 2;
        const part =
          square === 0
            ? 0
            : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
        const distance = Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
        expect(distance).toBeLessThanOrEqual(toleranceM + 0.5);
      }
    }),
  );
});
