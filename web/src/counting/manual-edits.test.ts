import type { Segment } from '@ridewatch/contract/segments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualEdits, type ManualCounts } from './manual-edits.ts';

const none = { adult: null, kids: null };
const segment = { id: 7, entered_manual: none, exited_manual: none } as Segment;
let sent: ManualCounts[];
let lastSeen: ManualCounts | undefined;
let answer: () => Promise<void>;
const edits = () =>
  createManualEdits(
    (_id, counts, seen) => {
      sent.push(counts);
      lastSeen = seen;
      return answer();
    },
    (error) => error === refusal,
  );
const refusal = new Error('the day is closed');
const stateOf = (of: ReturnType<typeof edits>) => of.drafts().get(7)?.state;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answer = () => Promise.resolve();
});
afterEach(() => vi.useRealTimers());

describe('a typed count', () => {
  it('is sent half a second after the last key, with those that were typed before', async () => {
    const of = edits();
    of.type(segment, 'entered_manual', 'adult', 1);
    await vi.advanceTimersByTimeAsync(400);
    of.type(segment, 'entered_manual', 'adult', 12);
    of.type(segment, 'exited_manual', 'kids', 3);
    await vi.advanceTimersByTimeAsync(499);
    expect([sent, stateOf(of)]).toEqual([[], 'typing']);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([
      { entered_manual: { adult: 12, kids: null }, exited_manual: { adult: null, kids: 3 } },
    ]);
    expect(stateOf(of)).toBe('saved');
    await vi.advanceTimersByTimeAsync(2000);
    expect(stateOf(of)).toBeUndefined();
  });

  it('stays where it is when it could not be saved, and is sent again when asked', async () => {
    const of = edits();
    answer = () => Promise.reject(new Error('no connection'));
    of.type(segment, 'entered_manual', 'adult', 4);
    await vi.advanceTimersByTimeAsync(500);
    expect([stateOf(of), of.drafts().get(7)?.counts.entered_manual.adult]).toEqual(['failed', 4]);
    answer = () => Promise.resolve();
    of.flush(7);
    await vi.advanceTimersByTimeAsync(0);
    expect([sent.length, stateOf(of)]).toEqual([2, 'saved']);
  });

  it('goes out by itself when the connection is back', async () => {
    const of = edits();
    answer = () => Promise.reject(new Error('no connection'));
    of.type(segment, 'entered_manual', 'adult', 8);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(stateOf(of)).toBe('failed');
    answer = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([sent.at(-1)?.entered_manual.adult, stateOf(of)]).toEqual([8, 'saved']);
  });

  it('says what stood there before: what was seen first, then what was saved', async () => {
    const of = edits();
    of.type(segment, 'entered_manual', 'adult', 1);
    await vi.advanceTimersByTimeAsync(500);
    expect(lastSeen).toEqual({ entered_manual: none, exited_manual: none });
    of.type(segment, 'entered_manual', 'adult', 12);
    await vi.advanceTimersByTimeAsync(500);
    expect(lastSeen?.entered_manual.adult).toBe(1);
  });

  it('that is refused is rolled back', async () => {
    const of = edits();
    answer = () => Promise.reject(refusal);
    of.type(segment, 'entered_manual', 'adult', 8);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sent.length, of.drafts().size]).toEqual([1, 0]);
  });

  it('that changes while it is sent is sent once more, after the first', async () => {
    const of = edits();
    let finish = () => {};
    answer = () => new Promise((resolve) => (finish = resolve));
    of.type(segment, 'entered_manual', 'adult', 1);
    await vi.advanceTimersByTimeAsync(500);
    of.type(segment, 'entered_manual', 'adult', 15);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(1);
    finish();
    await vi.advanceTimersByTimeAsync(500);
    expect(sent.map((counts) => counts.entered_manual.adult)).toEqual([1, 15]);
  });

  it('goes out when the page is left, also while an earlier value is on its way', async () => {
    const of = edits();
    const finish: (() => void)[] = [];
    answer = () => new Promise((resolve) => finish.push(resolve));
    of.type(segment, 'entered_manual', 'adult', 1);
    await vi.advanceTimersByTimeAsync(500);
    of.type(segment, 'entered_manual', 'adult', 15);
    of.flush();
    of.flush();
    expect(sent.map((counts) => counts.entered_manual.adult)).toEqual([1, 15]);
    for (const one of finish) one();
    await vi.advanceTimersByTimeAsync(0);
    expect([sent.length, stateOf(of)]).toEqual([2, 'saved']);
  });

  it('is sent at once when the page is left', async () => {
    const of = edits();
    of.type(segment, 'entered_manual', 'adult', 2);
    of.flush();
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent).toHaveLength(1);
  });
});
