import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const LONG_MS = 60_000;
const limits = { mostWaiting: 16, mostOfOne: 4, message: 'Come back.', retryAfterS: 10 };
const busy = { code: 'unavailable', retryAfterS: 10 };

it('turns go round the users who ask, not through all that one of them asked first', async () => {
  const turns = createTurns(limits);
  const order: string[] = [];
  const takeTurns = async (userId: number, name: string): Promise<void> => {
    for (let turn = 1; turn <= 2; turn += 1) {
      const end = await turns.take(userId, LONG_MS, turn > 1);
      order.push(`${name}${turn}`);
      end();
    }
  };
  const first = await turns.take(1, LONG_MS, false);
  const all = [takeTurns(1, 'a'), takeTurns(1, 'b'), takeTurns(2, 'c'), takeTurns(3, 'd')];
  first();
  await Promise.all(all);
  expect(order).toEqual(['c1', 'd1', 'a1', 'c2', 'd2', 'b1', 'a2', 'b2']);
});

it('a user who had no turn comes before one who had', async () => {
  const turns = createTurns(limits);
  (await turns.take(1, LONG_MS))();
  const end = await turns.take(2, LONG_MS);
  const order: number[] = [];
  const all = [1, 3].map(async (userId) => {
    const endOwn = await turns.take(userId, LONG_MS);
    order.push(userId);
    endOwn();
  });
  end();
  await Promise.all(all);
  expect(order).toEqual([3, 1]);
});

it('several have a turn at once, but only one of a user, and a free turn goes to another user', async () => {
  const turns = createTurns({ ...limits, atOnce: 2 });
  const endFirst = await turns.take(1, LONG_MS);
  const order: string[] = [];
  const takeTurn = async (userId: number, name: string): Promise<() => void> => {
    const end = await turns.take(userId, LONG_MS);
    order.push(name);
    return end;
  };
  const again = takeTurn(1, 'first again');
  const endSecond = await takeTurn(2, 'second');
  const third = takeTurn(3, 'third');
  expect(order).toEqual(['second']);
  endSecond();
  const endThird = await third;
  expect(order).toEqual(['second', 'third']);
  endThird();
  await expect(turns.take(1, 1)).rejects.toMatchObject(busy);
  endFirst();
  (await again)();
  expect(order).toEqual(['second', 'third', 'first again']);
});

it('one who waits for too long is told to come back, and the next one has the turn', async () => {
  const turns = createTurns(limits);
  const end = await turns.take(1, LONG_MS, false);
  await expect(turns.take(2, 1, false)).rejects.toMatchObject(busy);
  const third = turns.take(3, LONG_MS, false);
  end();
  (await third)();
  (await turns.take(2, 0, false))();
});

it('nobody fills the queue alone, and who has begun is not sent away for those who come', async () => {
  const turns = createTurns(limits);
  const end = await turns.take(1, LONG_MS, false);
  const waiting = [1, 2, 3, 4].flatMap((userId) =>
    Array.from({ length: 4 }, () => turns.take(userId, LONG_MS, false)),
  );
  await expect(turns.take(1, LONG_MS, false)).rejects.toMatchObject(busy);
  await expect(turns.take(5, LONG_MS, false)).rejects.toMatchObject(busy);
  waiting.push(turns.take(1, LONG_MS, true));
  end();
  const had = await Promise.all(
    waiting.map(async (one) => {
      (await one)();
      return true;
    }),
  );
  expect(had).toHaveLength(17);
});
