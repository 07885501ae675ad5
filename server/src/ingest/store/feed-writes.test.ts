// Notes for those who listen to units, while writing one takes long.
import { expect, it, vi } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createFeedWrites } from './feed-writes.ts';
import type { FeedNote, ListenedUnit } from './unit-feed.ts';

const AT_ONCE = 8;
const UNIT: ListenedUnit = { unitId: 7, busId: 1 };
const note = (n: number): FeedNote => ({
  ...{ receivedAtMs: 0, outcome: 'stored', bytes: 1, body: String(n) },
});

it('eight are written at a time; others are not even made, until one of the eight has ended', async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const insert = vi.fn((_unit: ListenedUnit, _notes: readonly FeedNote[]) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const write = createFeedWrites({ log: createLog('silent') }, insert);
  const made: number[] = [];
  const send = (n: number): void =>
    write(UNIT, () => {
      made.push(n);
      return [note(n)];
    });
  for (let n = 0; n < AT_ONCE + 5; n += 1) send(n);
  expect(made).toEqual([...Array(AT_ONCE).keys()]);
  expect(insert).toHaveBeenCalledTimes(AT_ONCE);
  // One that fails leaves its place, too.
  ends[0]?.reject(new Error('the table is not there'));
  ends[1]?.resolve();
  await vi.waitFor(() => {
    send(90);
    expect(made.filter((n) => n === 90)).toHaveLength(2);
  });
  expect(insert).toHaveBeenCalledTimes(AT_ONCE + 2);
});
