import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEdits, type Edit, type Edits, type EditsOptions, type Verdict } from './edits.ts';

type Options = EditsOptions<string, string>;

let sent: Edit<string, string>[][];
let answer: () => Promise<void>;
let verdict: Verdict<string, string>;
const fails = () => Promise.reject(new Error('no'));
const edits = (more: Partial<Options> = {}): Edits<string, string> =>
  createEdits({
    save: (batch) => {
      sent.push([...batch]);
      return answer();
    },
    judge: () => verdict,
    ...more,
  });
const type = (of: Edits<string, string>, value: string, key = 'fare', stored = '') =>
  of.type([{ key, value, stored }]);
const stateOf = (of: Edits<string, string>, key = 'fare') => of.draftOf(key)?.state;
const values = () => sent.map((batch) => batch.map(({ value }) => value).join());

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answer = () => Promise.resolve();
  verdict = { means: 'retry' };
});
afterEach(() => vi.useRealTimers());

describe('a typed value', () => {
  it('is sent half a second after the last key, and says for a moment that it was saved', async () => {
    const of = edits({ savedMs: 2000 });
    type(of, '4');
    await vi.advanceTimersByTimeAsync(400);
    type(of, '45');
    await vi.advanceTimersByTimeAsync(499);
    expect([sent, stateOf(of)]).toEqual([[], 'typing']);
    await vi.advanceTimersByTimeAsync(1);
    expect([sent, stateOf(of)]).toEqual([[[{ key: 'fare', value: '45', seen: '' }]], 'saved']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(of.drafts().size).toBe(0);
  });

  it('is sent only when it is another one than what stands there', async () => {
    const of = edits();
    type(of, '45', 'fare', '4');
    type(of, '4');
    await vi.advanceTimersByTimeAsync(500);
    expect([sent.length, of.drafts().size]).toEqual([0, 0]);
  });

  it('stays where it is when it could not be saved, and is sent again when asked', async () => {
    const of = edits();
    answer = fails;
    type(of, '45');
    await vi.advanceTimersByTimeAsync(500);
    expect(of.draftOf('fare')).toMatchObject({ value: '45', state: 'failed' });
    answer = () => Promise.resolve();
    of.flush('fare');
    await vi.advanceTimersByTimeAsync(0);
    expect([sent.length, stateOf(of)]).toEqual([2, 'saved']);
  });

  it('goes out by itself when the connection is back, and says until then that it was not saved', async () => {
    const of = edits();
    const isRetry: boolean[] = [];
    answer = fails;
    const judged = edits({
      judge: (_error, _batch, again) => {
        isRetry.push(again);
        return verdict;
      },
    });
    for (const one of [of, judged]) type(one, '45');
    await vi.advanceTimersByTimeAsync(12_000);
    expect([stateOf(of), isRetry]).toEqual(['failed', [false, true, true]]);
    answer = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(stateOf(of)).toBe('saved');
  });

  it('says what stood there before: what was seen first, then what was saved', async () => {
    const of = edits();
    type(of, '4');
    await vi.advanceTimersByTimeAsync(500);
    type(of, '45', 'fare', '4');
    await vi.advanceTimersByTimeAsync(500);
    expect(sent.flat().map(({ seen }) => seen)).toEqual(['', '4']);
  });

  it('that is refused stays with the reason, or what stood there is shown again', async () => {
    const refused = edits();
    const rolledBack = edits();
    answer = fails;
    verdict = { means: 'keep', reason: 'the day is closed' };
    type(refused, '45');
    await vi.advanceTimersByTimeAsync(500);
    verdict = { means: 'discard' };
    type(rolledBack, '45');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refused.draftOf('fare')).toMatchObject({ state: 'failed', reason: 'the day is closed' });
    expect([sent.length, rolledBack.drafts().size]).toEqual([2, 0]);
  });

  it('that is wrong is not sent, and says why until it is mended', async () => {
    const of = edits({ problemOf: (value) => (value === 'x' ? 'no number' : undefined) });
    type(of, 'x');
    await vi.advanceTimersByTimeAsync(500);
    expect(of.draftOf('fare')).toMatchObject({ state: 'invalid', reason: 'no number' });
    type(of, '5');
    await vi.advanceTimersByTimeAsync(500);
    expect([values(), stateOf(of)]).toEqual([['5'], 'saved']);
  });

  it('that changes while it is sent is sent once more, after the first', async () => {
    const of = edits();
    let finish = () => {};
    answer = () => new Promise((resolve) => (finish = resolve));
    type(of, '4');
    await vi.advanceTimersByTimeAsync(500);
    type(of, '45');
    await vi.advanceTimersByTimeAsync(5000);
    expect(values()).toEqual(['4']);
    finish();
    await vi.advanceTimersByTimeAsync(500);
    expect(values()).toEqual(['4', '45']);
  });

  it('may be given up', async () => {
    const of = edits();
    type(of, '45');
    of.drop('fare');
    await vi.advanceTimersByTimeAsync(500);
    expect([sent.length, of.drafts().size]).toEqual([0, 0]);
  });

  it('of a field that is saved when one leaves it waits for that', async () => {
    const of = edits({ saves: 'when-left' });
    type(of, '45');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(0);
    of.flush('fare');
    await vi.advanceTimersByTimeAsync(0);
    expect([values(), stateOf(of)]).toEqual([['45'], 'saved']);
  });
});

describe('a page that is left', () => {
  it('sends what waits, also while an earlier value is on its way', async () => {
    const of = edits();
    const finish: (() => void)[] = [];
    answer = () => new Promise((resolve) => finish.push(resolve));
    type(of, '4');
    await vi.advanceTimersByTimeAsync(500);
    type(of, '45');
    type(of, '70', 'percent');
    of.leave();
    of.leave();
    expect(values()).toEqual(['4', '45', '70']);
    expect(sent[1]?.[0]?.seen).toBe('4');
    for (const one of finish) one();
    await vi.advanceTimersByTimeAsync(5000);
    expect([sent.length, stateOf(of)]).toEqual([3, 'saved']);
  });

  it('is asked about while something is not stored that cannot be sent then', async () => {
    const of = edits();
    type(of, '45');
    expect(of.mustAsk()).toBe(false);
    answer = fails;
    await vi.advanceTimersByTimeAsync(500);
    expect(of.mustAsk()).toBe(true);
  });
});

describe('a value that somebody else stored meanwhile', () => {
  const inConflict = async () => {
    const of = edits({ together: true, saves: 'at-once' });
    answer = fails;
    const stored: Record<string, string> = { fare: '40', percent: '10' };
    verdict = { means: 'conflict', reason: 'taken', stored: (key) => stored[key] ?? '' };
    of.type([
      { key: 'fare', value: '45', stored: '30' },
      { key: 'percent', value: '15', stored: '10' },
    ]);
    answer = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(0);
    return of;
  };

  it("is shown beside one's own; what nobody else touched is saved", async () => {
    const of = await inConflict();
    expect(of.draftOf('fare')).toEqual({ value: '45', seen: '40', state: 'conflict' });
    expect([stateOf(of, 'percent'), of.mustAsk()]).toEqual(['saved', true]);
  });

  it('is written over when that is said, or stays', async () => {
    const own = await inConflict();
    own.settle('own');
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.at(-1)).toEqual([{ key: 'fare', value: '45', seen: '40' }]);
    expect(stateOf(own)).toBe('saved');
    const theirs = await inConflict();
    theirs.settle('theirs');
    expect(theirs.draftOf('fare')).toBeUndefined();
  });

  it('may change once more before one decides', async () => {
    const of = await inConflict();
    of.hear('fare', '42');
    expect(of.draftOf('fare')).toMatchObject({ value: '45', seen: '42', state: 'conflict' });
  });
});

it('only those are told whose draft changed, and all who follow them all', () => {
  const of = edits();
  const [fare, percent, all] = [vi.fn(), vi.fn(), vi.fn()];
  of.subscribe(fare, 'fare');
  of.subscribe(percent, 'percent');
  of.subscribe(all);
  type(of, '45');
  expect([fare, percent, all].map((one) => one.mock.calls.length)).toEqual([1, 0, 1]);
});
