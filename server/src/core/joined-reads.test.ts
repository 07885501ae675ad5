import { expect, it } from 'vitest';
import { createJoinedReads } from './joined-reads.ts';

/** Reads that the test ends. */
function openReads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const read = createJoinedReads((_key: number) => {
    const one = Promise.withResolvers<string>();
    begun.push(one);
    return one.promise;
  });
  return { begun, read };
}

it('Who asks while a read runs shares the next one, and other keys do not wait', async () => {
  const { begun, read } = openReads();
  const first = read(1);
  const later = [read(1), read(1), read(1)];
  const other = read(2);
  expect(begun).toHaveLength(2);
  begun[0]?.resolve('old');
  begun[1]?.resolve('other');
  expect(await Promise.all([first, other])).toEqual(['old', 'other']);
  await expect.poll(() => begun.length).toBe(3);
  begun[2]?.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new']);
  const last = read(1);
  expect(begun).toHaveLength(4);
  begun[3]?.resolve('last');
  expect(await last).toBe('last');
});

it('A read that fails fails for all who wait for it, not for those who ask afterwards', async () => {
  const { begun, read } = openReads();
  const failed = [read(1), read(1), read(1)];
  begun[0]?.reject(new Error('no'));
  for (const one of failed) await expect(one).rejects.toThrow('no');
  expect(begun).toHaveLength(1);
  const later = read(1);
  begun[1]?.resolve('yes');
  expect(await later).toBe('yes');
});
