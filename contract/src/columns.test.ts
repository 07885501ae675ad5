import { describe, expect, it } from 'vitest';
import { f64, i32, num, u8 } from './columns.ts';

describe('a column', () => {
  it('gives the number of a row, and none where it has no such row', () => {
    expect([f64(Float64Array.of(1.5), 0), f64(Float64Array.of(1.5), 1)]).toEqual([1.5, Number.NaN]);
    expect([i32(Int32Array.of(-7), 0), i32(Int32Array.of(-7), -1)]).toEqual([-7, Number.NaN]);
    expect([u8(Uint8Array.of(255), 0), u8(Uint8Array.of(255), 0.5)]).toEqual([255, Number.NaN]);
    expect([num([3], 0), num([], 0)]).toEqual([3, Number.NaN]);
  });
});
