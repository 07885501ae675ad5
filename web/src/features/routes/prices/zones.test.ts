import type { RouteStop } from '@ridewatch/contract/routes';
import { describe, expect, it } from 'vitest';
import { stopsInOrder } from '../stop-order.ts';
import { fillFromZones, placesOf } from './zones.ts';

const stop = (
  id: number,
  routeDirection: RouteStop['routeDirection'],
  orderKey: number,
  classifier: number,
): RouteStop => ({
  id,
  name: `Остановка ${classifier}`,
  latitude: 55,
  longitude: 37,
  orderKey,
  routeDirection,
  groupId: 1,
  classifier_id: classifier,
  terminal: null,
});

/** Forward by classifiers 10, 20, 30; in reverse by 20 to 10. */
const stops = [
  stop(5, 'REVERSE', 1, 10),
  stop(4, 'REVERSE', 0, 20),
  stop(3, 'FORWARD', 2, 30),
  stop(1, 'FORWARD', 0, 10),
  stop(2, 'FORWARD', 1, 20),
];
const zones = new Map([
  [10, 1],
  [20, 2],
  [30, 3],
]);

describe('the stops of a route', () => {
  it('are one place where both directions stop', () => {
    expect(placesOf(stops).map(({ classifierId }) => classifierId)).toEqual([10, 20, 30]);
  });
});

describe('prices from zones', () => {
  const fill = (costs: (string | null)[], of = stopsInOrder(stops)) =>
    fillFromZones(of, zones, costs).map(({ from, to, cost }) => `${from}-${to} ${cost}`);

  it('go by how many zones a ride touches, in either direction', () => {
    const forward = stopsInOrder(stops).filter(
      ({ routeDirection }) => routeDirection === 'FORWARD',
    );
    expect(fill(['30.00', '45.00', '60.00'], forward)).toEqual([
      '1-2 45.00',
      '1-3 60.00',
      '2-3 45.00',
    ]);
    expect(fill(['30.00', '45.00', '60.00'])).toContain('4-5 45.00');
  });

  it('are made for rides over the far end too, never back to where the ride began', () => {
    const rides = fill(['30.00', '45.00', '60.00']);
    expect(rides).toContain('3-5 60.00');
    expect(rides.some((ride) => ride.startsWith('1-5') || ride.startsWith('2-4'))).toBe(false);
    expect(rides.some((ride) => ride.startsWith('5-'))).toBe(false);
  });

  it('leave rides alone whose number of zones has no price', () => {
    expect(fill(['30.00', null])).toEqual([]);
    expect(fill([null, '45.00']).every((ride) => ride.endsWith(' 45.00'))).toBe(true);
  });

  it('leave out stops that are in no zone', () => {
    const some = fillFromZones(
      stopsInOrder(stops),
      new Map([
        [10, 1],
        [20, 1],
      ]),
      ['30.00'],
    );
    expect(some.map(({ from, to }) => `${from}-${to}`)).toEqual(['1-2', '1-4', '2-5', '4-5']);
  });
});
