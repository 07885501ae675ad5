import { expect, it } from 'vitest';
import { createBacklogWork } from './backlog-work.ts';

it('a piece of backlog work begins after the piece before it, also when that one failed', async () => {
  const work = createBacklogWork(60_000);
  const order: string[] = [];
  const end = Promise.withResolvers<void>();
  const first = work.run(async () => {
    order.push('first begins');
    await end.promise;
    order.push('first fails');
    throw new Error('first');
  });
  const second = work.run(async () => order.push('second'));
  const third = work.run(async () => order.push('third'));
  end.resolve();
  await expect(first).rejects.toThrow('first');
  await Promise.all([second, third]);
  expect(order).toEqual(['first begins', 'first fails', 'second', 'third']);
});

it('a long piece of backlog work delays the next one no longer than the limit', async () => {
  const work = createBacklogWork(1);
  const end = Promise.withResolvers<void>();
  const first = work.run(() => end.promise);
  expect(await work.run(async () => 'second')).toBe('second');
  end.resolve();
  await first;
});
