import { expect, test } from 'vitest';
import { findCircles } from './circles.ts';
import { roomsOf } from './made-rooms.ts';

test('two rooms that import each other are a circle', () => {
  expect(findCircles(roomsOf('a: b', 'b: a c'))).toEqual([['a', 'b']]);
});

test('three rooms in a ring are a circle, also if no two import each other', () => {
  expect(findCircles(roomsOf('a: b', 'b: c d', 'c: a', 'e: a'))).toEqual([['a', 'b', 'c']]);
});

test('rings that share a room are one circle, others are apart', () => {
  const rooms = roomsOf('a: b', 'b: c', 'c: a d', 'd: e', 'e: c', 'f: g a', 'g: f');
  expect(findCircles(rooms)).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
    ['f', 'g'],
  ]);
});

test('rooms in layers have no circle', () => {
  expect(findCircles(roomsOf('a: b c', 'b: c d', 'c: d'))).toEqual([]);
});
