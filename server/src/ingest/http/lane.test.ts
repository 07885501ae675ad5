import { expect, it } from 'vitest';
import { createLane, type LaneLimits } from './lane.ts';

const limits: LaneLimits = {
  longestWaitMs: 60_000,
  rest: { same: 0, other: 0 },
  longestRestMs: 0,
};

/** Work that ends when it is told to. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = async (item: string): Promise<string> => {
    begun.push(item);
    await new Promise<void>((resolve) => ends.set(item, resolve));
    return `${item} done`;
  };
  const end = async (item: string): Promise<void> => {
    await expect.poll(() => ends.has(item)).toBe(true);
    ends.get(item)?.();
  };
  return { begun, work, end };
}

it('the unit that was served least recently comes first, one at a time', async () => {
  const { begun, work, end } = heldWork();
  const lane = createLane(work, limits);
  const all = [lane.take(1, '1a'), lane.take(1, '1b'), lane.take(2, '2a'), lane.take(3, '3a')];
  const order = ['1a', '2a', '3a', '1b'];
  for (const [index, item] of order.entries()) {
    await expect.poll(() => begun.length).toBe(index + 1);
    await end(item);
  }
  expect(begun).toEqual(order);
  expect(await Promise.all(all)).toEqual(['1a done', '1b done', '2a done', '3a done']);
});

it('who waits too long is told to come back, and the work goes on', async () => {
  const { begun, work, end } = heldWork();
  const lane = createLane(work, { ...limits, longestWaitMs: 1 });
  const first = lane.take(1, 'first');
  await expect(lane.take(2, 'second')).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterS: 10,
  });
  await end('first');
  expect(await first).toBe('first done');
  const third = lane.take(3, 'third');
  await end('third');
  expect(await third).toBe('third done');
  expect(begun).toEqual(['first', 'third']);
});

it('work that fails fails alone', async () => {
  const lane = createLane(async (item: string) => {
    if (item === 'bad') throw new Error('bad');
    return item;
  }, limits);
  const bad = lane.take(1, 'bad');
  const good = lane.take(2, 'good');
  await expect(bad).rejects.toThrow('bad');
  expect(await good).toBe('good');
});

it('a lane that is closed does what it has taken, and takes nothing more', async () => {
  const { work, end } = heldWork();
  const lane = createLane(work, limits);
  const taken = [lane.take(1, 'one'), lane.take(2, 'two')];
  const closed = lane.close();
  await expect(lane.take(3, 'three')).rejects.toMatchObject({ code: 'unavailable' });
  await end('one');
  await end('two');
  await closed;
  expect(await Promise.all(taken)).toEqual(['one done', 'two done']);
});
