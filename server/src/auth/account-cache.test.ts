import { expect, it } from 'vitest';
import { createTestClock } from '../test/test-deps.ts';
import { createAccountCache, KEEP_MS } from './account-cache.ts';

/** A cache over accounts that the test changes, whose reads the test ends. */
function openCache() {
  const clock = createTestClock();
  const stored = new Map<string, string>();
  const begun: { readonly ids: readonly string[]; readonly end: () => void }[] = [];
  const cache = createAccountCache<string>(clock, async (ids) => {
    const found = new Map([...stored].filter(([id]) => ids.includes(id)));
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push({ ids, end: resolve });
    await promise;
    return found;
  });
  /** Ends a read once it has begun. */
  const end = async (read: number): Promise<void> => {
    await expect.poll(() => begun.length).toBe(read + 1);
    begun[read]?.end();
  };
  return { clock, stored, begun, cache, end };
}

it('However many requests find their sessions stale at once, two reads answer them', async () => {
  const { clock, stored, begun, cache, end } = openCache();
  const ids = Array.from({ length: 20 }, (_, at) => `session ${at}`);
  const findAll = () => Promise.all(ids.map((id) => cache.find(id)));
  for (const round of [0, 1]) {
    for (const id of ids) stored.set(id, `${id} in round ${round}`);
    const found = findAll();
    await end(2 * round);
    await end(2 * round + 1);
    expect(await found).toEqual(ids.map((id) => `${id} in round ${round}`));
    expect(await findAll()).toEqual(ids.map((id) => `${id} in round ${round}`));
    expect(begun).toHaveLength(2 * round + 2);
    clock.advance(KEEP_MS);
  }
  expect(begun.at(-1)?.ids.toSorted()).toEqual(ids.toSorted());
});

it('A request sees what was stored before it came, also while an older read runs', async () => {
  const { stored, cache, end } = openCache();
  stored.set('a', 'may');
  const before = cache.find('a');
  stored.delete('a');
  cache.forget(['a']);
  const after = cache.find('a');
  await end(0);
  await end(1);
  expect([await before, await after]).toEqual(['may', undefined]);
});

it('A session that is forgotten while its request waits is read nevertheless', async () => {
  const { stored, cache, end } = openCache();
  stored.set('a', 'may').set('b', 'may');
  const running = cache.find('b');
  const waiting = cache.find('a');
  cache.forget(['a']);
  await end(0);
  await end(1);
  expect(await Promise.all([running, waiting])).toEqual(['may', 'may']);
});

it('After a read that failed the next request reads again', async () => {
  const clock = createTestClock();
  const answers = [new Error('away'), new Map([['a', 'may']])];
  const cache = createAccountCache<string>(clock, async () => {
    const answer = answers.shift();
    if (answer instanceof Map) return answer;
    throw answer;
  });
  await expect(Promise.all([cache.find('a'), cache.find('a')])).rejects.toThrow('away');
  expect(await cache.find('a')).toBe('may');
});
