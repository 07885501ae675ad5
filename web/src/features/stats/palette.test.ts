import { expect, it } from 'vitest';
import { colourOf } from './palette.ts';

it('has 500 different colours, the first of them fixed, and begins again after them', () => {
  const colours = Array.from({ length: 500 }, (_, place) => colourOf(place));
  expect(new Set(colours).size).toBe(500);
  expect(colours.slice(0, 3)).toEqual(['#2b63f0', '#0f9b66', '#e0721a']);
  expect(colourOf(500)).toBe(colours[0]);
});
