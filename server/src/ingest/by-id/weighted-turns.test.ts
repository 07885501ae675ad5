// Work that is heavy has fewer turns at the same time than its number alone would allow.
import { expect, it } from 'vitest';
import { createSomeMessages } from './some-messages.ts';
import { createLanes, createWeightedTurns } from './weighted-turns.ts';

const LIMITS = { most: 3, mostWeight: 10 } as const;

/** Runs work of these weights. @returns what has begun, and what ends a work */
function run(weights: readonly number[], inTurn = createWeightedTurns(LIMITS)) {
  const begun: number[] = [];
  const works = weights.map((weight, n) => {
    const held = Promise.withResolvers<void>();
    const done = inTurn(weight, () => {
      begun.push(n);
      return held.promise;
    });
    return { end: held.resolve, done };
  });
  const end = async (n: number): Promise<void> => {
    works[n]?.end();
    await works[n]?.done;
  };
  return { begun, end };
}

it('work runs together as long as it is few and light, and in the order of arrival', async () => {
  const { begun, end } = run([6, 3, 2, 1, 1]);
  expect(begun).toEqual([0, 1]);
  await end(1);
  // Work 3 would have had room before.
  expect(begun).toEqual([0, 1, 2, 3]);
  await end(0);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

it('work beyond all weight has a turn alone', async () => {
  const { begun, end } = run([1, 50, 1]);
  expect(begun).toEqual([0]);
  await end(0);
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
});

it('light work does not wait for heavy work', async () => {
  const inTurn = createLanes(2, { most: 2, mostWeight: 10 }, { most: 1, mostWeight: 100 });
  const { begun, end } = run([50, 50, 1, 2, 1], inTurn);
  expect(begun).toEqual([0, 2, 3]);
  await end(2);
  expect(begun).toEqual([0, 2, 3, 4]);
  await end(0);
  expect(begun).toEqual([0, 2, 3, 4, 1]);
});

it('work that fails gives its turn back, and one that comes too late fails', async () => {
  const inTurn = createWeightedTurns({
    most: 1,
    mostWeight: 1,
    waitMs: -1,
    late: () => new Error('late'),
  });
  await expect(inTurn(1, async () => 'done')).rejects.toThrow('late');
  const free = createWeightedTurns({ most: 1, mostWeight: 1 });
  await expect(free(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await free(1, async () => 'done')).toBe('done');
});

it('a message that does not fit beside others begins the next ones', () => {
  const sizes = [40, 40, 90, 5, 5, 5, 5];
  const some = createSomeMessages({
    next: () => sizes.shift(),
    bytesOf: (size) => size,
    most: { messages: 3, bytes: 64 },
  });
  expect([some(), some(), some(), some(), some(), some()]).toEqual([
    ...[[40], [40], [90], [5, 5, 5], [5], []],
  ]);
});
