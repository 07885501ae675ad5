import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  countNumber,
  countNumberAt,
  EPOCH_MS,
  isCountOfBytes,
  nextCountNumber,
  positionNumber,
  recordingNumber,
  stateNumber,
  timelessNumbers,
} from './numbers.ts';

/** Times that a device may say, of 136 years around the present. */
const timeMs = fc.integer({ min: EPOCH_MS - 2 ** 31 * 1000, max: EPOCH_MS + 2 ** 31 * 1000 - 1 });
const count = fc.record({
  timeMs: timeMs.map((ms) => Math.floor(ms / 1000) * 1000),
  module: fc.integer({ min: 0, max: 0xffff }),
  door: fc.integer({ min: 1, max: 8 }),
  direction: fc.constantFrom('entered' as const, 'exited' as const),
});

it('positions of two moments have two numbers, also of wrong clocks', () => {
  fc.assert(
    fc.property(timeMs, timeMs, (one, other) => {
      expect(positionNumber(one) === positionNumber(other)).toBe(one === other);
      expect(Number.isSafeInteger(positionNumber(one))).toBe(true);
      expect(positionNumber(one)).toBeGreaterThanOrEqual(0);
    }),
  );
});

it('a count that is moved to another time has the number of that time', () => {
  fc.assert(
    fc.property(count, timeMs, (one, toMs) => {
      const moved = { ...one, timeMs: toMs };
      const wholeMs = Math.floor(toMs / 1000) * 1000;
      expect(countNumberAt(countNumber(one), wholeMs)).toBe(countNumber(moved));
    }),
  );
});

it('a count that gives way has the next module of its second, after the last one the first', () => {
  fc.assert(
    fc.property(count, (one) => {
      const next = { ...one, module: (one.module + 1) % 0x10000 };
      expect(nextCountNumber(countNumber(one))).toBe(countNumber(next));
    }),
  );
});

it('only of a count without a time bytes made the number', () => {
  fc.assert(
    fc.property(count, timeMs, (one, ms) => {
      expect(isCountOfBytes(countNumber({ ...one, timeMs: ms }), ms)).toBe(false);
    }),
  );
  const { count: key } = timelessNumbers(Buffer.from('00'));
  const seq = countNumber({ ...key, door: 1, direction: 'entered' });
  expect(isCountOfBytes(seq, EPOCH_MS)).toBe(true);
});

it('no position has the number of a count', () => {
  fc.assert(
    fc.property(timeMs, count, (ms, one) => {
      expect(positionNumber(ms)).not.toBe(countNumber(one));
      expect(Number.isSafeInteger(countNumber(one))).toBe(true);
    }),
  );
  // The borders of the three kinds of numbers.
  const last = EPOCH_MS + (2 ** 32 - 1) * 1000;
  const greatest = countNumber({ timeMs: last, module: 0xffff, door: 8, direction: 'exited' });
  const least = countNumber({ timeMs: EPOCH_MS, module: 0, door: 1, direction: 'entered' });
  expect(positionNumber(last)).toBeLessThan(least);
  expect(positionNumber(EPOCH_MS + 1)).toBeGreaterThan(greatest);
  expect(Number.isSafeInteger(positionNumber(last + 999))).toBe(true);
});

const LAST_MS = EPOCH_MS + (2 ** 32 - 1) * 1000;

it('states of cameras have numbers of their own', () => {
  expect(stateNumber(EPOCH_MS, 0)).toBeGreaterThan(positionNumber(LAST_MS + 999));
  expect(stateNumber(EPOCH_MS + 1, 0)).toBeGreaterThan(stateNumber(EPOCH_MS, 255));
  expect(Number.isSafeInteger(stateNumber(LAST_MS + 999, 255))).toBe(true);
});

it('recordings have numbers above all others, by end, channel and length', () => {
  const least = { startMs: EPOCH_MS, endMs: EPOCH_MS, channel: 0 };
  const greatest = { startMs: LAST_MS - 4 * 3_600_000, endMs: LAST_MS, channel: 255 };
  // Those of positions without a time begin above states and have 48 bits.
  const others = stateNumber(LAST_MS + 999, 255) + 2 ** 48;
  expect(recordingNumber(least)).toBeGreaterThan(others);
  expect(Number.isSafeInteger(recordingNumber(greatest))).toBe(true);
  expect(recordingNumber({ ...greatest, startMs: greatest.startMs + 10_000 })).toBe(
    recordingNumber(greatest) - 1,
  );
  expect(recordingNumber({ ...least, channel: 1 })).toBe(recordingNumber(least) + 1441);
  const longest = { ...least, startMs: EPOCH_MS - 4 * 3_600_000 };
  expect(recordingNumber(longest)).toBe(recordingNumber(least) + 1440);
});
