import { expect, it } from 'vitest';
import { changeText } from './figures.ts';

it('says the direction of a change, and of none that rounds to nothing', () => {
  expect(changeText(3.84)).toBe('▲\u00a03,8\u00a0%');
  expect(changeText(-3.84)).toBe('▼\u00a03,8\u00a0%');
  expect(changeText(0.02)).toBe('0\u00a0%');
  expect(changeText(-0.02)).toBe('0\u00a0%');
});
