import { describe, expect, it } from 'vitest';
import { ru as formTexts } from '../../forms/texts-ru.ts';
import { amountText, moneyText, percentText } from './money-text.ts';
import { ru } from './texts-ru.ts';
import { isSameTyped, type Problems, readShift, readTyped, type Typed } from './typed-values.ts';

const problems: Problems = { ...formTexts.problems, ...ru };
const inMoscow = { date: '2026-03-10', zone: 'Europe/Moscow' };
const wholeDay: Typed = { text: '', end: '', sent: { shift_start: null, shift_end: null } };
const shift = (start: string, end: string, on = inMoscow) =>
  readShift({ start, end }, wholeDay, on, problems);

describe('a typed amount', () => {
  it('keeps every kopeck, however it is written', () => {
    expect(readTyped('fare', '45', problems).sent).toEqual({ fare: '45.00' });
    expect(readTyped('fare', '0,1', problems).sent).toEqual({ fare: '0.10' });
    expect(readTyped('cashless', '−90 071 992,54', problems).sent).toEqual({
      cashless: '-90071992.54',
    });
    expect(readTyped('handed_in', '1 234.5 ₽', problems).sent).toEqual({ handed_in: '1234.50' });
  });

  it('is refused beyond the limits of its field, with the limit', () => {
    expect(readTyped('fare', '100000,01', problems).problem).toBe('Не больше 100000');
    expect(readTyped('fare', '-1', problems).problem).toBe('Не меньше 0');
    expect(readTyped('salary_percent', '100,01', problems).problem).toBe('Не больше 100');
    expect(readTyped('salary_percent', '18 %', problems).sent).toEqual({ salary_percent: '18.00' });
    expect(readTyped('fare', '12,345', problems).problem).toBe(ru.decimals);
    expect(readTyped('fare', 'много', problems).problem).toBe('Введите число');
    expect(readTyped('fare', '', problems).problem).toBe('Заполните поле');
    expect(readTyped('fare', '1'.repeat(256), problems).problem).toMatch('255');
    expect(readTyped('driver', 'я'.repeat(256), problems).problem).toMatch('255');
  });

  it('is none where nothing is typed for the driver and what was handed in, and zero as a correction', () => {
    expect(readTyped('driver', ' ', problems).sent).toEqual({ driver: null });
    expect(readTyped('handed_in', '', problems).sent).toEqual({ handed_in: null });
    expect(readTyped('cashless', '', problems).sent).toEqual({ cashless: '0.00' });
  });

  it('is the same as a stored one that is written otherwise, and a wrong one is like no other', () => {
    const typed = readTyped('fare', '45', problems);
    expect(isSameTyped(typed, { text: '45,00', sent: { fare: '45.00' } })).toBe(true);
    const wrong = readTyped('fare', 'x', problems);
    expect(isSameTyped(wrong, readTyped('fare', 'y', problems))).toBe(false);
  });
});

describe('a typed shift', () => {
  it('is of the local day of the bus', () => {
    expect(shift('6:10', '2140').sent).toEqual({
      shift_start: '2026-03-10T03:10:00.000Z',
      shift_end: '2026-03-10T18:40:00.000Z',
    });
  });

  it('has the bounds of the day where nothing or midnight is typed', () => {
    expect(shift('00:00', '24:00').sent).toEqual({ shift_start: null, shift_end: null });
    expect(shift('', '').sent).toEqual({ shift_start: null, shift_end: null });
  });

  it('ends after it starts, at times that exist', () => {
    expect(shift('21:00', '06:00').problem).toBe(ru.shiftOrder);
    expect(shift('24:00', '').problem).toBe(ru.shiftOrder);
    expect(shift('25:00', '').problem).toBe('Нет такого времени');
  });

  it('lies within the day when clocks change', () => {
    const on = { date: '2026-10-25', zone: 'Europe/Berlin' };
    expect(shift('02:30', '23:59', on).sent).toEqual({
      shift_start: '2026-10-25T00:30:00.000Z',
      shift_end: '2026-10-25T22:59:00.000Z',
    });
  });

  it('keeps a bound that is not typed anew, as a whole minute', () => {
    const kept = (shift_start: string) => {
      const stored: Typed = { text: '02:30', end: '', sent: { shift_start, shift_end: null } };
      const on = { date: '2026-10-25', zone: 'Europe/Berlin' };
      return readShift({ start: '02:30', end: '20:00' }, stored, on, problems).sent.shift_start;
    };
    // The second 02:30 of the day.
    expect(kept('2026-10-25T01:30:00Z')).toBe('2026-10-25T01:30:00Z');
    expect(kept('2026-10-25T00:30:27Z')).toBe('2026-10-25T00:30:00.000Z');
  });
});

describe('an amount of the API', () => {
  it('is written without a float in between', () => {
    expect(moneyText('90071992547409.93')).toBe('90\u00a0071\u00a0992\u00a0547\u00a0409,93\u00a0₽');
    expect(amountText('-1234.50')).toBe('−1\u00a0234,50');
    expect(amountText('0.05')).toBe('0,05');
    expect(amountText('100.00')).toBe('100,00');
  });

  it('has no decimals as a whole percentage', () => {
    expect(['18.00', '18.50', '18.05', '100.00', '0.00'].map(percentText)).toEqual([
      '18',
      '18,5',
      '18,05',
      '100',
      '0',
    ]);
  });
});
