import { expect, it } from 'vitest';
import { changeText, meanWithUnit, shortMeanText } from './figures.ts';

it('says the direction of a change, and of none that rounds to nothing', () => {
  expect(changeText(3.84)).toBe('▲\u00a03,8\u00a0%');
  expect(changeText(-3.84)).toBe('▼\u00a03,8\u00a0%');
  expect(changeText(0.02)).toBe('0\u00a0%');
  expect(changeText(-0.02)).toBe('0\u00a0%');
});

it('says a mean of money in whole roubles where there is little room', () => {
  expect(shortMeanText('fare', 1001.5, 2)).toBe('501');
  expect(shortMeanText('entered', 15, 2)).toBe('7,5');
  expect(shortMeanText('fare', 0, 0)).toBe('—');
});

it('says the currency of a mean of money, unless there is none', () => {
  expect(meanWithUnit('fare', 1001.5, 2)).toBe('500,75\u00a0₽');
  expect(meanWithUnit('entered', 15, 2)).toBe('7,5');
  expect(meanWithUnit('fare', 0, 0)).toBe('—');
});
