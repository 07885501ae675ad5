import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mediaAt, offsetAt, type TimeMap } from './time-map.ts';

describe('a fragment whose clocks run alike', () => {
  it('has no map: a moment is where it is', () => {
    expect([mediaAt(null, 1234), offsetAt(null, 1234)]).toEqual([1234, 1234]);
  });
});

describe('98 s of street in a file of 59 s', () => {
  const map: TimeMap = [
    { offset_ms: 0, media_ms: 0 },
    { offset_ms: 98_000, media_ms: 59_000 },
  ];
  it('is sought in proportion', () => {
    expect(mediaAt(map, 49_000)).toBe(29_500);
    expect(offsetAt(map, 29_500)).toBe(49_000);
    expect(offsetAt(map, 59_000)).toBe(98_000);
  });
});

describe('a registrar that paused', () => {
  const map: TimeMap = [
    { offset_ms: 0, media_ms: 0 },
    { offset_ms: 30_000, media_ms: 30_000 },
    { offset_ms: 69_000, media_ms: 30_000 },
    { offset_ms: 98_000, media_ms: 59_000 },
  ];
  it('shows its last frame for the pause, and the right one after it', () => {
    expect([29_000, 30_000, 50_000, 69_000, 70_000].map((ms) => mediaAt(map, ms))).toEqual([
      29_000, 30_000, 30_000, 30_000, 31_000,
    ]);
    expect([29_000, 31_000].map((ms) => offsetAt(map, ms))).toEqual([29_000, 70_000]);
  });
});

describe('any map', () => {
  const maps = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 9999 })), {
      minLength: 1,
      maxLength: 9,
    })
    .map((steps) => {
      const map: TimeMap = [{ offset_ms: 0, media_ms: 0 }];
      for (const [offset, media] of steps) {
        const { offset_ms, media_ms } = map.at(-1) ?? { offset_ms: 0, media_ms: 0 };
        map.push({ offset_ms: offset_ms + offset, media_ms: media_ms + media });
      }
      return map;
    });
  it('leads back to where one came from', () => {
    fc.assert(
      fc.property(maps, fc.integer({ min: 0, max: 100_000 }), (map, at) => {
        expect(offsetAt(map, mediaAt(map, at))).toBeCloseTo(at, 3);
      }),
    );
  });
  it('never goes backwards', () => {
    fc.assert(
      fc.property(maps, fc.nat(100_000), fc.nat(100_000), (map, a, b) => {
        expect(mediaAt(map, a + b)).toBeGreaterThanOrEqual(mediaAt(map, a));
      }),
    );
  });
});
