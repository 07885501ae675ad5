import { MAX_BUS_IDS } from '@ridewatch/contract/stat-limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsText } from '../../buses/ids-text.ts';
import { idsOf } from './bus-ids.ts';
import {
  addressOfFilters,
  customSpan,
  type Filters,
  firstFilters,
  movedSpan,
  problemOf,
  readFilters,
  spanWithEnd,
} from './filters.ts';

const today = '2026-03-10';
const filters = (more: Partial<Filters> = {}): Filters => ({ ...firstFilters(today), ...more });

describe('the filters', () => {
  it('fill a missing end with the day after, and a missing start with the day before', () => {
    expect(customSpan('2026-03-01', undefined, today).dateTo).toBe('2026-03-02');
    expect(customSpan(undefined, '2026-03-01', today).dateFrom).toBe('2026-02-28');
  });

  it('fill the other end anew when a chosen one would reverse the range', () => {
    const span = { dateFrom: '2026-03-01', dateTo: '2026-03-05' };
    expect(spanWithEnd(span, { dateFrom: '2026-03-03' }, today)).toEqual({
      dateFrom: '2026-03-03',
      dateTo: '2026-03-05',
    });
    expect(spanWithEnd(span, { dateFrom: '2026-03-08' }, today)).toEqual({
      dateFrom: '2026-03-08',
      dateTo: '2026-03-09',
    });
    expect(spanWithEnd(span, { dateTo: '2026-02-20' }, today)).toEqual({
      dateFrom: '2026-02-19',
      dateTo: '2026-02-20',
    });
  });

  it('take their usual values for what the address misspells', () => {
    const found = readFilters({ period: 'x', from: '2026-02-31', days: '9', by: 'y' }, today);
    expect(found).toMatchObject({ period: 'month', span: { dateFrom: '2026-03-01' }, by: 'route' });
    expect(found.weekdays).toHaveLength(7);
    expect(found.buses).toEqual([]);
  });

  it('move by whole months, quarters and years, and own days by their number', () => {
    const moved = (period: Filters['period'], from: string, to: string, by: 1 | -1) =>
      movedSpan(filters({ period, span: { dateFrom: from, dateTo: to } }), by);
    expect(moved('month', '2026-03-01', '2026-03-31', -1)).toEqual({
      dateFrom: '2026-02-01',
      dateTo: '2026-02-28',
    });
    expect(moved('quarter', '2026-01-01', '2026-03-31', 1)).toEqual({
      dateFrom: '2026-04-01',
      dateTo: '2026-06-30',
    });
    expect(moved('custom', '2026-03-03', '2026-03-05', 1)).toEqual({
      dateFrom: '2026-03-06',
      dateTo: '2026-03-08',
    });
  });

  it('are the same after a way through the address', () => {
    const chosen = filters({
      period: 'custom',
      span: { dateFrom: '2026-01-02', dateTo: '2026-02-03' },
      ...{ key: 'fare', by: 'bus', weekdays: [1, 7], buses: [3, 4, 5, 9], compared: 'year' },
    });
    expect(addressOfFilters(chosen)).toMatchObject({ buses: '3-5.9', days: '17' });
    expect(readFilters(addressOfFilters(chosen), today)).toEqual(chosen);
  });

  it('make no report without buses, of too many of them, or of more than five years', () => {
    const many = Array.from({ length: 201 }, (_, at) => at + 1);
    expect(problemOf(filters())).toBeUndefined();
    expect(problemOf(filters({ buses: [] }))).toBe('noBuses');
    expect(problemOf(filters({ buses: many, by: 'bus' }))).toBe('tooManyBuses');
    expect(problemOf(filters({ buses: many, by: 'route' }))).toBeUndefined();
    const span = { dateFrom: '2020-01-01', dateTo: '2026-01-01' };
    expect(problemOf(filters({ span }))).toBe('tooManyDays');
  });
});

describe('the ids of an address', () => {
  it('are what was written, for any of them', () => {
    const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 1200 }), { maxLength: MAX_BUS_IDS });
    fc.assert(
      fc.property(someIds, (ids) => {
        expect(idsOf(idsText(ids))).toEqual(ids.toSorted((a, b) => a - b));
      }),
    );
  });

  it('end one above the limit, however long a typed range is', () => {
    expect(idsOf('1-999999999999')).toHaveLength(MAX_BUS_IDS + 1);
    expect(idsOf('x.-3.0.5-2.7')).toEqual([7]);
  });
});
