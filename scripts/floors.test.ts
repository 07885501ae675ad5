import { expect, test } from 'vitest';
import { findFloors } from './floors.ts';
import { roomsOf } from './made-rooms.ts';

test('floors are counted along the longest path', () => {
  expect(findFloors(roomsOf('a: b d', 'b: c', 'c: d', 'd: '))).toEqual(['a', 'b', 'c', 'd']);
});

test('a room that nobody imports may be the highest of a longer path', () => {
  expect(findFloors(roomsOf('a: b', 'top: a', 'b: '))).toEqual(['top', 'a', 'b']);
});

test('a circle ends, and counts each of its rooms once', () => {
  expect(findFloors(roomsOf('a: b', 'b: a c', 'c: '))).toEqual(['a', 'b', 'c']);
});
