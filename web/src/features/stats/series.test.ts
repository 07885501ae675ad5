import { describe, expect, it } from 'vitest';
import { traffic, trafficRow } from '../../test/made-stats.ts';
import { ALL_WEEKDAYS } from './filters.ts';
import { changeOf, chartOf, passedPart, sumAt, sumOf } from './series.ts';

const today = '2026-03-11';
const week = { dateFrom: '2026-03-09', dateTo: '2026-03-15' };
const options = { key: 'entered', today, weekdays: ALL_WEEKDAYS, nameless: 'No route' } as const;

describe('the series of a chart', () => {
  it('have nobody at a tick without a row, and no value in the future', () => {
    const chart = chartOf(traffic([trafficRow(5, '2026-03-09', 10)]), week, options);
    const five = chart.series.find(({ id }) => id === '5');
    expect(five?.values).toEqual([10, 0, 0, ...[1, 2, 3, 4].map(() => undefined)]);
    expect(chart.open).toBe(2);
    expect(chart.days).toBe(3);
  });

  it('know which days of the range until today have no data, and which are before all data', () => {
    const answer = traffic([trafficRow(5, '2026-03-10', 10)]);
    expect(chartOf(answer, week, options)).toMatchObject({ knownDays: 1, missingDays: 1 });
    const tuesdays = chartOf(answer, week, { ...options, weekdays: [2] });
    expect(tuesdays).toMatchObject({ days: 1, knownDays: 1, missingDays: 0 });
    expect(chartOf(traffic([]), week, options)).toMatchObject({ knownDays: 0, missingDays: 3 });
  });

  it('call the buses without a route as the screen does, not as the server', () => {
    const answer = traffic([trafficRow('!ungrouped', '2026-03-09', 10)], {
      series: [{ id: '!ungrouped', name: 'Без маршрута' }],
    });
    expect(chartOf(answer, week, options).series[0]?.name).toBe('No route');
  });

  it('come the largest first, and keep the colour of their name', () => {
    const small = chartOf(
      traffic([trafficRow(5, '2026-03-09', 10), trafficRow(6, '2026-03-09', 30)]),
      week,
      options,
    );
    const large = chartOf(
      traffic([trafficRow(5, '2026-03-09', 50), trafficRow(6, '2026-03-09', 30)]),
      week,
      options,
    );
    expect(small.series.map(({ id }) => id)).toEqual(['6', '5']);
    expect(large.series.map(({ id }) => id)).toEqual(['5', '6']);
    expect(large.series[0]?.colour).toBe(small.series[1]?.colour);
  });

  it('have no ticks on weekdays that are not chosen', () => {
    const chart = chartOf(traffic([]), week, { ...options, weekdays: [1, 7] });
    expect(chart.ticks.map(({ dateFrom }) => dateFrom)).toEqual(['2026-03-09', '2026-03-15']);
    expect(chart.days).toBe(1);
  });

  it('sum revenue to the kopeck', () => {
    const rows = Array.from({ length: 10 }, (_, at) => ({
      ...trafficRow(at, '2026-03-09', 1),
      fare: '0.10',
    }));
    const answer = traffic(rows, { series: rows.map(({ id }) => ({ id, name: `${id}` })) });
    const { series } = chartOf(answer, week, { ...options, key: 'fare' });
    expect(sumOf(series)).toBe(1);
    expect(sumAt(series, 0)).toBe(1);
  });

  it('stand beside nothing where the compared range has no data', () => {
    const compared = {
      span: { dateFrom: '2025-03-10', dateTo: '2025-03-16' },
      traffic: traffic([]),
    };
    const answer = traffic([trafficRow(5, '2026-03-10', 9)]);
    const [series] = chartOf(answer, week, { ...options, compared }).series;
    expect([series?.before, series?.beforeTotal]).toEqual([[], undefined]);
  });

  it('stand beside the tick of the same place in the compared range', () => {
    const compared = {
      span: { dateFrom: '2026-03-02', dateTo: '2026-03-08' },
      traffic: traffic([trafficRow(5, '2026-03-03', 7)]),
    };
    const answer = traffic([trafficRow(5, '2026-03-10', 14)]);
    const { series } = chartOf(answer, week, { ...options, compared });
    expect(series[0]).toMatchObject({ beforeTotal: 7, total: 14 });
    expect(series[0]?.before[1]).toBe(7);
    const span = { dateFrom: '2026-03-02', dateTo: '2026-03-04' };
    const part = chartOf(answer, week, { ...options, compared: { ...compared, span } });
    expect(part.series[0]?.before.slice(0, 4)).toEqual([0, 7, 0, undefined]);
    expect(changeOf(7, 14)).toBe(100);
    expect(changeOf(0, 14)).toBeUndefined();
  });
});

describe('the compared range of a running period', () => {
  it('ends where the running one has come to', () => {
    const before = { dateFrom: '2026-03-02', dateTo: '2026-03-08' };
    expect(passedPart(before, week, today)).toEqual({
      dateFrom: '2026-03-02',
      dateTo: '2026-03-04',
    });
    expect(passedPart(before, week, '2026-04-01')).toEqual(before);
    // February has fewer days than the running month.
    const february = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };
    const march = { dateFrom: '2026-03-01', dateTo: '2026-03-31' };
    expect(passedPart(february, march, '2026-03-30')).toEqual(february);
  });
});
