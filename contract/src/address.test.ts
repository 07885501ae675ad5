import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { addressOf } from './address.ts';
import { endpoint } from './endpoint.ts';
import { IdText } from './primitives.ts';

const findDays = endpoint({
  method: 'GET',
  path: '/api/bus/{busId}/days/{name}',
  summary: 'The days of a bus',
  access: 'user',
  params: z.object({ busId: IdText, name: z.string() }),
  query: z.object({
    a: z.optional(z.array(z.string())),
    none: z.optional(z.string()),
    date: z.optional(z.string()),
  }),
  errors: [],
});

describe('the address of a call', () => {
  it('is its path with the parameters, and the query with a list as repeated keys', () => {
    const parts = {
      params: { busId: 7, name: 'a/b?c' },
      query: { a: ['1', '2'], none: undefined, date: '2026-11-20' },
    };
    expect(addressOf(findDays, parts)).toBe('/api/bus/7/days/a%2Fb%3Fc?a=1&a=2&date=2026-11-20');
  });

  it('has no question mark without a query', () => {
    expect(addressOf(findDays, { params: { busId: 7, name: 'x' } })).toBe('/api/bus/7/days/x');
  });
});
