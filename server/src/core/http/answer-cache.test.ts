import { expect, it } from 'vitest';
import { AnswerCache } from './answer-cache.ts';
import { packedAnswer } from './cached-answer.ts';

it('an answer is built once for all who ask meanwhile, and anew after a failure', async () => {
  const cache = new AnswerCache();
  let builds = 0;
  const ask = () =>
    cache.find('a', async () => {
      builds += 1;
      if (builds === 1) throw new Error('no database');
      return { builds };
    });
  const failed = await Promise.allSettled([ask(), ask()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ plain }) => String(plain))).toEqual(Array(3).fill('{"builds":2}'));
});

it('an answer of over a quarter of the cache does not take the place of the others', async () => {
  const cache = new AnswerCache();
  await cache.find('small', async () => 1);
  const quarter = 16 * 1024 * 1024;
  for (let n = 0; n < 10; n += 1) cache.set(`${n}`, packedAnswer(Buffer.alloc(quarter + 1), 'a'));
  cache.set('quarter', packedAnswer(Buffer.alloc(quarter), 'b'));
  expect([cache.get('small'), cache.get('quarter'), cache.get('9')].map(Boolean)).toEqual([
    true,
    true,
    false,
  ]);
});
