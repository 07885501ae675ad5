import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkJsonDepth, MAX_JSON_DEPTH } from './json-body.ts';

const check = (text: string) => checkJsonDepth(Buffer.from(text));
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

it(`lets JSON of ${MAX_JSON_DEPTH} levels through, and no deeper`, () => {
  check(nested(MAX_JSON_DEPTH));
  expect(() => check(`[${nested(MAX_JSON_DEPTH)}]`)).toThrow(`at most ${MAX_JSON_DEPTH} levels`);
  // Not JSON, because it is not closed; refused for its depth nevertheless.
  expect(() => check('['.repeat(1_000_000))).toThrow(`at most ${MAX_JSON_DEPTH} levels`);
});

it('counts no brackets of texts', () => {
  check(JSON.stringify({ ['['.repeat(100)]: `"[\\"${'{'.repeat(100)}` }));
});

it('agrees with what is parsed, whatever that is', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
      const room = MAX_JSON_DEPTH - depthOf(value);
      const within = (around: number) =>
        '['.repeat(around) + JSON.stringify(value) + ']'.repeat(around);
      check(within(room));
      expect(() => check(within(room + 1))).toThrow('levels');
    }),
  );
});
