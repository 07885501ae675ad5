// Terminals that have signed in are greeted some at a time, and once however often they did.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Arrival } from '../jt808/terminals.ts';
import { createGreetings } from './greetings.ts';

it('terminals that sign in together, again and again, are greeted once, a hundred at a time', async () => {
  const greeted: (readonly Arrival[])[] = [];
  const works: Promise<void>[] = [];
  let running = 0;
  const greetings = createGreetings(
    async (arrivals) => {
      running += 1;
      expect(running).toBe(1);
      greeted.push(arrivals);
      await new Promise(setImmediate);
      running -= 1;
    },
    (work) => void works.push(work),
    1,
  );
  onTestFinished(greetings.clear);
  for (const atMs of [1, 2, 3]) {
    for (let unitId = 1; unitId <= 250; unitId += 1) greetings.add({ unitId, atMs });
  }
  expect(greeted).toEqual([]);
  await vi.waitFor(() => expect(greeted.flat()).toHaveLength(250));
  await Promise.all(works);
  expect(Math.max(...greeted.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(greeted.flat()).toEqual([...Array(250).keys()].map((n) => ({ unitId: n + 1, atMs: 3 })));
  greetings.add({ unitId: 1, atMs: 4 });
  await vi.waitFor(() => expect(greeted.at(-1)).toEqual([{ unitId: 1, atMs: 4 }]));
});
