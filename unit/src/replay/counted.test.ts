import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, '0 records'],
  [1, '1 record'],
  [2, '2 records'],
  [21, '21 records'],
])('a number of %i is told as %s', (count, text) => {
  expect(counted(count, 'record')).toBe(text);
});

it('a word in s or x has its own form', () => {
  expect([counted(1, 'bus'), counted(2, 'bus')]).toEqual(['1 bus', '2 buses']);
});
