import { describe, expect, it } from 'vitest';
import { behindTick } from './behind.ts';
import { type Filters, firstFilters } from './filters.ts';

const day = { dateFrom: '2026-03-09', dateTo: '2026-03-09' };
const february = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };
const filters = (more: Partial<Filters>): Filters => ({ ...firstFilters('2026-03-10'), ...more });
const busesOf = (route: string) => (route === '5' ? [1, 2] : []);
const behind = (more: Partial<Filters>, span: typeof day, series?: string) =>
  behindTick(filters(more), span, series, busesOf);

describe('behind a figure', () => {
  it('of a bus and a day is that day of the bus', () => {
    expect(behind({ by: 'bus' }, day, '7')).toEqual({ kind: 'day', busId: '7', day: '2026-03-09' });
  });

  it('of a bus and a month are the days of that month', () => {
    expect(behind({ by: 'bus' }, february, '7')).toMatchObject({
      filters: { period: 'month', span: february, buses: [7], by: 'bus' },
    });
  });

  it('of a route are its chosen buses', () => {
    expect(behind({ by: 'route', buses: [2, 3] }, day, '5')).toMatchObject({
      filters: { period: 'date', by: 'bus', buses: [2] },
    });
  });

  it('of a route that has no bus any more are its days', () => {
    expect(behind({ by: 'route' }, february, '9')).toMatchObject({
      filters: { period: 'month', by: 'route', buses: 'all' },
    });
  });
});

describe('behind a tick of the chart', () => {
  it('of the only bus is its day', () => {
    expect(behind({ by: 'bus', buses: [7] }, day)).toMatchObject({ kind: 'day', busId: '7' });
  });

  it('of a day by route are the buses of that day', () => {
    expect(behind({ by: 'route' }, day)).toMatchObject({ filters: { by: 'bus', period: 'date' } });
  });

  it('of a day by route stay the routes if there are more buses than lines', () => {
    const buses = Array.from({ length: 201 }, (_, at) => at + 1);
    expect(behind({ by: 'route', buses }, day)).toMatchObject({ filters: { by: 'route' } });
  });

  it('of a month are its days', () => {
    expect(behind({ by: 'route' }, february)).toMatchObject({
      filters: { by: 'route', period: 'month', span: february },
    });
  });
});
