import { expect, it } from 'vitest';
import { nameLines } from './chart-frame.ts';

it.each([
  ['156', ['156']],
  ['Без маршрута', ['Без', 'маршрута']],
  ['Нагатинская', ['Нагатин…']],
  ['По набережной', ['По', 'набереж…']],
])('writes the name %s below a bar with room for eight letters in a line', (name, lines) => {
  expect(nameLines(name, 8)).toEqual(lines);
});
