import { describe, expect, it } from 'vitest';
import { openParts } from './parts.ts';

const byPrices = { type_calculation: 'CALCULATION' } as const;
const byFare = { type_calculation: 'FIXED' } as const;
const namesFor = (route: typeof byPrices | typeof byFare | null, mayEdit: boolean) =>
  openParts({ route, mayEdit }, undefined).open.map(({ id }) => id);

describe('the parts of a route', () => {
  it('hold prices only where the revenue is reckoned from them', () => {
    expect(namesFor(byPrices, true)).toEqual(['stops', 'price', 'routes', 'actions']);
    expect(namesFor(byFare, true)).toEqual(['stops', 'routes', 'actions']);
  });

  it('hold no actions for who may only look', () => {
    expect(namesFor(byPrices, false)).toEqual(['stops', 'price', 'routes']);
  });

  it('are there for a bus without a route, so that it can get one', () => {
    expect(namesFor(null, true)).toEqual(['stops', 'routes', 'actions']);
  });

  it('open at the one that the address names, else at the stops', () => {
    const viewed = { route: byFare, mayEdit: true };
    expect(openParts(viewed, 'routes').at.id).toBe('routes');
    expect(openParts(viewed, 'price').at.id).toBe('stops');
    expect(openParts(viewed, 'nonsense').at.id).toBe('stops');
  });
});
