import { expect, it } from 'vitest';
import { readTypedTime } from './typed-time.ts';

it.each([
  ['8:05', '08:05:00'],
  ['0805', '08:05:00'],
  ['08:05:30', '08:05:30'],
  [' 23.59.59 ', '23:59:59'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['', undefined],
  ['noon', undefined],
])('reads the typed time "%s" as %s', (typed, read) => {
  expect(readTypedTime(typed)).toBe(read);
});
