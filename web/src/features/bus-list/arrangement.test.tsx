import type { BoardBus } from '@ridewatch/contract/board';
import type { Bus } from '@ridewatch/contract/buses';
import { describe, expect, it } from 'vitest';
import { arrangeBuses } from '../../buses/order.ts';
import { NOW } from '../../test/browser.ts';
import { bus, busList, busRoute, camera } from '../../test/made.ts';
import { boardBus } from '../../test/made-board.ts';
import { countsOf, filtered, sorted, sumsOf } from './arrangement.ts';
import { factsOf } from './bus-facts.ts';

const buses = [
  bus(1, { name: 'А', group: busRoute(5) }),
  bus(2, { name: 'Б', group: busRoute(6), cameras: [camera(9)] }),
  bus(3, { name: 'В', group: busRoute(6) }),
];
const figures: Record<number, BoardBus> = {
  1: boardBus(1, { state: 'moving', entered: 7, hours: [0, 7], inside: 3, places: 30 }),
  2: boardBus(2, { entered: 40, hours: [30, 10], inside: 9, places: null, offline_cameras: [9] }),
  3: boardBus(3, { state: 'silent', entered: null, inside: null }),
};
const sections = arrangeBuses(busList(buses));
const facts = (one: Bus) => factsOf(one, figures[one.id], NOW, true);
const namesOf = (list: readonly Bus[]) => list.map(({ name }) => name).join('');

describe('the arrangement of the board', () => {
  it('counts the buses of each filter', () =>
    expect(countsOf(sections, facts)).toEqual({
      ...{ all: 3, moving: 1, standing: 1, silent: 1, off: 0, attention: 2 },
    }));

  it('shows the buses of a filter under their routes, without empty routes', () => {
    const [section] = filtered(sections, 'silent', facts);
    expect(section?.routes.map(({ name, buses: own }) => [name, namesOf(own)])).toEqual([
      ['Маршрут 6', 'В'],
    ]);
    expect(filtered(sections, undefined, facts)).toBe(sections);
  });

  it('puts the most important buses first, and equal ones in the order of the list', () => {
    expect(namesOf(sorted(sections, 'attention', facts))).toBe('БВА');
    expect(namesOf(sorted(sections, 'entered', facts))).toBe('БАВ');
    expect(namesOf(sorted(sections, 'inside', facts))).toBe('БАВ');
    expect(namesOf(sorted(sections, 'state', facts))).toBe('ВБА');
  });

  it('sums people by hour, and the load over the buses whose places are known', () =>
    expect(sumsOf(buses, facts)).toMatchObject({
      ...{ entered: 47, inside: 12, places: 30, seated: 3, hours: [30, 17] },
      states: { moving: 1, standing: 1, silent: 1 },
    }));
});
