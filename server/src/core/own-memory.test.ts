import { expect, it } from 'vitest';
import { createSeenUnits, type SeenUnit } from '../ingest/store/seen-units.ts';
import { makeCachedAnswer } from './http/cached-answer.ts';
import { inOwnMemory } from './own-memory.ts';

const memoryOf = ({ buffer }: Buffer): number => buffer.byteLength;

it('bytes in memory of their own are the same bytes', () => {
  const pooled = Buffer.from('a few bytes');
  expect(inOwnMemory(pooled)).toEqual(pooled);
  expect(memoryOf(inOwnMemory(pooled))).toBe(pooled.length);
  const own = Buffer.allocUnsafeSlow(10);
  expect(inOwnMemory(own)).toBe(own);
});

it('a cached answer holds no more memory than its bytes', async () => {
  const { plain, packed } = await makeCachedAnswer('{"a":1}');
  expect(plain && memoryOf(plain)).toBe(plain?.length);
  expect(memoryOf(packed)).toBe(packed.length);
});

it('the last positions of a unit hold no more memory than their bytes', () => {
  const units = createSeenUnits();
  const block = { startMs: 0, bytes: Buffer.from('packed positions'), isNewest: true };
  const seen: SeenUnit = {
    batches: 1,
    stream: '',
    streamId: 1,
    busId: null,
    zones: { spans: [], said: '' },
    shifts: { fromDay: '', byDay: new Map() },
    numbers: { received: { most: 1, last: 1 }, unplaced: { most: 0, last: 0 }, lastPeople: 0 },
    block,
  };
  units.keep(1, seen);
  const kept = units.find(1)?.block.bytes;
  expect(kept).toEqual(block.bytes);
  expect(kept && memoryOf(kept)).toBe(block.bytes.length);
});
