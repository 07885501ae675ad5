import { expect, test } from 'vitest';
import { fittingOf } from './fitting.ts';

test.each([
  ['all fit exactly', [100, 50], 40, 150, 2],
  ['the last one is folded', [100, 50], 40, 149, 1],
  ['the last fits without More, and not with it', [60, 60, 20], 30, 139, 1],
  ['several are folded', [50, 50, 50, 50], 40, 150, 2],
  ['none fits', [100, 100], 40, 90, 0],
  ['there are none', [], 40, 90, 0],
])('%s', (_what, widths, more, menu, expected) => {
  expect(fittingOf(widths, more, menu)).toBe(expected);
});
