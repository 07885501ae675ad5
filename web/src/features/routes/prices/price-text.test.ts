import { describe, expect, it } from 'vitest';
import { editPrice, readPrice, showPrice } from './price-text.ts';

describe('a price that somebody types', () => {
  it.each([
    ['45', '45.00'],
    ['45,5', '45.50'],
    ['45.50', '45.50'],
    [' 1 234,50 ₽', '1234.50'],
    ['1\u00a0234,5', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1.234.567,89', '1234567.89'],
    ['30 руб.', '30.00'],
    ['007', '7.00'],
    [',5', '0.50'],
    ['0', '0.00'],
  ])('%j means %s roubles', (typed, cost) => expect(readPrice(typed)).toBe(cost));

  it('is no price when the field is empty', () => {
    expect(readPrice('')).toBeNull();
    expect(readPrice('  ')).toBeNull();
  });

  it.each(['-5', '4,555', '12345678', 'abc', ',', '1,2,3', '1e3', '45 50,5,5'])(
    'is refused as %j, and nothing is guessed',
    (typed) => expect(readPrice(typed)).toBeUndefined(),
  );

  it('keeps kopecks that binary numbers would lose', () => {
    expect(readPrice('9999999,99')).toBe('9999999.99');
    expect(readPrice('0,1')).toBe('0.10');
  });
});

describe('a price on the screen', () => {
  it('has the Russian form, grouped for reading and plain for changing', () => {
    expect(showPrice('1234.50')).toBe('1\u00a0234,50');
    expect(showPrice('45.00')).toBe('45,00');
    expect(editPrice('1234.50')).toBe('1234,50');
    expect([showPrice(null), editPrice(null)]).toEqual(['', '']);
  });
});
