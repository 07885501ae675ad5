import { expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

it('other work runs between slices, and the items keep their order', async () => {
  const order: string[] = [];
  const other = (): void => {
    order.push('other');
    if (order.length < 8) setImmediate(other);
  };
  setImmediate(other);
  await inSlices('abcde', 2, (item, index) => order.push(`${item}${index}`));
  expect(order.slice(0, 7)).toEqual(['a0', 'b1', 'other', 'c2', 'd3', 'other', 'e4']);
});

it('a slice that throws ends the work', async () => {
  const seen: number[] = [];
  const work = inSlices([1, 2, 3], 1, (item) => {
    if (item === 2) throw new Error('two');
    seen.push(item);
  });
  await expect(work).rejects.toThrow('two');
  expect(seen).toEqual([1]);
});
