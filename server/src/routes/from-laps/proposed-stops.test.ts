import { describe, expect, it } from 'vitest';
import { placeAt } from '../../test/drive.ts';
import { proposeStops } from './proposed-stops.ts';

const propose = (
  stops: Parameters<typeof proposeStops>[0],
  current: Parameters<typeof proposeStops>[1],
  places: Parameters<typeof proposeStops>[2],
) => proposeStops(stops, current, places, 'en');

const found = (metres: number, routeDirection: 'FORWARD' | 'REVERSE' = 'FORWARD') => ({
  ...placeAt(metres, 0),
  routeDirection,
});
const place = (id: number, name: string, metres: number) => ({ id, name, ...placeAt(metres, 10) });
const current = (id: number, name: string, metres: number) => ({
  id,
  name,
  ...placeAt(metres, 0),
  orderKey: 0,
  routeDirection: 'FORWARD' as const,
  classifierId: 7,
  terminal: null,
  inDefault: true,
});

describe('a proposed stop', () => {
  it('is called after the nearest known place, else by its number', () => {
    const places = [place(1, 'Рынок', 40), place(2, 'Вокзал', 90)];
    const stops = propose([found(0), found(1000)], [], places);
    expect(stops.map(({ name, classifierId }) => [name, classifierId])).toEqual([
      ['Рынок', 1],
      ['Stop 2', undefined],
    ]);
  });

  it('shares a place with the other side of the street, not with its neighbour', () => {
    const stops = propose([found(0), found(100), found(0, 'REVERSE')], [], [place(1, 'Рынок', 0)]);
    expect(stops.map(({ name }) => name)).toEqual(['Рынок', 'Stop 2', 'Рынок']);
  });

  it('is the stop that the route has there, which keeps its id and its place', () => {
    const [stop] = propose([found(20)], [current(5, 'Школа', 0)], [place(1, 'Рынок', 20)]);
    expect(stop).toMatchObject({ id: 5, name: 'Школа', classifierId: 7, ...placeAt(20, 0) });
  });

  it('with a name of its own is that stop also when it was moved along the street', () => {
    const named = { ...found(200), name: 'Школа' };
    const stops = propose([named], [current(5, 'Школа', 0), current(6, 'Мост', 190)], []);
    expect(stops[0]).toMatchObject({ id: 5, name: 'Школа' });
  });
});

describe('the ends of proposed stops', () => {
  it('are terminals', () => {
    const stops = propose([found(0), found(900), found(900, 'REVERSE')], [], []);
    expect(stops.map(({ terminal }) => terminal)).toEqual(['first', 'last', null]);
  });

  it('are one terminal on a circular route', () => {
    const stops = propose([found(0), found(900), found(100)], [], []);
    expect(stops.map(({ terminal }) => terminal)).toEqual(['first', null, null]);
  });
});
