import { expect, it } from 'vitest';
import { gatherBytes } from './gathered-bytes.ts';

it('bytes that arrive one by one take at most twice their memory, and no more than the limit', () => {
  const gathered = gatherBytes(50_000);
  for (let n = 0; n < 20_000; n += 1) gathered.add(Buffer.from([n % 251]));
  const whole = gathered.whole();
  expect([whole.length, gathered.length]).toEqual([20_000, 20_000]);
  expect(whole.every((byte, n) => byte === n % 251)).toBe(true);
  expect(whole.buffer.byteLength).toBeLessThanOrEqual(40_000);
  gathered.add(Buffer.alloc(30_000));
  expect(gathered.whole().buffer.byteLength).toBe(50_000);
});
