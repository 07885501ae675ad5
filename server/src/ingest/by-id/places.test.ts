import { expect, it, vi } from 'vitest';
import { createPlaces, type Places } from './places.ts';

/** Takes a place. @returns it, and what ends its connection */
const take = (places: Places, address: string) => {
  const giveUp = vi.fn();
  return { place: places.take(address, giveUp), giveUp };
};

it('a connection takes the oldest place of the address that has the most', () => {
  const places = createPlaces(4);
  const [quiet, first, second] = ['a', 'b', 'b'].map((address) => take(places, address));
  take(places, 'b');
  expect(take(places, 'a').place).toBeDefined();
  expect(first?.giveUp).toHaveBeenCalledOnce();
  take(places, 'b');
  expect(second?.giveUp).toHaveBeenCalledOnce();
  expect(quiet?.giveUp).not.toHaveBeenCalled();
});

it('of addresses that have equally many the oldest connection gives way', () => {
  const places = createPlaces(2);
  const [first, second] = [take(places, 'a'), take(places, 'b')];
  expect(take(places, 'c').place).toBeDefined();
  expect(first.giveUp).toHaveBeenCalledOnce();
  expect(second.giveUp).not.toHaveBeenCalled();
});

it('a connection that has shown who it is keeps its place, until it leaves', () => {
  const places = createPlaces(2);
  const all = [take(places, 'a'), take(places, 'a')];
  for (const [n, { place }] of all.entries()) place?.keep(String(n));
  expect(take(places, 'b').place).toBeUndefined();
  all[0]?.place?.leave();
  all[0]?.place?.leave();
  expect(take(places, 'b').place).toBeDefined();
  all[1]?.place?.unkeep();
  take(places, 'a');
  expect(all[0]?.giveUp).not.toHaveBeenCalled();
  expect(all[1]?.giveUp).toHaveBeenCalledOnce();
});

it('one sender has so many places at most, and the oldest gives way', () => {
  const places = createPlaces(10, 1);
  const [first, second, other] = ['a', 'a', 'a'].map((address) => take(places, address));
  first?.place?.keep('x');
  other?.place?.keep('y');
  second?.place?.keep('x');
  expect([first, second, other].map((one) => one?.giveUp.mock.calls.length)).toEqual([1, 0, 0]);
  first?.place?.keep('x');
  expect(second?.giveUp).not.toHaveBeenCalled();
});

it('a sender without a name is its address, and one that shows again who it is does not give way', () => {
  const places = createPlaces(10, 2);
  const [first, second, third, other] = ['a', 'a', 'a', 'b'].map((one) => take(places, one));
  for (const one of [first, second, other, first, third]) one?.place?.keep();
  expect([first, second, third, other].map((one) => one?.giveUp.mock.calls.length)).toEqual([
    ...[0, 1, 0, 0],
  ]);
});
