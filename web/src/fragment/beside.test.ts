import type { Fragment } from '@ridewatch/contract/fragments';
import { describe, expect, it } from 'vitest';
import { fragmentBeside } from './beside.ts';

const list = [1, 2, 3].map((id) => ({ id }) as Fragment);

describe('going from fragment to fragment', () => {
  it.each([
    [undefined, 1, 1],
    [undefined, -1, 3],
    [1, 1, 2],
    [2, -1, 1],
    [3, 1, undefined],
    [1, -1, undefined],
    [9, 1, undefined],
  ] as const)('from %s by %s comes to %s', (from, step, to) => {
    expect(fragmentBeside(list, from, step)?.id).toBe(to);
  });
});
