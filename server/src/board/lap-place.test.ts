import { describe, expect, it } from 'vitest';
import type { LastLap } from '../laps/stops-and-loads.ts';
import { placeOf } from './lap-place.ts';

const lap: LastLap = {
  ...{ busId: 1, number: 3, open: true, present: true, stops: 8, forward: 5, reached: null },
  ...{ stop: null, next: null, left: false, waitsSince: null, load: null },
  ...{ entered: 0, exited: 0, noPrice: 0 },
};
const at = (more: Partial<LastLap>) => placeOf({ ...lap, ...more }, 0);

describe('the place on a lap', () => {
  it('is its begin before the first stop', () =>
    expect(at({})).toMatchObject({ percent: 0, turn_percent: 50, stop: null }));

  it('is the middle at the far terminal, and the end at the last stop', () => {
    expect(at({ reached: 4, stop: 'Рынок' })?.percent).toBe(50);
    expect(at({ reached: 7, stop: 'Вокзал' })?.percent).toBe(100);
  });

  it('is between two stops once the bus has left the first of them', () => {
    const between = at({ reached: 1, stop: 'А', next: 'Б', left: true });
    expect(between).toMatchObject({ percent: 18.8, stop: 'А', next: 'Б' });
    expect(at({ reached: 1, stop: 'А', next: 'Б' })).toMatchObject({ percent: 12.5, next: null });
  });

  it('takes the whole line for a circular route', () =>
    expect(at({ stops: 5, reached: 2 })).toMatchObject({ percent: 50, turn_percent: null }));

  it('of an ended lap stays where the bus was last', () =>
    expect(at({ open: false, reached: 7, left: true, next: null })).toMatchObject({
      ended: true,
      percent: 100,
    }));

  it('is unknown without stops of a route, and after a lap of an earlier day', () => {
    expect(at({ stops: 0, forward: 0 })).toBeNull();
    expect(at({ present: false })).toBeNull();
  });
});
