import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that lasts until it is told to end. */
function openWork() {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const begin = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  return { begin, started, endNext: () => ends.shift()?.() };
}

it('lets the batches of a unit take turns, and units go beside each other', async () => {
  const takeTurn = createTurns();
  const { begin, started, endNext } = openWork();
  const first = takeTurn(1, begin('1 first'));
  const second = takeTurn(1, begin('1 second'));
  const other = takeTurn(2, begin('2'));
  await Promise.resolve();
  expect(started).toEqual(['1 first', '2']);
  endNext();
  expect(await first).toBe('1 first');
  expect(started).toEqual(['1 first', '2', '1 second']);
  endNext();
  endNext();
  expect(await Promise.all([second, other])).toEqual(['1 second', '2']);
});

it('goes on after what failed, and refuses a unit of which too many wait', async () => {
  const takeTurn = createTurns(1);
  const { begin, endNext } = openWork();
  const failed = takeTurn(1, () => Promise.reject(new Error('no')));
  const second = takeTurn(1, begin('second'));
  const refusal = { code: 'too_many_attempts', retryAfterS: 1 };
  await expect(takeTurn(1, begin('third'))).rejects.toMatchObject(refusal);
  await expect(failed).rejects.toThrow('no');
  endNext();
  expect(await second).toBe('second');
  const fourth = takeTurn(1, begin('fourth'));
  await Promise.resolve();
  endNext();
  expect(await fourth).toBe('fourth');
});

it('refuses work that has not had a turn in time, and does not begin it', async () => {
  const takeTurn = createTurns(8, -1);
  const { begin, started, endNext } = openWork();
  const late = takeTurn(1, begin('late'));
  await expect(late).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 5 });
  endNext();
  expect(started).toEqual([]);
});
