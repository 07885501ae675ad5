import { describe, expect, it } from 'vitest';
import { common as english } from './en/common.ts';
import { formatDay, formatNumber } from './format.ts';
import { common as russian } from './ru/common.ts';

describe('texts with numbers', () => {
  it('declines Russian buses', () => {
    expect([1, 2, 5, 11, 21, 22, 111].map((count) => russian.buses(count))).toEqual([
      '1 автобус',
      '2 автобуса',
      '5 автобусов',
      '11 автобусов',
      '21 автобус',
      '22 автобуса',
      '111 автобусов',
    ]);
  });

  it('says how long ago in both languages', () => {
    expect(russian.ago(40_000)).toBe('40 с назад');
    expect(english.ago(40_000)).toBe('40 s ago');
    expect(english.ago(-5_000)).toBe('0 s ago');
    expect(russian.ago(3 * 3_600_000)).toBe('3 ч назад');
  });

  it('keeps the Russian form of numbers and days', () => {
    const plain = (text: string) => text.replace(/\s/g, ' ');
    expect(plain(formatNumber(1234.5))).toBe('1 234,5');
    expect(formatDay('2026-11-20')).toBe('20.11.2026');
  });
});
