import { describe, expect, it } from 'vitest';
import { traffic, trafficRow } from '../../test/made-stats.ts';
import { ALL_WEEKDAYS } from './filters.ts';
import { changeOf, chartOf, passedPart, sumAt, sumOf } from './series.ts';

const today = '2026-03-11';
const week = { dateFrom: '2026-03-09', dateTo: '2026-03-15' };
const options = {
  key: 'entered',
  today,
  weekdays: ALL_WEEKDAYS,
  nameless: 'No route',
  isUntilNow: false,
} as const;
const undefineds = (count: number) => Array.from({ length: count }, () => undefined);

describe('the series of a chart', () => {
  it('have a gap where there are no records, and 0 where nobody rode', () => {
    const rows = [trafficRow(5, '2026-03-09', 0), trafficRow(6, '2026-03-10', 7)];
    const silent = { ...trafficRow(5, '2026-03-10', 0, 14), days: 0, heard_hours: 0 };
    const chart = chartOf(traffic([...rows, silent]), week, options);
    const five = chart.series.find(({ id }) => id === '5');
    expect(five?.values).toEqual([0, ...undefineds(6)]);
    expect(five?.silence.slice(0, 2)).toEqual([0, 14]);
    expect(chart.sums).toEqual([0, 7, ...undefineds(5)]);
  });

  it('have the days that run apart, which count only until now', () => {
    const rows = [
      trafficRow(5, '2026-03-10', 10),
      trafficRow(5, '2026-03-11', 4, 0, true),
      trafficRow(6, '2026-03-11', 30),
    ];
    const chart = chartOf(traffic(rows), week, options);
    const [six, five] = chart.series;
    expect(five).toMatchObject({ total: 10, overTotal: 10, days: 1, runsFrom: 2 });
    expect(five?.values).toEqual([undefined, 10, 4, ...undefineds(4)]);
    expect(five?.counted).toEqual([undefined, 10, ...undefineds(5)]);
    // Its buses are where the day is over.
    expect(six?.runsFrom).toBe(7);
    expect([chart.runsFrom, chart.sums[2], chart.countedSums[2], chart.days]).toEqual([
      2, 34, 30, 2,
    ]);
    const now = chartOf(traffic(rows), week, { ...options, isUntilNow: true });
    expect([now.countedSums[2], now.overSums[2]]).toEqual([34, 30]);
    expect(now.series[1]).toMatchObject({ total: 14, overTotal: 10, days: 1 });
  });

  it('are complete by the hours that were due, also before their first record', () => {
    const rows = [
      { ...trafficRow(5, '2026-03-10', 10, 5), heard_hours: 15 },
      { ...trafficRow(6, '2026-03-10', 9), heard_hours: 18 },
    ];
    const series = [5, 6].map((id) => ({ id, name: `${id}`, missing_hours: id === 6 ? 18 : 0 }));
    const chart = chartOf(traffic(rows, { series }), week, options);
    expect(chart.series.map(({ completeness }) => completeness)).toEqual([0.75, 0.5]);
  });

  it('call the buses without a route as the screen does, not as the server', () => {
    const answer = traffic([trafficRow('!ungrouped', '2026-03-09', 10)], {
      series: [{ id: '!ungrouped', name: 'Без маршрута', missing_hours: 0 }],
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

  it('keep their colours in a report without the others', () => {
    const places = new Map([
      ['5', 0],
      ['6', 1],
    ]);
    const both = [trafficRow(5, '2026-03-09', 10), trafficRow(6, '2026-03-09', 30)];
    const series = [{ id: 6, name: 'Route 6', missing_hours: 0 }];
    const all = chartOf(traffic(both), week, { ...options, places });
    const alone = chartOf(traffic(both.slice(1), { series }), week, { ...options, places });
    expect(alone.series[0]?.colour).toBe(all.series.find(({ id }) => id === '6')?.colour);
    // A bus or route that the user sees no more takes no colour of another one.
    const gone = [{ id: 7, name: 'Route 7', missing_hours: 0 }];
    const other = chartOf(traffic([trafficRow(7, '2026-03-09', 1)], { series: gone }), week, {
      ...options,
      places,
    });
    expect(all.series.map(({ colour }) => colour)).not.toContain(other.series[0]?.colour);
  });

  it('have no ticks on weekdays that are not chosen', () => {
    const chart = chartOf(traffic([]), week, { ...options, weekdays: [1, 7] });
    expect(chart.ticks.map(({ dateFrom }) => dateFrom)).toEqual(['2026-03-09', '2026-03-15']);
    // Monday; Sunday has not come.
    expect(chart.days).toBe(1);
  });

  it('sum revenue to the kopeck', () => {
    const rows = Array.from({ length: 10 }, (_, at) => ({
      ...trafficRow(at, '2026-03-09', 1),
      fare: '0.10',
    }));
    const answer = traffic(rows, {
      series: rows.map(({ id }) => ({ id, name: `${id}`, missing_hours: 0 })),
    });
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
    expect(series[0]?.before).toEqual([undefined, 7, ...undefineds(5)]);
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
