import { describeApi } from '@ridewatch/server/src/openapi/openapi.ts';
import { chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { expect, it } from 'vitest';
import { makeValue } from './values.ts';

/** The patterns by which texts are made: neither those of moments, nor several at once. */
function patternsOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { pattern, format, allOf, ...others } = part as Record<string, unknown>;
  const isOwn = typeof pattern === 'string' && format === undefined && allOf === undefined;
  return [...(isOwn ? [pattern] : []), ...Object.values(others).flatMap(patternsOf)];
}

it.each([...new Set(patternsOf(describeApi()))])('a text is made for the pattern %s', (pattern) => {
  const stuff = { chance: chanceOf('patterns'), schemas: {}, known: new Map(), nowMs: 0 };
  expect(makeValue(stuff, { type: 'string', pattern })).toMatch(/./);
});
