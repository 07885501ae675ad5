import { describe, expect, it } from 'vitest';
import { clustersOf } from './clusters.ts';

const at = (x: number, y: number, name: string) => ({ x, y, name });
const namesOf = (points: Parameters<typeof clustersOf<ReturnType<typeof at>>>[0], px = 14) =>
  clustersOf(points, px).map((cluster) => cluster.map(({ name }) => name).join(''));

describe('buses at one place', () => {
  it('are one cluster; others stay apart', () =>
    expect(namesOf([at(0, 0, 'a'), at(5, 5, 'b'), at(100, 0, 'c'), at(-9, 3, 'd')])).toEqual([
      'abd',
      'c',
    ]));

  it('are found over the edge of a square, in each direction', () => {
    for (const [x, y] of [
      [13, 0],
      [-13, 0],
      [0, 13],
      [0, -13],
      [9, -9],
    ] as const) {
      expect(namesOf([at(14, 14, 'a'), at(14 + x, 14 + y, 'b')])).toEqual(['ab']);
    }
  });

  it('belong to the cluster by its first bus, so that a row of buses does not become one cluster', () =>
    expect(namesOf([at(0, 0, 'a'), at(10, 0, 'b'), at(20, 0, 'c')])).toEqual(['ab', 'c']));

  it('are all in a cluster, also thousands', () => {
    const many = Array.from({ length: 5000 }, (_, n) => at(n % 2000, (n * 7) % 900, 'x'));
    const clusters = clustersOf(many, 14);
    expect(clusters.reduce((sum, cluster) => sum + cluster.length, 0)).toBe(5000);
    expect(clusters.length).toBeLessThan(5000);
  });
});
