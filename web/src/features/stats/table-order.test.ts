import { describe, expect, it } from 'vitest';
import type { Series } from './series.ts';
import { orderOf, pressedOrder, sorted } from './table-order.ts';

const one = (name: string, total: number, beforeTotal?: number): Series => ({
  ...{ id: name, name, total, beforeTotal },
  ...{ overTotal: total, days: 1, completeness: 1, runsFrom: 0, colour: '', silentHours: 0 },
  ...{ values: [], counted: [], before: [], greatest: 0, silence: [] },
});
const series = [one('10', 5, 10), one('9', 7), one('11', 5, 1)];
const namesBy = (text: string | undefined) => sorted(series, orderOf(text)).map(({ name }) => name);

describe('the order of the table', () => {
  it('has the largest first, and equal ones by name as numbers', () => {
    expect(namesBy(undefined)).toEqual(['9', '10', '11']);
    expect(namesBy('-total')).toEqual(['10', '11', '9']);
    expect(namesBy('name')).toEqual(['9', '10', '11']);
    expect(namesBy('nonsense')).toEqual(namesBy(undefined));
  });

  it('has the greatest growth first, and last what was not there before', () => {
    expect(namesBy('change')).toEqual(['11', '10', '9']);
  });

  it('is reversed by a second press, and usual again by a third', () => {
    expect(pressedOrder(orderOf(undefined), 'name')).toBe('name');
    expect(pressedOrder(orderOf('name'), 'name')).toBe('-name');
    expect(pressedOrder(orderOf('-total'), 'total')).toBeUndefined();
  });
});
