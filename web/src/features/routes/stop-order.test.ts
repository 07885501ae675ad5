import type { RouteStop } from '@ridewatch/contract/routes';
import { describe, expect, it } from 'vitest';
import { placeBeside, type StopPlace, stopsInOrder, withStopAt } from './stop-order.ts';

const stop = (id: number, routeDirection: RouteStop['routeDirection'], orderKey: number) => ({
  id,
  name: `Остановка ${id}`,
  latitude: 55,
  longitude: 37,
  orderKey,
  routeDirection,
  groupId: 1,
  classifier_id: id,
  terminal: null,
});
/** Stops 1, 2, 3 forward and 4, 5 in reverse. */
const stops: readonly RouteStop[] = [
  stop(5, 'REVERSE', 1),
  stop(4, 'REVERSE', 0),
  stop(3, 'FORWARD', 2),
  stop(1, 'FORWARD', 0),
  stop(2, 'FORWARD', 1),
];
const shown = (of: readonly RouteStop[]) =>
  stopsInOrder(of)
    .map(({ id, routeDirection, orderKey }) => `${routeDirection[0]}${orderKey}:${id}`)
    .join(' ');
const there = (orderKey: number): StopPlace => ({ routeDirection: 'FORWARD', orderKey });
const back = (orderKey: number): StopPlace => ({ routeDirection: 'REVERSE', orderKey });

describe('the stops of a route', () => {
  it('stand in the order of a lap: there, then back', () => {
    expect(shown(stops)).toBe('F0:1 F1:2 F2:3 R0:4 R1:5');
  });

  it('close up around one that is moved within its direction', () => {
    expect(shown(withStopAt(stops, 1, there(2)))).toBe('F0:2 F1:3 F2:1 R0:4 R1:5');
    expect(shown(withStopAt(stops, 3, there(0)))).toBe('F0:3 F1:1 F2:2 R0:4 R1:5');
  });

  it('close up in both directions when one changes its direction', () => {
    expect(shown(withStopAt(stops, 2, back(1)))).toBe('F0:1 F1:3 R0:4 R1:2 R2:5');
    expect(shown(withStopAt(stops, 5, there(99)))).toBe('F0:1 F1:2 F2:3 F3:5 R0:4');
  });

  it('stay as they are when the stop is not among them', () => {
    expect(withStopAt(stops, 9, there(0))).toBe(stops);
  });
});

describe('a step by the keyboard', () => {
  it('leads to the next place, and over the far end to the other direction', () => {
    expect(placeBeside(stops, there(0), 1)).toEqual(there(1));
    expect(placeBeside(stops, there(2), 1)).toEqual(back(0));
    expect(placeBeside(stops, back(0), -1)).toEqual(there(3));
    expect(placeBeside(stops, back(1), -1)).toEqual(back(0));
  });

  it('leads nowhere before the first and behind the last place', () => {
    expect(placeBeside(stops, there(0), -1)).toBeUndefined();
    expect(placeBeside(stops, back(1), 1)).toBeUndefined();
  });
});
