import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from './errors.ts';
import { check } from './http/http.ts';

const Body = z.object({
  latitude: z.number().check(z.maximum(90)),
  name: z.string().check(z.minLength(1), z.maxLength(3)),
  side: z.enum(['left', 'right']),
  ids: z.array(z.int()).check(z.maxLength(1)),
  own: z.optional(z.string().check(z.regex(/^a/, 'must begin with an a'))),
});
const good = { latitude: 1, name: 'a', side: 'left', ids: [1] };

describe('what is wrong with a value', () => {
  it.each([
    ['latitude', { latitude: 155 }, 'must be at most 90'],
    ['latitude', { latitude: 'x' }, 'must be a number'],
    ['latitude', { latitude: undefined }, 'is missing'],
    ['name', { name: '' }, 'must not be empty'],
    ['name', { name: 'long' }, 'must have at most 3 characters'],
    ['side', { side: 'up' }, 'must be one of left, right'],
    ['ids', { ids: [1, 2] }, 'must have at most 1 items'],
    ['ids.0', { ids: [1.5] }, 'must be a whole number'],
    ['own', { own: 'b' }, 'must begin with an a'],
  ])('is said of %s %j: it %s', (field, wrong, message) => {
    const refuse = () => check(Body, { ...good, ...wrong }, '');
    expect(refuse).toThrow(AppError);
    expect(refuse).toThrow(expect.objectContaining({ field, message }));
  });
});
