import { describe, expect, it } from 'vitest';
import type { MapLine } from './map-parts.ts';
import { labelsOf } from './route-labels.ts';

const line = (name: string, ...longitudes: number[]): MapLine => ({
  ...{ id: name, role: 'route', name },
  stretches: [{ places: longitudes.map((longitude) => ({ latitude: 0, longitude })) }],
});

describe('the names of routes on a map', () => {
  it('lie apart and off the terminals, although the routes begin at one terminal', () => {
    const labels = labelsOf([
      line('156', 0, 1, 2, 3, 4, 5),
      line('670к', 0, 1, 2, 3, 9, 5),
      line('С5', 0, 1, 2, 3, 4, 5),
    ]);
    expect(labels.map(({ name, place }) => [name, place.longitude])).toEqual([
      ['156', 1],
      ['670к', 9],
      ['С5', 4],
    ]);
  });

  it('are of routes alone', () =>
    expect(labelsOf([{ ...line('круг 1', 0, 1), role: 'main' }])).toEqual([]));
});
