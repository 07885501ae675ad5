import { describe, expect, it } from 'vitest';
import { readRange } from './byte-range.ts';

describe('a Range header on a file of 100 bytes', () => {
  const part = (from: number, to: number) => ({ kind: 'part', range: { from, to } });
  it.each([
    [undefined, { kind: 'whole' }],
    ['bytes=0-9', part(0, 9)],
    ['BYTES=0-9', part(0, 9)],
    ['bytes=90-', part(90, 99)],
    ['bytes=-10', part(90, 99)],
    ['bytes=-500', part(0, 99)],
    ['bytes=50-500', part(50, 99)],
    ['bytes=100-', { kind: 'none' }],
    ['bytes=-0', { kind: 'none' }],
    ['bytes=9-3', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['lines=0-1', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
  ])('%s', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });
});
